import { memoryTypes, type MemoryType } from '../../domain/memory-types.ts';
import type { ContextMemory } from '../../domain/memories/scored-memory.ts';
import { omitUndefined } from './fields.ts';

type Item = Readonly<Record<string, unknown>>;
type Buckets = Record<MemoryType, Item[]>;

export const emptyBuckets = (): Buckets =>
  Object.fromEntries(memoryTypes.map((type) => [type, [] as Item[]])) as Buckets;

/** The library's class of a memory: it holds until something else is said, held at a time, or happened. */
export const temporalCategory = ({ type, eventStart }: Pick<ContextMemory, 'type' | 'eventStart'>): string => {
  if (type === 'episodes') return 'episode';
  return eventStart ? 'temporal_fact' : 'perpetual';
};

/** The bucket in which a memory is told: the library drops an event without a time. */
export const memoryBucketOf = ({ type, eventStart }: Pick<ContextMemory, 'type' | 'eventStart'>): MemoryType =>
  type === 'temporal_events' && !eventStart ? 'facts' : type;

/** Every item has all names that one of the clients reads: what is absent here would be taken for a default. */
const presentItem = (memory: ContextMemory): Item =>
  omitUndefined({
    id: memory.uuid,
    content: memory.content,
    summary: memory.content,
    context: memory.content,
    category: memory.category,
    emotion_type: memory.category,
    confidence: memory.confidence,
    strength: memory.confidence,
    significance: memory.confidence,
    intensity: memory.confidence,
    source: memory.conversationId ? 'conversation' : 'document',
    extracted_at: memory.createdAt.toISOString(),
    occurred_at: (memory.eventStart ?? memory.validFrom).toISOString(),
    detected_at: memory.createdAt.toISOString(),
    participants: memory.entities.filter(({ kind }) => kind === 'person').map(({ name }) => name),
    metadata: memory.metadata ?? {},
    event_date: memory.eventStart?.toISOString(),
    event_end: memory.eventEnd?.toISOString(),
    event_precision: memory.eventPrecision,
    said_at: memory.validFrom.toISOString(),
    valid_until: memory.validUntil?.toISOString(),
    temporal_category: temporalCategory(memory),
    temporal_confidence: memory.confidence,
    source_evidence: memory.evidence.map(({ quote }) => quote),
    scope: memory.scope.toLowerCase(),
    entity_id: memory.userId ?? memory.customerId ?? '',
  });

/** The memories by type, in the two shapes that its releases read. */
export function presentItems(memories: readonly ContextMemory[]) {
  const buckets = emptyBuckets();
  const byType: Partial<Record<MemoryType, { items: Item[] }>> = {};
  for (const memory of memories) {
    const type = memoryBucketOf(memory);
    const item = presentItem(memory);
    buckets[type].push(item);
    const score = Math.min(1, Math.max(0, memory.score));
    const scores = { item_id: memory.uuid, context_type: type, similarity_score: score, relevance_score: score };
    (byType[type] ??= { items: [] }).items.push({ ...item, ...scores });
  }
  return { buckets, byType };
}
