import { z } from 'zod';
import { memoryTypes } from '../../domain/memory-types.ts';
import { contextSources } from '../../domain/context/context.ts';
import { mergeReasons, reviewStatuses } from '../../domain/entities/entity.ts';
import { provenances } from '../../domain/extraction/provenance.ts';
import { ingestionStatuses, ingestionStages } from '../../domain/ingestion/ingestion.ts';
import { memoryStatuses } from '../../domain/memories/memory.ts';
import { scopes } from '../../domain/tenancy/access.ts';
import { answerSchema, isoTimeField, pageFieldsOf } from './fields.ts';

/** Response records; `present.ts` fills them. */

const ids = z.array(z.string());

export const MemoryRecord = answerSchema('Memory', {
  id: z.string(),
  type: z.enum(memoryTypes),
  category: z.string(),
  content: z.string(),
  confidence: z.number().meta({
    description:
      '0 to 1: how probably it is worth remembering; more when several documents say it. 1 for episodes and `verbatim` records.',
  }),
  provenance: z.enum(provenances).meta({
    description:
      'Who said it. `user`: a person, in a conversation or a note. `assistant`, `tool`: a machine that took part. ' +
      '`document`: a text that was handed over. `import`: an administrator. Set by the service alone; a correction keeps it.',
  }),
  scope: z.enum(scopes),
  user_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  entities: z.array(z.object({ entity_id: z.string(), name: z.string(), kind: z.string() })),
  event_start: isoTimeField().nullable(),
  event_end: isoTimeField().nullable(),
  event_precision: z.string().nullable(),
  due_at: isoTimeField().nullable().meta({ description: 'When what it promises or tells of falls due.' }),
  valid_from: isoTimeField(),
  valid_until: isoTimeField().nullable(),
  superseded_by: z.string().nullable().meta({ description: 'The memory that replaced it.' }),
  superseded_reason: z.string().nullable(),
  possibly_outdated_by: z
    .string()
    .nullable()
    .meta({
      description:
        'A newer memory that may have replaced it: confirm or reject that. Null: none, or it was decided. In a fetched ' +
        'passage also what superseded a statement in it, which is settled.',
    }),
  evidence: z.array(
    z.object({
      document_id: z.string().meta({ description: 'Your own id of the document when you gave one.' }),
      turns: z.array(z.int()).meta({ description: 'Turns of the document as you sent it, from 0.' }),
      conversation_id: z
        .string()
        .optional()
        .meta({
          description:
            'Only where one memory is read, and its document was made of messages: their conversation, whose documents are ' +
            'stretches of it.',
        }),
      conversation_turns: z.array(z.int()).optional().meta({
        description:
          'These turns by their numbers in the conversation, for `turns` of `GET /v1/conversations/{conversation_id}`.',
      }),
      quote: z.string(),
    }),
  ),
  created_at: isoTimeField(),
  last_accessed_at: isoTimeField().nullable(),
  access_count: z.int(),
  expires_at: isoTimeField().nullable(),
  status: z.enum(memoryStatuses),
  config_version: z.int().meta({ description: 'The version of the configuration that made it.' }),
  metadata: z.record(z.string(), z.unknown()).nullable(),
});

export const FetchedMemoryRecord = answerSchema('FetchedMemory', {
  ...MemoryRecord.shape,
  relevance: z.number().meta({
    description: 'How probably the query needs it, 0 to 1; comparable across answers and modes.',
  }),
  score: z.number().meta({
    description: 'Orders one answer: the log-odds of `relevance`, at most the score of `possibly_outdated_by`.',
  }),
  score_parts: z
    .record(z.string(), z.number())
    .optional()
    .meta({ description: 'With `explain`: the terms that add up to `score`.' }),
});

export const MemoryPage = answerSchema('MemoryPage', pageFieldsOf(MemoryRecord));

export const AcceptedRecord = answerSchema('AcceptedIngestion', {
  ingestion_id: z.string(),
  document_id: z.string(),
  status: z.enum(ingestionStatuses),
  queued_at: isoTimeField(),
});

export const IngestionRecord = answerSchema('Ingestion', {
  ...AcceptedRecord.shape,
  stage: z.enum(ingestionStages).nullable().meta({ description: 'The stage under way.' }),
  started_at: isoTimeField().nullable(),
  completed_at: isoTimeField().nullable(),
  memories_created: z.int(),
  memory_ids: ids,
  discarded: z.int().meta({
    description:
      'Turns and statements that were left out: small talk, repetitions within the document or of what is known, empty ' +
      'ones, of an excluded kind, or below the confidence threshold. A long document repeats much.',
  }),
  warnings: ids,
  error: z.string().nullable(),
});

export const BatchRecord = answerSchema('Batch', {
  batch_id: z.string(),
  total: z.int(),
  succeeded: z.int().meta({ description: 'Accepted, and not failed since.' }),
  failed: z.int().meta({ description: 'Refused, or failed since.' }),
  results: z.array(
    z.object({
      index: z.int().meta({ description: 'Its place in `documents`, from 0.' }),
      ingestion_id: z.string().nullable(),
      document_id: z.string().nullable(),
      status: z.enum([...ingestionStatuses, 'refused']),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
});

export const ReceiptRecord = answerSchema('DeletionReceipt', {
  receipt_id: z.string(),
  requested_at: isoTimeField('When the deletion was requested.'),
  memory_ids: ids,
  document_ids: ids,
  removed: z
    .object({
      rows: z.int(),
      vectors: z.int(),
      terms: z.int(),
      graph_links: z.int(),
      prefetched_contexts: z.int(),
      compactions: z.int(),
      turns: z.int(),
    })
    .meta({ description: 'How much was removed from each store.' }),
  remaining: z
    .object({ rows: z.int(), vectors: z.int(), terms: z.int(), graph_links: z.int() })
    .meta({ description: 'What each store still held when it was read back afterwards.' }),
  also_stated_in: z.object({ memory_ids: ids, document_ids: ids }).meta({
    description:
      'Other memories that cite the same turns, whatever they say, and documents that hold these; `cascade=evidence` removes those memories and the words of the turns too.',
  }),
  pending: ids.meta({
    description:
      'Stores that were down, or not verified yet because the service stopped; their contents are already unreachable.',
  }),
});

export const EntityRecord = answerSchema('Entity', {
  entity_id: z.string(),
  name: z.string(),
  kind: z.string(),
  aliases: ids,
  scope: z.enum(scopes),
  customer_id: z.string().nullable(),
  user_id: z.string().nullable(),
  mentions: z.int().meta({ description: 'Memories that mention it.' }),
  created_at: isoTimeField(),
});

export const EntityPage = answerSchema('EntityPage', pageFieldsOf(EntityRecord));

export const InstanceRecord = answerSchema('Instance', {
  instance_id: z.string(),
  name: z.string(),
  region: z.string(),
  active_version: z.int().meta({ description: 'The version of the configuration in force.' }),
  created_at: isoTimeField(),
  embedding: z.object({
    model: z.string().meta({ description: 'By which memories are found; `none`: by their words alone.' }),
    reembedding: z
      .object({
        model: z.string().meta({ description: 'The model to come.' }),
        done: z.int().meta({ description: 'Memories that have their new vector.' }),
        total: z.int(),
        started_at: isoTimeField(),
      })
      .nullable()
      .meta({ description: 'A change of the model; searches go on with the former one until it is done.' }),
  }),
});

const features = z
  .array(z.object({ name: z.string(), value: z.number(), weight: z.number() }))
  .meta({ description: 'What the score is made of; the weights are log-odds, above 0 for one entity.' });
const score = z.number().nullable().meta({ description: '0 to 1; null where nobody had to guess.' });
const mentioned = z
  .array(
    z.object({
      memory_id: z.string(),
      name: z.string().meta({ description: 'As this memory has it.' }),
      document_id: z.string(),
      turns: z.array(z.int()),
      quote: z.string(),
    }),
  )
  .meta({ description: 'Memories that mention it, the newest first.' });

export const MergeRecord = answerSchema('Merge', {
  merge_id: z.string(),
  reason: z.enum(mergeReasons),
  score,
  features,
  source_entity_id: z.string(),
  target_entity_id: z.string(),
  created_at: isoTimeField(),
  undone_at: isoTimeField().nullable(),
});

export const EntityDetailRecord = answerSchema('EntityDetail', {
  ...EntityRecord.shape,
  evidence: mentioned,
  merges: z.array(MergeRecord).meta({ description: 'The merges it stands on, the newest first; each can be undone.' }),
});

export const MergeResultRecord = answerSchema('EntityMergeResult', { merge: MergeRecord, entity: EntityRecord });

export const UnmergeRecord = answerSchema('EntityUnmergeResult', {
  merge: MergeRecord,
  entities: z.array(EntityRecord).meta({ description: 'The source and the target, two again.' }),
});

export const SplitRecord = answerSchema('EntitySplitResult', {
  entity: EntityRecord.meta({ description: 'The entity that was split, with the mentions that stay with it.' }),
  new_entity: EntityRecord,
});

const side = z.object({ entity: EntityRecord, evidence: mentioned });

export const ReviewRecord = answerSchema('EntityMatchReview', {
  review_id: z.string(),
  status: z.enum(reviewStatuses),
  score,
  features,
  left: side,
  right: side,
  created_at: isoTimeField(),
});

export const ReviewPage = answerSchema('EntityMatchReviewPage', pageFieldsOf(ReviewRecord));

export const ContextRecord = answerSchema('Context', {
  memories: z.array(FetchedMemoryRecord).meta({ description: 'Best first.' }),
  prompt: z
    .string()
    .optional()
    .meta({
      description:
        'With `format: prompt`: the standing memories, then the relevant ones, each as data with its id and date. ' +
        'Empty when there is nothing to tell.',
    }),
  source: z.enum(contextSources),
  total_tokens: z.int().meta({ description: 'Tokens of the contents together.' }),
  budget_exceeded: z.boolean().meta({ description: 'Something that ranked was left out for the budget.' }),
  conversation_context: z
    .object({
      summary: z.string().nullable().meta({
        description: 'The newest compaction; null: there is none, or something in it was replaced since.',
      }),
      compaction_id: z.string().nullable().meta({ description: '`cmp_…`' }),
      recent_messages: z
        .array(z.object({ role: z.string(), content: z.string(), at: isoTimeField() }))
        .meta({ description: 'What was said last, oldest first: at most 10 messages of 1,000 tokens together.' }),
    })
    .optional()
    .meta({
      description: 'With a `conversation_id`: what the agent may have lost sight of. Not part of `total_tokens`.',
    }),
  warnings: ids.meta({
    description: 'What could not be searched, and whether nobody was named or the user was never seen.',
  }),
  correlation_id: z.string(),
});

export const ProblemRecord = answerSchema('Problem', {
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  correlation_id: z.string(),
});
