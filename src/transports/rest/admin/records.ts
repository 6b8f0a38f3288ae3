import { z } from 'zod';
import { expiryActions } from '../../../domain/configurations/configuration.ts';
import { memoryTypes } from '../../../domain/memory-types.ts';
import { clientStates } from '../../../domain/tenancy/client.ts';
import { instanceStates } from '../../../domain/tenancy/instance.ts';
import { answerSchema, isoTimeField, pageFieldsOf } from '../fields.ts';

/** Response records of the admin routes; `present.ts` fills them. */

export const ClientRecord = answerSchema('Client', {
  client_id: z.string(),
  name: z.string(),
  state: z.enum(clientStates).meta({ description: 'Only the instances of an `active` client answer their keys.' }),
  created_at: isoTimeField(),
});

export const ClientPage = answerSchema('ClientPage', pageFieldsOf(ClientRecord));

const MonthRecord = z.object({
  instance_id: z.string(),
  month: z.string().meta({ description: 'A calendar month in UTC, such as `2026-11`.' }),
  api_calls: z.int(),
  llm_tokens_in: z.int(),
  llm_tokens_out: z.int(),
  embedding_tokens: z.int(),
  memories_peak: z.int().meta({ description: 'The most memories that it held at a time, sampled once a minute.' }),
});

export const UsagePage = answerSchema('UsagePage', pageFieldsOf(MonthRecord));

const auditedFields = z.record(z.string(), z.unknown()).nullable();

const AuditRecord = z.object({
  audit_id: z.string(),
  at: isoTimeField(),
  actor: z.string().meta({ description: '`admin:` and the id of a token, or `key:` and the id of a key.' }),
  action: z.string(),
  target: z.string().meta({ description: 'The id of what was changed.' }),
  before: auditedFields.meta({ description: 'Null: there was nothing, or it was purged.' }),
  after: auditedFields,
});

export const AuditPage = answerSchema('AuditPage', pageFieldsOf(AuditRecord));

export const AdminInstanceRecord = answerSchema('AdminInstance', {
  instance_id: z.string(),
  client_id: z.string(),
  name: z.string(),
  region: z.string(),
  state: z.enum(instanceStates).meta({ description: 'Only an `active` instance answers its keys.' }),
  active_version: z.int().meta({ description: 'The version of the configuration in force.' }),
  created_at: isoTimeField(),
});

export const AdminInstancePage = answerSchema('AdminInstancePage', pageFieldsOf(AdminInstanceRecord));

const rowsByTable = z.record(z.string(), z.int());

export const PurgedInstanceRecord = answerSchema('PurgedInstance', {
  ...AdminInstanceRecord.shape,
  receipt_id: z.string(),
  purged_at: isoTimeField('From when on it opens to nobody.'),
  completed_at: isoTimeField('When nothing was left; null: its rows are still being removed.').nullable(),
  removed: rowsByTable.meta({ description: 'Removed so far: rows by table, and `vectors`.' }),
  remaining: rowsByTable.meta({ description: 'Left when each store was read back at the end: none.' }),
});

export const InstanceStatsRecord = answerSchema('InstanceStats', {
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
  last_received_at: isoTimeField('When a document was last received.').nullable(),
});

export const RetentionPage = answerSchema('RetentionPage', {
  ...pageFieldsOf(
    z.object({
      memory_id: z.string(),
      type: z.enum(memoryTypes),
      category: z.string(),
      user_id: z.string().nullable(),
      customer_id: z.string().nullable(),
      created_at: isoTimeField(),
      last_accessed_at: isoTimeField('When it was last accessed; its ingestion is the first access.'),
      access_count: z.int(),
    }),
  ),
  at: isoTimeField('The time of the sweep that this is a dry run of.'),
  base_days: z.int(),
  on_expiry: z.enum(expiryActions),
});

export const KeyRecord = answerSchema('Key', {
  key_id: z.string(),
  label: z.string().nullable(),
  last4: z.string(),
  created_at: isoTimeField(),
  last_used_at: isoTimeField().nullable(),
  revoked_at: isoTimeField().nullable(),
});

export const KeyPage = answerSchema('KeyPage', pageFieldsOf(KeyRecord));

export const NewKeyRecord = answerSchema('NewKey', {
  ...KeyRecord.shape,
  api_key: z.string().nullable().meta({ description: 'The key itself, returned only here: null in a repetition.' }),
});
