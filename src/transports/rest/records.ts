import { z } from 'zod';
import { memoryTypes } from '../../domain/memory-types.ts';
import { contextSources } from '../../domain/context/context.ts';
import { mergeReasons, reviewStatuses } from '../../domain/entities/entity.ts';
import { provenances } from '../../domain/extraction/provenance.ts';
import { ingestionStatuses, ingestionStages } from '../../domain/ingestion/ingestion.ts';
import { memoryStatuses } from '../../domain/memories/memory.ts';
import { scopes } from '../../domain/tenancy/access.ts';
import { namedAnswerSchemas, isoTimeField, pageSchemaOf } from './fields.ts';

/** Response records; `present.ts` fills them. */

const ids = z.array(z.string());

export const MemoryRecord = z.object({
  id: z.string(),
  type: z.enum(memoryTypes),
  category: z.string(),
  content: z.string(),
  confidence: z.number().meta({
    description: '0 to 1: how often what is found so is right; more when several documents say it.',
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
  possibly_outdated_by: z.string().nullable().meta({
    description: 'A newer memory that may have replaced it: confirm or reject that. Null: none, or it was decided.',
  }),
  evidence: z.array(
    z.object({
      document_id: z.string().meta({ description: 'Your own id of the document when you gave one.' }),
      turns: z.array(z.int()).meta({ description: 'Turns of the document as you sent it, from 0.' }),
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
namedAnswerSchemas.add(MemoryRecord, { id: 'Memory' });

export const FetchedMemoryRecord = MemoryRecord.extend({
  relevance: z.number().meta({
    description: 'How probably the query needs it, 0 to 1; comparable across answers and modes.',
  }),
  score: z.number().meta({
    description: 'Orders one answer: the log-odds of `relevance`, at most the score of `possibly_outdated_by`.',
  }),
  score_parts: z
    .record(z.string(), z.number())
    .optional()
    .meta({ description: 'With `explain`: what the score is the sum of.' }),
});
namedAnswerSchemas.add(FetchedMemoryRecord, { id: 'FetchedMemory' });

export const MemoryPage = pageSchemaOf(MemoryRecord);
namedAnswerSchemas.add(MemoryPage, { id: 'MemoryPage' });

export const AcceptedRecord = z.object({
  ingestion_id: z.string(),
  document_id: z.string(),
  status: z.enum(ingestionStatuses),
  queued_at: isoTimeField(),
});
namedAnswerSchemas.add(AcceptedRecord, { id: 'Accepted' });

export const IngestionRecord = AcceptedRecord.extend({
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
namedAnswerSchemas.add(IngestionRecord, { id: 'Ingestion' });

export const BatchRecord = z.object({
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
namedAnswerSchemas.add(BatchRecord, { id: 'Batch' });

export const ReceiptRecord = z.object({
  receipt_id: z.string(),
  deleted_at: isoTimeField(),
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
      'Stores that were down, or, where the service stopped meanwhile, not read back yet; what they hold is unreachable already.',
  }),
});
namedAnswerSchemas.add(ReceiptRecord, { id: 'Receipt' });

export const EntityRecord = z.object({
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
namedAnswerSchemas.add(EntityRecord, { id: 'Entity' });

export const EntityPage = pageSchemaOf(EntityRecord);
namedAnswerSchemas.add(EntityPage, { id: 'EntityPage' });

export const InstanceRecord = z.object({
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
namedAnswerSchemas.add(InstanceRecord, { id: 'Instance' });

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

export const MergeRecord = z.object({
  merge_id: z.string(),
  reason: z.enum(mergeReasons),
  score,
  features,
  source_entity_id: z.string(),
  target_entity_id: z.string(),
  created_at: isoTimeField(),
  undone_at: isoTimeField().nullable(),
});
namedAnswerSchemas.add(MergeRecord, { id: 'Merge' });

export const EntityDetailRecord = EntityRecord.extend({
  evidence: mentioned,
  merges: z.array(MergeRecord).meta({ description: 'The merges it stands on, the newest first; each can be undone.' }),
});
namedAnswerSchemas.add(EntityDetailRecord, { id: 'EntityDetail' });

export const MergeResultRecord = z.object({ merge: MergeRecord, entity: EntityRecord });
namedAnswerSchemas.add(MergeResultRecord, { id: 'Merged' });

export const UnmergeRecord = z.object({
  merge: MergeRecord,
  entities: z.array(EntityRecord).meta({ description: 'The source and the target, two again.' }),
});
namedAnswerSchemas.add(UnmergeRecord, { id: 'Unmerged' });

export const SplitRecord = z.object({
  entity: EntityRecord.meta({ description: 'What is left of it.' }),
  new_entity: EntityRecord,
});
namedAnswerSchemas.add(SplitRecord, { id: 'Divided' });

const side = z.object({ entity: EntityRecord, evidence: mentioned });

export const ReviewRecord = z.object({
  review_id: z.string(),
  status: z.enum(reviewStatuses),
  score,
  features,
  left: side,
  right: side,
  created_at: isoTimeField(),
});
namedAnswerSchemas.add(ReviewRecord, { id: 'Review' });

export const ReviewPage = pageSchemaOf(ReviewRecord);
namedAnswerSchemas.add(ReviewPage, { id: 'ReviewPage' });

export const ContextRecord = z.object({
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
namedAnswerSchemas.add(ContextRecord, { id: 'Context' });

const ProblemRecord = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  correlation_id: z.string(),
});
namedAnswerSchemas.add(ProblemRecord, { id: 'Problem' });
