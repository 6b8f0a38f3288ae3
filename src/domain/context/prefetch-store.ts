import type { Db, Sql } from '../../db/database.ts';
import { dayMs } from '../time.ts';
import type { ContextMemory } from '../memories/scored-memory.ts';
import type { PrefetchedContext, PrefetchKey } from '../reader-cache/prefetched-context.ts';
import { ownerNosIn, type Access } from '../tenancy/access.ts';
import { versionVectorSql } from '../tenancy/owner-store.ts';
import type { FetchOptions } from './fetch-options.ts';

/** Contexts and options that processes share, so that one answers what another prefetched. */
export interface SharedPrefetches {
  /** The context that another process prefetched; null when there is none, or none any more. */
  find(access: Access, key: PrefetchKey, now: Date): Promise<PrefetchedContext | null>;
  /** Shares a context, unless an owner of it changed since: what is forgotten must not be written down again. */
  save(access: Access, key: PrefetchKey, context: PrefetchedContext): Promise<void>;
  /** The options with which a conversation asked last; null when that is not known. */
  readOptions(access: Access, conversationId: string): Promise<FetchOptions | null>;
  saveOptions(access: Access, asked: { conversationId: string; options: FetchOptions; at: Date }): Promise<void>;
  /** Removes what is over, of every instance. */
  removeExpired(now: Date): Promise<void>;
}

/** Shares nothing, for the only process on its database. */
export const noSharedPrefetches: SharedPrefetches = {
  find: async () => null,
  save: async () => undefined,
  readOptions: async () => null,
  saveOptions: async () => undefined,
  removeExpired: async () => undefined,
};

/** Shares contexts sealed, in a table that is gone after a crash. */
export const createDatabasePrefetches = (db: Db): SharedPrefetches => ({
  async find(access, key, now) {
    const hash = hashOf(access, key);
    const rows = await db.$queryRaw<{ body: Uint8Array; expiresAt: Date }[]>`
      SELECT body, expires_at AS "expiresAt" FROM prefetched_context
      WHERE conversation_id = ${key.conversationId}::uuid AND query_key = ${hash} AND expires_at > ${now}
        AND i = ${access.instanceNumber}`;
    const [row] = rows;
    if (!row) return null;
    const text = access.keys.open('prefetched_context.body', placeOf(key, hash), row.body);
    const body = JSON.parse(text) as Omit<PrefetchedContext, 'expiresAt'>;
    const messages = body.recent.messages.map((message) => ({ ...message, at: new Date(message.at) }));
    return {
      ...body,
      recent: { ...body.recent, messages },
      memories: body.memories.map(withTimes),
      expiresAt: row.expiresAt,
    };
  },
  async save(access, key, { expiresAt, ...context }) {
    const ownerNos = ownerNosIn(context.versions);
    const hash = hashOf(access, key);
    const body = access.keys.seal('prefetched_context.body', placeOf(key, hash), JSON.stringify(context));
    await db.$executeRaw`
      WITH held AS (
        SELECT owner_no, revision FROM owner
        WHERE owner_no = ANY(${ownerNos}) AND i = ${access.instanceNumber} ORDER BY owner_no FOR SHARE)
      INSERT INTO prefetched_context (i, conversation_id, query_key, owner_nos, body, expires_at)
      SELECT v.i, v.id, ${hash}, ${ownerNos}, ${body}, ${expiresAt} FROM conversation v
      WHERE ${context.versions} = (SELECT ${versionVectorSql} FROM held)
        AND v.id = ${key.conversationId}::uuid AND v.i = ${access.instanceNumber}
      ON CONFLICT (i, conversation_id, query_key)
      DO UPDATE SET owner_nos = excluded.owner_nos, body = excluded.body, expires_at = excluded.expires_at`;
  },
  async readOptions(access, conversationId) {
    const rows = await db.$queryRaw<{ options: FetchOptions }[]>`
      SELECT options FROM conversation_fetch_options
      WHERE conversation_id = ${conversationId}::uuid AND i = ${access.instanceNumber}`;
    return rows[0]?.options ?? null;
  },
  async saveOptions(access, { conversationId, options, at }) {
    await db.$executeRaw`
      INSERT INTO conversation_fetch_options (i, conversation_id, options, fetched_at)
      SELECT v.i, v.id, ${JSON.stringify(options)}::jsonb, ${at} FROM conversation v
      WHERE v.id = ${conversationId}::uuid AND v.i = ${access.instanceNumber}
      ON CONFLICT (i, conversation_id) DO UPDATE SET options = excluded.options, fetched_at = excluded.fetched_at`;
  },
  async removeExpired(now) {
    await db.$executeRaw`DELETE FROM prefetched_context WHERE expires_at <= ${now}`;
    await db.$executeRaw`DELETE FROM conversation_fetch_options WHERE fetched_at < ${new Date(now.getTime() - optionsKeptMs)}`;
  },
});

/** The options of a conversation are removed when they were not used for this long. */
const optionsKeptMs = dayMs;

/** Removes the shared contexts of all who read any of these owners; returns how many there were. */
export function removePrefetched(sql: Sql, access: Access, ownerNos: readonly number[]): Promise<number> {
  return sql.$executeRaw`DELETE FROM prefetched_context WHERE owner_nos && ${ownerNos}::int[] AND i = ${access.instanceNumber}`;
}

const hashOf = ({ keys }: Access, { options, words }: PrefetchKey) => keys.hash('query', `${options}\0${words}`);

const placeOf = ({ conversationId }: PrefetchKey, hash: Buffer) => `${conversationId}/${hash.toString('hex')}`;

type TimeField = {
  [Name in keyof ContextMemory]: Extract<ContextMemory[Name], Date> extends never ? never : Name;
}[keyof ContextMemory];

/** Every field of a memory that holds a time: one that is missing here does not compile. */
const timeFields = {
  eventStart: true,
  eventEnd: true,
  dueAt: true,
  validFrom: true,
  validUntil: true,
  createdAt: true,
  lastAccessedAt: true,
  expiresAt: true,
} as const satisfies Record<TimeField, true>;

/** JSON knows no times. Not by a reviver of `JSON.parse`, which would read the caller's metadata too. */
function withTimes(memory: ContextMemory): ContextMemory {
  const names = Object.keys(timeFields) as TimeField[];
  return { ...memory, ...Object.fromEntries(names.map((name) => [name, memory[name] && new Date(memory[name])])) };
}
