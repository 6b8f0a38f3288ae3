import type { AnticipatedMemory, HeldMemory, Reason, Update } from '../../domain/anticipation/anticipation.ts';
import type { MemoryType } from '../../domain/configurations/configuration.ts';
import type { Scope } from '../../domain/tenancy/access.ts';
import type { Timestamp } from '../../generated/proto/google/protobuf/Timestamp.ts';
import type { Memory as MemoryMessage } from '../../generated/proto/presage/anticipation/v1/Memory.ts';
import type { MemoryType__Output as TypeName } from '../../generated/proto/presage/anticipation/v1/MemoryType.ts';
import type { Reason__Output as ReasonName } from '../../generated/proto/presage/anticipation/v1/Reason.ts';
import type { Scope__Output as ScopeName } from '../../generated/proto/presage/anticipation/v1/Scope.ts';
import type { Update as UpdateMessage } from '../../generated/proto/presage/anticipation/v1/Update.ts';

const typeNames: Record<MemoryType, TypeName> = {
  facts: 'MEMORY_TYPE_FACTS',
  preferences: 'MEMORY_TYPE_PREFERENCES',
  episodes: 'MEMORY_TYPE_EPISODES',
  emotions: 'MEMORY_TYPE_EMOTIONS',
  temporal_events: 'MEMORY_TYPE_TEMPORAL_EVENTS',
};

const scopeNames: Record<Scope, ScopeName> = {
  USER: 'SCOPE_USER',
  CUSTOMER: 'SCOPE_CUSTOMER',
  CLIENT: 'SCOPE_CLIENT',
  WORLD: 'SCOPE_WORLD',
};

const reasonNames: Record<Reason, ReasonName> = {
  standing: 'REASON_STANDING',
  due: 'REASON_DUE',
  context: 'REASON_CONTEXT',
  learned: 'REASON_LEARNED',
};

/** The update as the proto file has it. */
export function toMessage(update: Update): UpdateMessage {
  switch (update.kind) {
    case 'bundle': {
      const { bundleId, sequence, memories, totalTokens, isSnapshot } = update;
      return { bundle: { bundleId, sequence, memories: memories.map(toMemory), totalTokens, snapshot: isSnapshot } };
    }
    case 'withdrawal':
      return { withdrawal: { sequence: update.sequence, memoryIds: [...update.memoryIds] } };
    case 'throttle':
      return { throttle: { retryAfterMs: update.retryAfterMs } };
    default:
      return { pong: {} };
  }
}

function toMemory(memory: AnticipatedMemory | HeldMemory): MemoryMessage {
  const { id, score } = memory;
  const reason = reasonNames[memory.reason];
  if ('held' in memory) return { id, score, reason, held: true };
  const { category, content, confidence } = memory;
  return {
    id,
    type: typeNames[memory.type],
    category,
    content,
    confidence,
    score,
    scope: scopeNames[memory.scope],
    entities: memory.entities.map((entity) => ({ id: entity.id, name: entity.name, kind: entity.kind })),
    eventStart: toTimestamp(memory.eventStart),
    eventEnd: toTimestamp(memory.eventEnd),
    eventPrecision: memory.eventPrecision ?? '',
    evidence: memory.evidence.map(({ documentId, turns, quote }) => ({ documentId, turns: [...turns], quote })),
    reason,
  };
}

function toTimestamp(date: Date | null): Timestamp | null {
  if (!date) return null;
  const seconds = Math.floor(date.getTime() / 1_000); // downwards before 1970 too: nanos are never negative
  return { seconds, nanos: (date.getTime() - seconds * 1_000) * 1_000_000 };
}
