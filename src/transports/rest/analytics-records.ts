import { z } from 'zod';
import { timeBucketNames, operationNames } from '../../domain/metering/operations.ts';
import { tokenPurposeNames } from '../../domain/metering/purposes.ts';
import { answerSchema, isoTimeField } from './fields.ts';

const ms = (of: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${of}, in milliseconds. Null: none succeeded.` });

const figures = {
  count: z.int().meta({ description: 'Calls, also those that failed.' }),
  errors: z.int().meta({ description: 'Calls that ended with an error, refusals too.' }),
  items: z
    .int()
    .meta({ description: 'Memories that were returned by fetches, sent by streams, or stored by ingestions.' }),
  discarded: z.int().meta({ description: 'What ingestions did not keep: candidates and turns.' }),
  superseded: z.int().meta({ description: 'Memories that ingestions ended by a newer value.' }),
  p50: ms('What half of the calls did not exceed'),
  p90: ms('What 90 of 100 calls did not exceed'),
  p95: ms('What 95 of 100 calls did not exceed'),
  p99: ms('What 99 of 100 calls did not exceed'),
  max: ms('The longest'),
};

const variant = z
  .string()
  .meta({ description: 'See `GET /v1/analytics/latency`. Empty: it failed before that was known.' });

export const LatencyPointRecord = answerSchema('LatencyPoint', {
  start: isoTimeField('The start of the minute, hour or day.'),
  ...figures,
});

export const LatencyRecord = answerSchema('Latency', {
  operation: z.enum(operationNames),
  variant: z.string().nullable().meta({ description: 'As it was asked for; null: of all variants.' }),
  bucket: z.enum(timeBucketNames),
  series: z.array(LatencyPointRecord).meta({ description: 'Oldest first.' }),
});

export const OperationTotalRecord = answerSchema('OperationTotal', {
  operation: z.enum(operationNames),
  variant,
  ...figures,
});

export const OperationsRecord = answerSchema('Operations', { data: z.array(OperationTotalRecord) });

const TokenUseRecord = answerSchema('TokenUse', {
  provider: z.string().meta({ description: 'As configurations name it; `unknown`: from before it was noted.' }),
  purpose: z.enum(tokenPurposeNames).meta({
    description:
      'Language models: `extraction`, `compaction`, `configuration` (of a use-case file). Embedding models: `indexing` of new ' +
      'memories, `re-embedding` when the model changes, `search`.',
  }),
  background: z
    .boolean()
    .meta({ description: 'Work that no caller waits for, or that a caller may leave to a worker.' }),
  tokens_in: z.int(),
  tokens_out: z.int(),
});

export const UsageRecord = answerSchema('Usage', {
  month: z.string().meta({ description: 'A calendar month in UTC, such as `2026-11`.' }),
  api_calls: z.int().meta({ description: 'Requests that were let in, those of administrators too.' }),
  admin_calls: z.int().meta({ description: 'How many of the API calls administrators made about this instance.' }),
  llm_tokens_in: z.int().meta({ description: 'Read by language models, by the figures of their providers.' }),
  llm_tokens_out: z.int().meta({ description: 'Written by language models.' }),
  embedding_tokens: z.int().meta({ description: 'Read by embedding models of providers; the built-in one is free.' }),
  tokens: z.array(TokenUseRecord).meta({ description: 'The tokens of the month by provider and purpose.' }),
  memories_peak: z.int().nullable().meta({
    description:
      'The most memories that were held at a time, sampled once a minute. Null for the whole deployment: the peaks of its instances are not added up.',
  }),
});
