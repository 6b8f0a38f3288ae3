import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.ts';

const lookEveryMs = 20_000;
/** The thresholds of a server's autovacuum: a table is due when this many rows changed, and this share of it. */
const dueRows = 500;
const dueShare = 0.2;
/** Between two tables, so that requests get their turn on the one connection. */
const breathMs = 250;

/**
 * Does for the embedded Postgres what a server's autovacuum does: without it deleted rows stay, and the planner never
 * learns how many there are. Goes on until `signal` is aborted.
 */
export async function vacuumPeriodically(
  database: Pick<Database, 'db' | 'exclusively'>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  while (await rest(lookEveryMs, signal)) await vacuumDueTables(database, signal).catch(failed);
}

/** Vacuums the tables that are due, one after the other. */
export async function vacuumDueTables(
  { db, exclusively }: Pick<Database, 'db' | 'exclusively'>,
  signal: AbortSignal,
): Promise<void> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relid::regclass::text AS name FROM pg_stat_user_tables
    WHERE greatest(n_mod_since_analyze, n_dead_tup) > ${dueRows} + ${dueShare}::float8 * n_live_tup`;
  for (const { name } of tables) {
    await exclusively((session) => session.query(`VACUUM (ANALYZE) ${name}`)); // of a large table it takes its time
    if (!(await rest(breathMs, signal))) return;
  }
}

/** False when aborted meanwhile. */
const rest = (ms: number, signal: AbortSignal) => pause(ms, true, { signal, ref: false }).catch(() => false);
