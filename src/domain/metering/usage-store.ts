import type { Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { pageOf, placeOf, type Page, type PageRequest } from '../cursor.ts';
import { instanceIdOf, instanceNumber, instanceOfUuid, instanceUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { dayOf } from './store.ts';

/** What one instance used in one calendar month (UTC). */
export interface MonthlyUsage {
  readonly instanceId: string;
  /** Its first day. */
  readonly month: Date;
  readonly apiCalls: number;
  /** Of language models, by the provider's own figures. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly embeddingTokens: number;
  /** The most memories that it held at a time. */
  readonly memoriesPeak: number;
}

interface Row {
  readonly i: bigint;
  readonly month: Date;
  readonly calls: bigint;
  readonly tokensIn: bigint;
  readonly tokensOut: bigint;
  readonly embedding: bigint;
  readonly peak: number;
}

/** Of every instance of a client that used anything, newest month first. */
export async function listUsage(tx: Tx, clientId: string, { limit, cursor }: PageRequest): Promise<Page<MonthlyUsage>> {
  const after = cursor ? placeOf(cursor) : undefined;
  const behind = after
    ? Prisma.sql`HAVING (date_trunc('month', u.day)::date, u.i) <
        (${dayOf(after.at)}::date, ${instanceNumber(instanceOfUuid(after.id))})`
    : Prisma.empty;
  const of = (metric: string) => Prisma.sql`coalesce(sum(u.count) FILTER (WHERE u.metric = ${metric}), 0)::bigint`;
  const rows = await tx.$queryRaw<Row[]>`
    SELECT m.*, coalesce(p.memories, 0) AS peak FROM (
      SELECT u.i, date_trunc('month', u.day)::date AS month, ${of('api_calls')} AS calls,
        ${of('llm_tokens_in')} AS "tokensIn", ${of('llm_tokens_out')} AS "tokensOut",
        ${of('embedding_tokens')} AS embedding
      FROM usage u JOIN instance n ON n.i = u.i WHERE n.client_id = ${clientId}
      GROUP BY u.i, date_trunc('month', u.day)::date ${behind}
      ORDER BY month DESC, u.i DESC LIMIT ${limit + 1}
    ) AS m LEFT JOIN storage_peak p ON p.i = m.i AND p.month = m.month
    ORDER BY m.month DESC, m.i DESC`;
  const page = pageOf(rows, limit, ({ i, month }) => ({ at: month, id: instanceUuid(instanceIdOf(i)) }));
  return { ...page, data: page.data.map(shown) };
}

/** One metric of one instance on one day (UTC). */
export interface DailyCount {
  readonly day: Date;
  readonly metric: string;
  readonly count: number;
}

/** The metrics of the instance that begin so, of the days from `from` to `to`, both included; oldest day first. */
export async function readDailyCounts(
  tx: Tx,
  { i }: Access,
  { prefix, from, to }: { prefix: string; from: Date; to: Date },
): Promise<DailyCount[]> {
  const [first, last] = [from, to].map(dayOf);
  const rows = await tx.$queryRaw<{ day: Date; metric: string; count: bigint }[]>`
    SELECT day, metric, count FROM usage
    WHERE day BETWEEN ${first}::date AND ${last}::date AND starts_with(metric, ${prefix}) AND i = ${i}
    ORDER BY day, metric`;
  return rows.map(({ day, metric, count }) => ({ day, metric, count: Number(count) }));
}

const shown = (row: Row): MonthlyUsage => ({
  instanceId: instanceIdOf(row.i),
  month: row.month,
  apiCalls: Number(row.calls),
  tokensIn: Number(row.tokensIn),
  tokensOut: Number(row.tokensOut),
  embeddingTokens: Number(row.embedding),
  memoriesPeak: row.peak,
});
