import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { mapPage, pageOf, stretchOf, type Page, type PageRequest } from '../cursor.ts';
import { instanceIdOf, instanceNumber, instanceOfUuid, instanceUuid } from '../ids.ts';
import { behindSql, directionSql } from '../tenancy/keyset-store.ts';
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

/** The months of every instance of a client that used anything. */
export async function listUsage(sql: Sql, clientId: string, request: PageRequest): Promise<Page<MonthlyUsage>> {
  const stretch = stretchOf('usage', request);
  const { direction, after, limit } = stretch;
  const towards = directionSql(direction);
  const behind = after
    ? Prisma.sql`HAVING (date_trunc('month', u.day)::date, u.i) ${behindSql(direction)}
        (${dayOf(after.at)}::date, ${instanceNumber(instanceOfUuid(after.id))})`
    : Prisma.empty;
  const of = (metric: string) => Prisma.sql`coalesce(sum(u.count) FILTER (WHERE u.metric = ${metric}), 0)::bigint`;
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.*, coalesce(p.memories, 0) AS peak FROM (
      SELECT u.i, date_trunc('month', u.day)::date AS month, ${of('api_calls')} AS calls,
        ${of('llm_tokens_in')} AS "tokensIn", ${of('llm_tokens_out')} AS "tokensOut",
        ${of('embedding_tokens')} AS embedding
      FROM usage u JOIN instance n ON n.i = u.i WHERE n.client_id = ${clientId}
      GROUP BY u.i, date_trunc('month', u.day)::date ${behind}
      ORDER BY month ${towards}, u.i ${towards} LIMIT ${limit}
    ) AS m LEFT JOIN storage_peak p ON p.i = m.i AND p.month = m.month
    ORDER BY m.month ${towards}, m.i ${towards}`;
  return mapPage(
    pageOf(rows, stretch, ({ i, month }) => ({ at: month, id: instanceUuid(instanceIdOf(i)) })),
    shown,
  );
}

/** One metric of one instance on one day (UTC). */
export interface DailyCount {
  readonly day: Date;
  readonly metric: string;
  readonly count: number;
}

/** The metrics of the instance that begin so, of the days from `from` to `to`, both included; oldest day first. */
export async function readDailyCounts(
  sql: Sql,
  { i }: Access,
  { prefix, from, to }: { prefix: string; from: Date; to: Date },
): Promise<DailyCount[]> {
  const [first, last] = [from, to].map(dayOf);
  const rows = await sql.$queryRaw<{ day: Date; metric: string; count: bigint }[]>`
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
