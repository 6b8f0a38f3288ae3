import type { Command } from 'commander';
import type { z } from 'zod';
import { operations as measuredOperations } from '../domain/metering/operations.ts';
import type { InstanceStatsRecord } from '../transports/rest/admin/records.ts';
import type { OperationsRecord, UsageRecord } from '../transports/rest/analytics-records.ts';
import { toQueryString } from './api.ts';
import type { RunCommand } from './command-session.ts';
import { formatTable } from './table.ts';

type Usage = z.output<typeof UsageRecord>;
type Stats = z.output<typeof InstanceStatsRecord>;
type Operations = z.output<typeof OperationsRecord>;

/** How much an instance holds, and how much it was used. */
export function addUsageCommands(program: Command, run: RunCommand): void {
  program
    .command('usage')
    .description('API calls, tokens by provider and purpose, and the most memories that the instance held in a month')
    .option('--month <month>', 'such as 2026-11; the present one without it')
    .action(({ month }: { month?: string }) =>
      run(async ({ agent, tell }) => {
        const usage = await agent.get<Usage>(`/v1/analytics/usage${toQueryString({ month })}`);
        tell(usage, () => usageInWords(usage));
      }),
    );
  program
    .command('stats')
    .description('how much the instance holds, and how long its calls took in the last 24 hours')
    .action(() =>
      run(async ({ admin, agent, tell, instance }) => {
        const stats = await admin.get<Stats>(`/instances/${encodeURIComponent(await instance())}/stats`);
        const { data: operations } = await agent.get<Operations>('/v1/analytics/operations');
        tell({ ...stats, operations }, () => `${statsInWords(stats)}\n\n${operationsInWords(operations)}`);
      }),
    );
}

function usageInWords(usage: Usage): string {
  const counts = {
    'API calls': usage.api_calls,
    'of these by administrators': usage.admin_calls,
    'tokens read by language models': usage.llm_tokens_in,
    'tokens written by language models': usage.llm_tokens_out,
    'tokens read by embedding models': usage.embedding_tokens,
    'most memories at a time': usage.memories_peak,
  };
  const tokens = usage.tokens.map((each) => ({
    provider: each.provider,
    purpose: each.purpose,
    'tokens in': each.tokens_in,
    'tokens out': each.tokens_out,
  }));
  return [
    formatTable(Object.entries(counts).map(([what, count]) => ({ [usage.month]: what, 'how much': count }))),
    ...(tokens.length ? ['', formatTable(tokens)] : []),
  ].join('\n');
}

const statsInWords = (stats: Stats): string =>
  formatTable(
    Object.entries(stats).map(([name, value]) => ({ what: name.replaceAll('_', ' '), 'how much': inWords(value) })),
  );

function operationsInWords(operations: Operations['data']): string {
  const table = formatTable(
    operations.map(({ operation, variant, count, errors, p50, p95 }) => ({
      call: operation,
      variant,
      count,
      failed: errors,
      'median ms': p50 && Math.round(p50),
      '95 of 100 ms': p95 && Math.round(p95),
    })),
    'Nothing was called in the last 24 hours.',
  );
  const called = [...new Set(operations.map(({ operation }) => operation))];
  const variants = called.map((each) => `The variant of ${each}: ${measuredOperations[each]}.`);
  return [table, ...variants].join('\n');
}

const inWords = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `${String(part)} ${name}`)
        .join(', ')
    : JSON.stringify(value ?? '-').replaceAll('"', '');
