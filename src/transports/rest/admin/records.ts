import { z } from 'zod';
import { expiries, memoryTypes } from '../../../domain/configurations/configuration.ts';
import { clientStates } from '../../../domain/tenancy/client.ts';
import { instanceStates } from '../../../domain/tenancy/instance.ts';
import { answerBodies, isoTime, pageOf } from '../fields.ts';

/** Response records of the admin routes; `present.ts` fills them. */

export const ClientRecord = z.object({
  client_id: z.string(),
  name: z.string(),
  state: z.enum(clientStates).meta({ description: 'Only the instances of an `active` client answer their keys.' }),
  created_at: isoTime(),
});
answerBodies.add(ClientRecord, { id: 'Client' });

export const ClientPage = pageOf(ClientRecord);
answerBodies.add(ClientPage, { id: 'ClientPage' });

export const UsagePage = pageOf(
  z.object({
    instance_id: z.string(),
    month: z.string().meta({ description: 'A calendar month in UTC, such as `2026-11`.' }),
    api_calls: z.int(),
    llm_tokens_in: z.int(),
    llm_tokens_out: z.int(),
    embedding_tokens: z.int(),
    memories_peak: z.int().meta({ description: 'The most memories that it held at a time.' }),
  }),
);
answerBodies.add(UsagePage, { id: 'UsagePage' });

const told = z.record(z.string(), z.unknown()).nullable();

export const AuditPage = pageOf(
  z.object({
    audit_id: z.string(),
    at: isoTime(),
    actor: z.string().meta({ description: '`admin:` and the id of a token, or `key:` and the id of a key.' }),
    action: z.string(),
    target: z.string().meta({ description: 'The id of what was changed.' }),
    before: told.meta({ description: 'Null: there was nothing, or it was purged.' }),
    after: told,
  }),
);
answerBodies.add(AuditPage, { id: 'AuditPage' });

export const AdminInstanceRecord = z.object({
  instance_id: z.string(),
  client_id: z.string(),
  name: z.string(),
  region: z.string(),
  state: z.enum(instanceStates).meta({ description: 'Only an `active` instance answers its keys.' }),
  active_version: z.int().meta({ description: 'The version of the configuration in force.' }),
  created_at: isoTime(),
});
answerBodies.add(AdminInstanceRecord, { id: 'AdminInstance' });

export const AdminInstancePage = pageOf(AdminInstanceRecord);
answerBodies.add(AdminInstancePage, { id: 'AdminInstancePage' });

const rowsByTable = z.record(z.string(), z.int());

export const PurgedInstanceRecord = AdminInstanceRecord.extend({
  receipt_id: z.string(),
  purged_at: isoTime('From when on it opens to nobody.'),
  completed_at: isoTime('When nothing was left; null: its rows are still being removed.').nullable(),
  removed: rowsByTable.meta({ description: 'Removed so far: rows by table, and `vectors`.' }),
  remaining: rowsByTable.meta({ description: 'Left when each store was read back at the end: none.' }),
});
answerBodies.add(PurgedInstanceRecord, { id: 'PurgedInstance' });

export const InstanceStatsRecord = z.object({
  instance_id: z.string(),
  memories: z.object({ active: z.int(), superseded: z.int(), archived: z.int() }),
  documents: z.int(),
  users: z.int(),
  customers: z.int(),
  conversations: z.int(),
  entities: z.int(),
  open_reviews: z.int(),
  ingestions_under_way: z.int(),
  ingestions_failed: z.int(),
  last_received_at: isoTime('When a document was last received.').nullable(),
});
answerBodies.add(InstanceStatsRecord, { id: 'InstanceStats' });

export const RetentionPage = pageOf(
  z.object({
    memory_id: z.string(),
    type: z.enum(memoryTypes),
    category: z.string(),
    user_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    created_at: isoTime(),
    last_accessed_at: isoTime('When it was last accessed; its ingestion is the first access.'),
    access_count: z.int(),
  }),
).extend({
  at: isoTime('The time of the sweep that this is a dry run of.'),
  base_days: z.int(),
  on_expiry: z.enum(expiries),
});
answerBodies.add(RetentionPage, { id: 'RetentionPage' });

export const KeyRecord = z.object({
  key_id: z.string(),
  label: z.string().nullable(),
  last4: z.string(),
  created_at: isoTime(),
  last_used_at: isoTime().nullable(),
  revoked_at: isoTime().nullable(),
});
answerBodies.add(KeyRecord, { id: 'Key' });

export const KeyPage = pageOf(KeyRecord);
answerBodies.add(KeyPage, { id: 'KeyPage' });

export const NewKeyRecord = KeyRecord.extend({
  api_key: z
    .string()
    .nullable()
    .meta({ description: 'The key itself, returned here and never again: null in a repetition.' }),
});
answerBodies.add(NewKeyRecord, { id: 'NewKey' });
