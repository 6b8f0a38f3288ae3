import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { mapPageRecords, pageFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { instanceIdOf, instanceNumberOf, instanceIdFromUuid, instanceUuid } from '../ids.ts';
import { afterOperatorSql, directionSql } from '../tenancy/keyset-store.ts';
import type { Access } from '../tenancy/access.ts';
import { tokenPurposes, tokenPurposeNames, type TokenPurpose } from './purposes.ts';
import { isoDayOf } from '../time.ts';

/** The usage of one instance in one calendar month (UTC). */
export interface MonthlyUsage {
  readonly instanceId: string;
  /** The first day of the month. */
  readonly month: Date;
  readonly apiCalls: number;
  /** Tokens of language models, by the provider's own figures. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly embeddingTokens: number;
  /** The most memories that it held at a time. */
  readonly memoriesPeak: number;
}

interface Row {
  readonly instanceNumber: bigint;
  readonly month: Date;
  readonly calls: bigint;
  readonly tokensIn: bigint;
  readonly tokensOut: bigint;
  readonly embedding: bigint;
  readonly peak: number;
}

/** The months of every instance of a client that used anything. */
export async function listUsage(sql: Sql, clientId: string, request: PageRequest): Promise<Page<MonthlyUsage>> {
  const keysetQuery = parsePageRequest('usage', request);
  const { direction, after, limit } = keysetQuery;
  const towards = directionSql(direction);
  const behind = after
    ? Prisma.sql`HAVING (date_trunc('month', u.day)::date, u.i) ${afterOperatorSql(direction)}
        (${isoDayOf(after.at)}::date, ${instanceNumberOf(instanceIdFromUuid(after.id))})`
    : Prisma.empty;
  const ofClient = inScope({ clientId });
  const embedding = tokenPurposeNames.filter((purpose) => tokenPurposes[purpose].model === 'embedding');
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.*, coalesce(p.memories, 0) AS peak FROM (
      SELECT u.i AS "instanceNumber", date_trunc('month', u.day)::date AS month, sum(u.calls)::bigint AS calls,
        sum(u.tokens_in)::bigint AS "tokensIn", sum(u.tokens_out)::bigint AS "tokensOut", sum(u.embedding)::bigint AS embedding
      FROM (
        SELECT i, day, CASE WHEN metric = 'api_calls' THEN count ELSE 0 END AS calls,
          0 AS tokens_in, 0 AS tokens_out, 0 AS embedding FROM usage WHERE ${ofClient}
        UNION ALL
        SELECT i, day, 0, CASE WHEN purpose = ANY(${embedding}::text[]) THEN 0 ELSE tokens_in END, tokens_out,
          CASE WHEN purpose = ANY(${embedding}::text[]) THEN tokens_in ELSE 0 END
        FROM token_usage WHERE ${ofClient}
      ) AS u
      GROUP BY u.i, date_trunc('month', u.day)::date ${behind}
      ORDER BY month ${towards}, u.i ${towards} LIMIT ${limit}
    ) AS m LEFT JOIN storage_peak p ON p.i = m."instanceNumber" AND p.month = m.month
    ORDER BY m.month ${towards}, m."instanceNumber" ${towards}`;
  return mapPageRecords(
    pageFromRows(rows, keysetQuery, ({ instanceNumber, month }) => ({
      at: month,
      id: instanceUuid(instanceIdOf(instanceNumber)),
    })),
    fromRow,
  );
}

/** The scope of a usage report: one instance, all of a client, or the whole deployment. */
export type UsageScope = { readonly instanceNumber: bigint } | { readonly clientId: string } | 'deployment';

/** The usage of a month, as rows have it. */
export interface UsageRow {
  readonly apiCalls: number;
  readonly adminCalls: number;
  readonly memoriesPeak: number | null;
  readonly tokens: readonly { provider: string; purpose: TokenPurpose; tokensIn: number; tokensOut: number }[];
}

export async function readUsage(sql: Sql, scope: UsageScope, month: Date): Promise<UsageRow> {
  const first = Prisma.sql`${isoDayOf(month)}::date`;
  const inMonth = Prisma.sql`day >= ${first} AND day < ${first} + interval '1 month' AND ${inScope(scope)}`;
  const [calls] = await sql.$queryRaw<{ all: number; admin: number }[]>`
    SELECT coalesce(sum(count) FILTER (WHERE metric = 'api_calls'), 0)::float8 AS all,
      coalesce(sum(count) FILTER (WHERE metric = 'admin_calls'), 0)::float8 AS admin
    FROM usage WHERE ${inMonth}`;
  const tokens = await sql.$queryRaw<UsageRow['tokens'][number][]>`
    SELECT provider, purpose, sum(tokens_in)::float8 AS "tokensIn", sum(tokens_out)::float8 AS "tokensOut"
    FROM token_usage WHERE ${inMonth} GROUP BY provider, purpose ORDER BY provider, purpose`;
  const memoriesPeak = await readPeak(sql, scope, month);
  return { apiCalls: calls!.all, adminCalls: calls!.admin, memoriesPeak, tokens };
}

function inScope(scope: UsageScope): Prisma.Sql {
  if (scope === 'deployment') return Prisma.sql`true`;
  if ('instanceNumber' in scope) return Prisma.sql`i = ${scope.instanceNumber}`;
  return Prisma.sql`i IN (SELECT n.i FROM instance n WHERE n.client_id = ${scope.clientId})`;
}

async function readPeak(sql: Sql, scope: UsageScope, month: Date): Promise<number | null> {
  if (scope === 'deployment') return null;
  const peak =
    'instanceNumber' in scope
      ? await sql.storagePeak.findUnique({
          where: { instanceNumber_month: { instanceNumber: scope.instanceNumber, month } },
        })
      : await sql.clientStoragePeak.findUnique({ where: { clientId_month: { clientId: scope.clientId, month } } });
  return peak?.memories ?? 0;
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
  { instanceNumber }: Access,
  { prefix, from, to }: { prefix: string; from: Date; to: Date },
): Promise<DailyCount[]> {
  const [first, last] = [from, to].map(isoDayOf);
  const rows = await sql.$queryRaw<{ day: Date; metric: string; count: bigint }[]>`
    SELECT day, metric, count FROM usage
    WHERE day BETWEEN ${first}::date AND ${last}::date AND starts_with(metric, ${prefix}) AND i = ${instanceNumber}
    ORDER BY day, metric`;
  return rows.map(({ day, metric, count }) => ({ day, metric, count: Number(count) }));
}

const fromRow = (row: Row): MonthlyUsage => ({
  instanceId: instanceIdOf(row.instanceNumber),
  month: row.month,
  apiCalls: Number(row.calls),
  tokensIn: Number(row.tokensIn),
  tokensOut: Number(row.tokensOut),
  embeddingTokens: Number(row.embedding),
  memoriesPeak: row.peak,
});
