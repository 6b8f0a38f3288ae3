import type { Memory__Output } from '../generated/proto/presage/anticipation/v1/Memory.ts';
import type { Timestamp__Output } from '../generated/proto/google/protobuf/Timestamp.ts';
import type { StreamMemory } from './records.ts';

/** `MEMORY_TYPE_FACTS` is `facts`. A value that this copy of the description does not know comes as its number. */
const wordOf = (prefix: string, value: string | number) => String(value).replace(prefix, '').toLowerCase();

export const fromMemory = (memory: Memory__Output): StreamMemory => ({
  id: memory.id,
  type: wordOf('MEMORY_TYPE_', memory.type) as StreamMemory['type'],
  category: memory.category,
  content: memory.content,
  confidence: memory.confidence,
  provenance: wordOf('PROVENANCE_', memory.provenance) as StreamMemory['provenance'],
  scope: wordOf('SCOPE_', memory.scope).toUpperCase() as StreamMemory['scope'],
  entities: memory.entities.map(({ id, name, kind }) => ({ entity_id: id, name, kind })),
  event_start: isoOf(memory.event_start),
  event_end: isoOf(memory.event_end),
  event_precision: memory.event_precision || null,
  evidence: memory.evidence.map(({ document_id, turns, quote }) => ({ document_id, turns: [...turns], quote })),
  ...changingFieldsOf(memory),
});

/** The fields that are sent again with each bundle. */
export const changingFieldsOf = (memory: Memory__Output) => ({
  score: memory.score,
  reason: wordOf('REASON_', memory.reason) as StreamMemory['reason'],
  possibly_outdated_by: memory.possibly_outdated_by || null,
});

const isoOf = (time: Timestamp__Output | null): string | null =>
  time && new Date(time.seconds * 1000 + Math.round(time.nanos / 1e6)).toISOString();
