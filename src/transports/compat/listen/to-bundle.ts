import type { Compaction } from '../../../domain/compaction/compaction.ts';
import { newUuid } from '../../../domain/ids.ts';
import { countTokens } from '../../../domain/language/count-tokens.ts';
import type { ContextMemory } from '../../../domain/memories/scored-memory.ts';
import type { SubjectIds } from '../../../domain/tenancy/access.ts';
import { decisionsOf } from '../compactions.ts';
import { withoutIdPrefix } from '../fields.ts';
import { memoryBucketOf, temporalCategory } from '../items.ts';
import type { StreamResponse } from './protocol.ts';

/** The library keeps a bundle for half an hour, and cannot be told that a memory ended: it is sent little. */
const itemsAtMost = 8;

/** The subject of a bundle, and the conversation in which it was requested. */
export interface Addressee extends SubjectIds {
  readonly conversationId?: string | undefined;
}

/** A memory of a fetch or of a stream. */
export type PushedMemory = Omit<ContextMemory, 'relevance'>;

/** Memories for whoever they are addressed to, the best first; null: there are none. */
export function toBundle(memories: readonly PushedMemory[], to: Addressee): StreamResponse | null {
  const first = memories.slice(0, itemsAtMost);
  if (!first.length) return null;
  const itemsByType: Record<string, { items: object[] }> = {};
  for (const memory of first) (itemsByType[memoryBucketOf(memory)] ??= { items: [] }).items.push(toItem(memory));
  return {
    contextBundle: {
      bundleId: newUuid(),
      itemsByType,
      totalTokens: first.reduce((sum, { content }) => sum + countTokens(content), 0),
      retrievalMode: 'accurate',
      sourcesQueried: ['vector'],
      degradationLevel: 'none',
      createdAt: new Date().toISOString(),
      ...addressed(to),
      bundleType: 'anticipation',
    },
  };
}

const addressed = ({ userId = '', customerId = '', conversationId = '' }: Addressee) => ({
  anticipationUserId: userId,
  anticipationCustomerId: customerId,
  anticipationConversationId: conversationId,
});

const toItem = (memory: PushedMemory) => ({
  itemId: memory.uuid,
  content: memory.content,
  contextType: memoryBucketOf(memory),
  source: 'vector',
  similarityScore: memory.score,
  relevanceScore: memory.score,
  confidence: memory.confidence,
  scope: memory.scope.toLowerCase(),
  entityId: memory.userId ?? memory.customerId ?? '',
  createdAt: memory.createdAt.toISOString(),
  eventDate: memory.eventStart?.toISOString() ?? '',
  validUntil: memory.validUntil?.toISOString() ?? '',
  temporalCategory: temporalCategory(memory),
  temporalConfidence: memory.confidence,
  saidAt: memory.validFrom.toISOString(),
  rankScore: memory.score,
});

/**
 * A conversation was condensed. `lastTurnAt`: when its last covered turn was said; the library drops those before. Later
 * releases count by `messageCount` which turns they lack.
 */
export const toCompactionUpdate = (
  compaction: Compaction,
  to: Addressee,
  { lastTurnAt, messageCount }: { lastTurnAt: Date; messageCount: number },
): StreamResponse => ({
  contextBundle: {
    bundleId: withoutIdPrefix('compaction', compaction.id),
    createdAt: compaction.createdAt.toISOString(),
    ...addressed(to),
    bundleType: 'compaction_update',
    conversationContext: {
      summary: compaction.narrative || compaction.systemPrompt,
      currentStateJson: '{}',
      keyExtractionsJson: JSON.stringify(extractions(compaction)),
      compactionId: withoutIdPrefix('compaction', compaction.id),
      compactedAt: lastTurnAt.toISOString(),
      conversationId: to.conversationId ?? compaction.conversationId,
      compactedMessageCount: Math.min(compaction.throughTurn + 1, messageCount),
      totalMessageCount: messageCount,
      contextBlock: compaction.systemPrompt,
    },
  },
});

function extractions(compaction: Compaction) {
  const of = (wanted: string) =>
    compaction.memories.filter(({ type }) => type === wanted).map(({ content, memoryId: id }) => ({ id, content }));
  return { facts: of('facts'), preferences: of('preferences'), decisions: decisionsOf(compaction) };
}
