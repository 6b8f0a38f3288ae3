import type { z } from 'zod';
import type { StatisticsSummary } from '../../domain/metering/operation-statistics.ts';
import type { LatencyPoint, OperationTotal } from '../../domain/metering/read-latency.ts';
import type { Usage } from '../../domain/metering/read-usage.ts';
import type { LatencyPointRecord, OperationTotalRecord, UsageRecord } from './analytics-records.ts';

const presentFigures = ({ count, errors, items, discarded, superseded, ...took }: StatisticsSummary) => ({
  count,
  errors,
  items,
  discarded,
  superseded,
  p50: took.p50Ms,
  p90: took.p90Ms,
  p95: took.p95Ms,
  p99: took.p99Ms,
  max: took.maxMs,
});

export const presentPoint = ({ start, ...figures }: LatencyPoint): z.input<typeof LatencyPointRecord> => ({
  start: start.toISOString(),
  ...presentFigures(figures),
});

export const presentTotal = ({
  operation,
  variant,
  ...figures
}: OperationTotal): z.input<typeof OperationTotalRecord> => ({ operation, variant, ...presentFigures(figures) });

export const presentUsage = (usage: Usage): z.input<typeof UsageRecord> => ({
  month: usage.month.toISOString().slice(0, 7),
  api_calls: usage.apiCalls,
  admin_calls: usage.adminCalls,
  llm_tokens_in: usage.tokensIn,
  llm_tokens_out: usage.tokensOut,
  embedding_tokens: usage.embeddingTokens,
  tokens: usage.tokens.map(({ provider, purpose, isBackground, tokensIn, tokensOut }) => ({
    provider,
    purpose,
    background: isBackground,
    tokens_in: tokensIn,
    tokens_out: tokensOut,
  })),
  memories_peak: usage.memoriesPeak,
});
