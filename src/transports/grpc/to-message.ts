import type {
  AnticipatedMemory,
  RetainedMemory,
  AnticipationReason,
  Update,
} from '../../domain/anticipation/stream-messages.ts';
import type { MemoryType } from '../../domain/memory-types.ts';
import type { Provenance } from '../../domain/extraction/provenance.ts';
import type { Scope } from '../../domain/tenancy/access.ts';
import type { Timestamp } from '../../generated/proto/google/protobuf/Timestamp.ts';
import type { Memory as MemoryMessage } from '../../generated/proto/presage/anticipation/v1/Memory.ts';
import type { MemoryType as TypeMessage } from '../../generated/proto/presage/anticipation/v1/MemoryType.ts';
import type { Provenance as ProvenanceMessage } from '../../generated/proto/presage/anticipation/v1/Provenance.ts';
import type { Reason as ReasonMessage } from '../../generated/proto/presage/anticipation/v1/Reason.ts';
import type { Scope as ScopeMessage } from '../../generated/proto/presage/anticipation/v1/Scope.ts';
import type { Update as UpdateMessage } from '../../generated/proto/presage/anticipation/v1/Update.ts';

// By number, as the encoder wants them: it knows no names.
const types: Record<MemoryType, NumberOf<TypeMessage>> = {
  facts: 1,
  preferences: 2,
  episodes: 3,
  emotions: 4,
  temporal_events: 5,
};
const scopes: Record<Scope, NumberOf<ScopeMessage>> = { USER: 1, CUSTOMER: 2, CLIENT: 3, WORLD: 4 };
const reasons: Record<AnticipationReason, NumberOf<ReasonMessage>> = { standing: 1, due: 2, context: 3, learned: 4 };
const provenanceNumbers: Record<Provenance, NumberOf<ProvenanceMessage>> = {
  user: 1,
  assistant: 2,
  tool: 3,
  document: 4,
  import: 5,
};

type NumberOf<Enum> = Exclude<Enum, string>;

/** The update as the proto file has it. */
export function toMessage(update: Update): UpdateMessage {
  switch (update.kind) {
    case 'bundle': {
      const { isSnapshot: snapshot, memories, bundleId, sequence, totalTokens, signalsHeard } = update;
      return { bundle: { bundleId, sequence, memories: memories.map(toMemory), totalTokens, snapshot, signalsHeard } };
    }
    case 'withdrawal':
      return { withdrawal: { sequence: update.sequence, memoryIds: [...update.memoryIds] } };
    case 'summary': {
      const { compactionId, version, text } = update;
      return { summary: { compactionId, version, text } };
    }
    case 'throttle':
      return { throttle: { retryAfterMs: update.retryAfterMs } };
    default:
      return { pong: {} };
  }
}

function toMemory(memory: AnticipatedMemory | RetainedMemory): MemoryMessage {
  const { id, score } = memory;
  const reason = reasons[memory.reason];
  const possiblyOutdatedBy = memory.possiblyOutdatedBy ?? '';
  if ('held' in memory) return { id, score, reason, possiblyOutdatedBy, held: true };
  const { category, content, confidence } = memory;
  const provenance = provenanceNumbers[memory.provenance];
  return {
    id,
    type: types[memory.type],
    category,
    content,
    confidence,
    score,
    scope: scopes[memory.scope],
    entities: memory.entities.map((entity) => ({ id: entity.id, name: entity.name, kind: entity.kind })),
    eventStart: toTimestamp(memory.eventStart),
    eventEnd: toTimestamp(memory.eventEnd),
    eventPrecision: memory.eventPrecision ?? '',
    evidence: memory.evidence.map(({ documentId, turns, quote }) => ({ documentId, turns: [...turns], quote })),
    reason,
    provenance,
    possiblyOutdatedBy,
  };
}

function toTimestamp(date: Date | null): Timestamp | null {
  if (!date) return null;
  const seconds = Math.floor(date.getTime() / 1_000); // downwards before 1970 too: nanos are never negative
  return { seconds, nanos: (date.getTime() - seconds * 1_000) * 1_000_000 };
}
