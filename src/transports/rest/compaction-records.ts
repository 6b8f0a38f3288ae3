import { z } from 'zod';
import { compactionStrategies } from '../../domain/configurations/configuration.ts';
import { memoryTypes } from '../../domain/memory-types.ts';
import { pinKinds } from '../../domain/compaction/compaction.ts';
import { answerSchema, isoTimeField, pageFieldsOf } from './fields.ts';

const turns = z
  .array(z.int())
  .meta({ description: 'Numbers of the turns in which it was said, for `GET /v1/conversations/{id}?turns=`.' });

const Extractions = z
  .object({
    pins: z
      .array(
        z.object({
          kind: z.enum(pinKinds),
          text: z.string(),
          turns,
          speaker: z.string().nullable().meta({ description: 'Null: the user.' }),
          memory_id: z.string().nullable(),
        }),
      )
      .meta({ description: 'What is kept word for word.' }),
    memories: z
      .array(
        z.object({
          memory_id: z.string(),
          type: z.enum(memoryTypes),
          category: z.string(),
          content: z.string(),
          turns,
        }),
      )
      .meta({ description: 'What was remembered of the conversation when this version was made.' }),
  })
  .meta({ description: 'With `full`.' });

export const CompactionRecord = answerSchema('Compaction', {
  compaction_id: z.string().meta({ description: '`cmp_…`' }),
  conversation_id: z.string(),
  version: z.int().meta({ description: 'From 1.' }),
  strategy: z.enum(compactionStrategies),
  system_prompt: z.string().optional().meta({ description: 'With `system_prompt`: a block for a prompt.' }),
  narrative: z
    .string()
    .optional()
    .meta({ description: 'With `full`: what was said, in order, by whom, pins included.' }),
  extractions: Extractions.optional(),
  original_tokens: z.int(),
  compacted_tokens: z.int().meta({ description: 'Tokens of `system_prompt`, also where that is not answered.' }),
  compression_ratio: z.number().meta({ description: '`compacted_tokens` for each of `original_tokens`.' }),
  validation_score: z.number().meta({ description: 'The share of extracted memories that the text contains, 0 to 1.' }),
  quality_warning: z.string().nullable(),
  through_turn: z.int().meta({ description: 'The last turn that it covers.' }),
  extends_previous: z
    .boolean()
    .meta({ description: 'Whether its text begins with that of the previous version, byte for byte.' }),
  created_at: isoTimeField(),
});

export const CompactionPage = answerSchema('CompactionPage', pageFieldsOf(CompactionRecord));

export const QueuedCompactionRecord = answerSchema('QueuedCompaction', {
  conversation_id: z.string(),
  status: z.literal('queued'),
});
