import { z } from 'zod';
import { memoryTypes } from '../../domain/memory-types.ts';
import type { Entity } from '../../domain/entities/entity.ts';
import type { Receipt } from '../../domain/erasure/receipt.ts';
import { provenances } from '../../domain/extraction/provenance.ts';
import { memoryStatuses, type Memory } from '../../domain/memories/memory.ts';
import { scopes } from '../../domain/tenancy/access.ts';
import type { Wire } from '../http/wire.ts';

const isoTime = z.string().meta({ format: 'date-time' });

export const ScopeRecord = z
  .object({
    instance_id: z.string(),
    user_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    levels: z.array(z.enum(scopes)),
  })
  .meta({ description: 'What the answer was looked for in.' });

/** A memory as a model reads it: what it says, where it is from, and the id by which it is corrected or forgotten. */
export const MemoryRecord = z.object({
  memory_id: z.string(),
  content: z.string(),
  type: z.enum(memoryTypes),
  category: z.string(),
  confidence: z.number(),
  provenance: z.enum(provenances).meta({ description: 'Who said it.' }),
  status: z.enum(memoryStatuses),
  scope: z.enum(scopes),
  user_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  valid_from: isoTime,
  valid_until: isoTime.nullable(),
  event_start: isoTime.nullable(),
  superseded_by: z.string().nullable(),
  possibly_outdated_by: z
    .string()
    .nullable()
    .meta({ description: 'A newer memory that may have replaced it, or a statement in it: prefer that one, or ask.' }),
  document_ids: z.array(z.string()),
});

export const presentMemory = (memory: Memory): Wire<typeof MemoryRecord> => ({
  memory_id: memory.id,
  content: memory.content,
  type: memory.type,
  category: memory.category,
  confidence: memory.confidence,
  provenance: memory.provenance,
  status: memory.status,
  scope: memory.scope,
  user_id: memory.userId,
  customer_id: memory.customerId,
  valid_from: memory.validFrom.toISOString(),
  valid_until: memory.validUntil?.toISOString() ?? null,
  event_start: memory.eventStart?.toISOString() ?? null,
  superseded_by: memory.supersededBy,
  possibly_outdated_by: memory.possiblyOutdatedBy,
  document_ids: [...new Set(memory.evidence.map(({ documentId }) => documentId))],
});

export const EntityRecord = z.object({
  entity_id: z.string(),
  name: z.string(),
  kind: z.string(),
  aliases: z.array(z.string()),
  mentions: z.number(),
});

export const presentEntity = ({ id, name, kind, aliases, mentions }: Entity): Wire<typeof EntityRecord> => ({
  entity_id: id,
  name,
  kind,
  aliases,
  mentions,
});

export const DeletionRecord = z.object({
  receipt_id: z.string(),
  requested_at: isoTime,
  memory_ids: z.array(z.string()).meta({ description: 'What was forgotten.' }),
  also_stated_in: z
    .array(z.string())
    .meta({ description: 'Other memories taken from the same turns, whatever they say; they are still there.' }),
  pending: z.array(z.string()).meta({ description: 'Stores that are still to confirm the removal.' }),
});

export const presentDeletion = (receipt: Receipt): Wire<typeof DeletionRecord> => ({
  receipt_id: receipt.id,
  requested_at: receipt.deletedAt.toISOString(),
  memory_ids: receipt.memoryIds,
  also_stated_in: receipt.alsoStatedIn.memoryIds,
  pending: receipt.pending,
});
