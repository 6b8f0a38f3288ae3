import type { Context } from '../../domain/context/context.ts';
import type { ConversationTurns } from '../../domain/conversations/turn-store.ts';
import type { Page } from '../../domain/pagination.ts';
import type { Receipt } from '../../domain/erasure/receipt.ts';
import type { SplitResult, MergeResult, UnmergeResult } from '../../domain/entities/curate.ts';
import type { Entity, Merge, MentionEvidence, EntityMatchReview } from '../../domain/entities/entity.ts';
import { ingestionStages, type Batch, type BatchItem, type Ingestion } from '../../domain/ingestion/ingestion.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import type { EmbeddingState } from '../../domain/memories/reembed.ts';
import type { ContextMemory } from '../../domain/memories/scored-memory.ts';
import type { InstanceRecord } from '../../domain/tenancy/instance.ts';
import type * as records from './records.ts';
import type { Wire } from '../http/wire.ts';

const iso = (time: Date) => time.toISOString();
export const toIsoOrNull = (time: Date | null) => time && time.toISOString();

export const presentMemory = (memory: Memory): Wire<typeof records.MemoryRecord> => ({
  id: memory.id,
  type: memory.type,
  category: memory.category,
  content: memory.content,
  confidence: memory.confidence,
  provenance: memory.provenance,
  scope: memory.scope,
  user_id: memory.userId,
  customer_id: memory.customerId,
  entities: memory.entities.map(({ id, name, kind }) => ({ entity_id: id, name, kind })),
  event_start: toIsoOrNull(memory.eventStart),
  event_end: toIsoOrNull(memory.eventEnd),
  event_precision: memory.eventPrecision,
  due_at: toIsoOrNull(memory.dueAt),
  valid_from: iso(memory.validFrom),
  valid_until: toIsoOrNull(memory.validUntil),
  superseded_by: memory.supersededBy,
  superseded_reason: memory.supersededReason,
  possibly_outdated_by: memory.possiblyOutdatedBy,
  evidence: memory.evidence.map(({ documentId, turns, quote }) => ({
    document_id: documentId,
    turns,
    quote,
  })),
  created_at: iso(memory.createdAt),
  last_accessed_at: toIsoOrNull(memory.lastAccessedAt),
  access_count: memory.accessCount,
  expires_at: toIsoOrNull(memory.expiresAt),
  status: memory.status,
  config_version: memory.configurationVersion,
  metadata: memory.metadata,
});

/** `found`: where in conversations each of its evidence was said. */
export function presentMemoryInConversations(
  memory: Memory,
  found: readonly (ConversationTurns | null)[],
): Wire<typeof records.MemoryRecord> {
  const presented = presentMemory(memory);
  const evidence = presented.evidence.map((each, n) => {
    const said = found[n];
    return said ? { ...each, conversation_id: said.conversationId, conversation_turns: said.turns } : each;
  });
  return { ...presented, evidence };
}

const presentFetched = (memory: ContextMemory): Wire<typeof records.FetchedMemoryRecord> => ({
  ...presentMemory(memory),
  relevance: memory.relevance,
  score: memory.score,
  ...(memory.parts ? { score_parts: memory.parts } : {}),
});

type WithoutMemories = Omit<Wire<typeof records.ContextRecord>, 'memories'>;

const presentWithoutMemories = (context: Context, correlationId: string): WithoutMemories => ({
  ...(context.prompt === undefined ? {} : { prompt: context.prompt }),
  source: context.source,
  total_tokens: context.totalTokens,
  budget_exceeded: context.budgetExceeded,
  ...(context.recentMessages
    ? {
        conversation_context: {
          summary: context.summary?.text ?? null,
          compaction_id: context.summary?.compactionId ?? null,
          recent_messages: context.recentMessages.map(({ role, content, at }) => ({ role, content, at: iso(at) })),
        },
      }
    : {}),
  warnings: context.warnings,
  correlation_id: correlationId,
});

/** The record of a context as JSON. A prefetched context is answered more than once: its memories are written once. */
export function writeContextJson(context: Context, correlationId: string): string {
  const rest = JSON.stringify(presentWithoutMemories(context, correlationId)).slice(1);
  return writtenMemories(context) + rest;
}

const written = new WeakMap<Context['memories'], string>();

function writtenMemories({ memories, source }: Context): string {
  const existing = written.get(memories);
  if (existing) return existing;
  const text = `{"memories":${JSON.stringify(memories.map(presentFetched))},`;
  if (source === 'anticipation') written.set(memories, text);
  return text;
}

export const presentAccepted = (ingestion: Ingestion): Wire<typeof records.AcceptedRecord> => ({
  ingestion_id: ingestion.id,
  document_id: ingestion.documentId,
  status: ingestion.status,
  queued_at: iso(ingestion.queuedAt),
});

export const presentIngestion = (ingestion: Ingestion): Wire<typeof records.IngestionRecord> => ({
  ...presentAccepted(ingestion),
  stage: ingestionStages.find((stage) => stage === ingestion.status) ?? null,
  started_at: toIsoOrNull(ingestion.startedAt),
  completed_at: toIsoOrNull(ingestion.completedAt),
  memories_created: ingestion.memoryIds.length,
  memory_ids: ingestion.memoryIds,
  discarded: ingestion.discarded,
  warnings: ingestion.warnings,
  error: ingestion.error,
});

export function presentBatch(batch: Batch): Wire<typeof records.BatchRecord> {
  const failed = batch.results.filter(({ ingestion }) => !ingestion || ingestion.status === 'failed').length;
  const results = batch.results.map(presentBatchItem);
  return { batch_id: batch.id, total: batch.total, succeeded: batch.total - failed, failed, results };
}

const presentBatchItem = ({ index, ingestion, error }: BatchItem) => ({
  index,
  ingestion_id: ingestion?.id ?? null,
  document_id: ingestion?.documentId ?? null,
  status: ingestion?.status ?? ('refused' as const),
  error,
});

export const presentReceipt = ({ removed, remaining, ...receipt }: Receipt): Wire<typeof records.ReceiptRecord> => ({
  receipt_id: receipt.id,
  requested_at: iso(receipt.deletedAt),
  memory_ids: receipt.memoryIds,
  document_ids: receipt.documentIds,
  removed: {
    rows: removed.rows,
    vectors: removed.vectors,
    terms: removed.terms,
    graph_links: removed.graphLinks,
    prefetched_contexts: removed.prefetchedContexts,
    compactions: removed.compactions,
    turns: removed.turns,
  },
  remaining: {
    rows: remaining.rows,
    vectors: remaining.vectors,
    terms: remaining.terms,
    graph_links: remaining.graphLinks,
  },
  also_stated_in: {
    memory_ids: receipt.alsoStatedIn.memoryIds,
    document_ids: receipt.alsoStatedIn.documentIds,
  },
  pending: receipt.pending,
});

export const presentEntity = (entity: Entity): Wire<typeof records.EntityRecord> => ({
  entity_id: entity.id,
  name: entity.name,
  kind: entity.kind,
  aliases: entity.aliases,
  scope: entity.scope,
  customer_id: entity.customerId,
  user_id: entity.userId,
  mentions: entity.mentions,
  created_at: iso(entity.createdAt),
});

export const presentInstance = (
  { id, name, region, activeVersion, createdAt }: InstanceRecord,
  { model, reembedding }: EmbeddingState,
): Wire<typeof records.InstanceRecord> => ({
  instance_id: id,
  name,
  region,
  active_version: activeVersion,
  created_at: iso(createdAt),
  embedding: {
    model,
    reembedding: reembedding && {
      model: reembedding.model,
      done: reembedding.done,
      total: reembedding.total,
      started_at: iso(reembedding.startedAt),
    },
  },
});

const presentMentions = (evidence: readonly MentionEvidence[]) =>
  evidence.map(({ memoryId, name, documentId, turns, quote }) => ({
    memory_id: memoryId,
    name,
    document_id: documentId,
    turns,
    quote,
  }));

const presentMerge = (merge: Merge): Wire<typeof records.MergeRecord> => ({
  merge_id: merge.id,
  reason: merge.reason,
  score: merge.score,
  features: merge.features,
  source_entity_id: merge.sourceEntityId,
  target_entity_id: merge.targetEntityId,
  created_at: iso(merge.createdAt),
  undone_at: toIsoOrNull(merge.undoneAt),
});

export const presentEntityDetail = (
  entity: Entity & { evidence: readonly MentionEvidence[]; merges: readonly Merge[] },
): Wire<typeof records.EntityDetailRecord> => ({
  ...presentEntity(entity),
  evidence: presentMentions(entity.evidence),
  merges: entity.merges.map(presentMerge),
});

export const presentMergeResult = ({ merge, entity }: MergeResult): Wire<typeof records.MergeResultRecord> => ({
  merge: presentMerge(merge),
  entity: presentEntity(entity),
});

export const presentUnmergeResult = ({ merge, entities }: UnmergeResult): Wire<typeof records.UnmergeRecord> => ({
  merge: presentMerge(merge),
  entities: entities.map(presentEntity),
});

export const presentSplit = ({ entity, newEntity }: SplitResult): Wire<typeof records.SplitRecord> => ({
  entity: presentEntity(entity),
  new_entity: presentEntity(newEntity),
});

export const presentReview = ({
  id,
  left,
  right,
  features,
  ...review
}: EntityMatchReview): Wire<typeof records.ReviewRecord> => ({
  review_id: id,
  status: review.status,
  score: review.score,
  features,
  left: { entity: presentEntity(left.entity), evidence: presentMentions(left.evidence) },
  right: { entity: presentEntity(right.entity), evidence: presentMentions(right.evidence) },
  created_at: iso(review.createdAt),
});

export const presentPage = <T, R>({ data, nextCursor }: Page<T>, present: (record: T) => R) => ({
  data: data.map(present),
  next_cursor: nextCursor,
});
