import type { Tx } from '../../db/database.ts';

/** Tokens of a provider: read and written by a language model, read by an embedding model. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly embedding: number;
}

/** Adds tokens to the day of `at`, by one statement: all of them or none. */
export async function saveTokens(tx: Tx, i: bigint, { input, output, embedding }: Tokens, at: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage AS u (i, day, metric, count)
    SELECT ${i}, ${at.toISOString().slice(0, 10)}::date, t.metric, t.count
    FROM (VALUES ('llm_tokens_in', ${input}::bigint), ('llm_tokens_out', ${output}::bigint),
      ('embedding_tokens', ${embedding}::bigint)) AS t (metric, count)
    WHERE t.count > 0
    ON CONFLICT (i, day, metric) DO UPDATE SET count = u.count + excluded.count`;
}

/** Adds API calls to the day of `at`, and raises the month's peak to what the instance holds now. */
export async function saveCalls(tx: Tx, i: bigint, count: number, at: Date): Promise<void> {
  const [day, month] = [at.toISOString().slice(0, 10), `${at.toISOString().slice(0, 7)}-01`];
  await tx.$executeRaw`
    INSERT INTO usage AS u (i, day, metric, count) VALUES (${i}, ${day}::date, 'api_calls', ${count})
    ON CONFLICT (i, day, metric) DO UPDATE SET count = u.count + excluded.count`;
  await tx.$executeRaw`
    INSERT INTO storage_peak AS p (i, month, memories)
    SELECT ${i}, ${month}::date, coalesce(sum(memory_count), 0)::int FROM owner WHERE i = ${i}
    ON CONFLICT (i, month) DO UPDATE SET memories = greatest(p.memories, excluded.memories)`;
}
