import type { LatencyPoint } from '../../domain/metering/read-latency.ts';
import type { Usage } from '../../domain/metering/read-usage.ts';
import type { LatencyPointRecord, UsageRecord } from './analytics-records.ts';
import type { Wire } from '../http/wire.ts';

export const presentPoint = ({ start, ...figures }: LatencyPoint): Wire<typeof LatencyPointRecord> => ({
  start: start.toISOString(),
  ...figures,
});

export const presentUsage = (usage: Usage): Wire<typeof UsageRecord> => ({
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
