import type { Sql, Tx } from '../../db/database.ts';
import { dayMs } from '../language/calendar.ts';
import type { Access } from '../tenancy/access.ts';
import { markSql, revisionsOf } from '../tenancy/store.ts';
import type { Manner } from './manner.ts';
import type { AnsweredMemory, ReadyAnswer } from './ready-answer.ts';
import type { Asked } from './ready-answers.ts';

/** How long a conversation's manner is of interest. */
const mannerKeptMs = dayMs;

/**
 * Keeps an answer for the other processes, unless an owner of it changed since: what is forgotten meanwhile must not be
 * written down again.
 */
export async function saveReadyAnswer(sql: Sql, access: Access, asked: Asked, answer: ReadyAnswer): Promise<void> {
  const { revisions, expiresAt, stamp: _, heardMore: __, ...told } = answer;
  const ownerNos = [...revisions.keys()];
  const { mark } = told;
  const key = keyOf(access, asked);
  const body = access.keys.seal('ready_answer.body', placeOf(asked, key), JSON.stringify(told));
  await sql.$executeRaw`
    WITH held AS (
      SELECT owner_no, revision FROM owner
      WHERE owner_no = ANY(${ownerNos}) AND i = ${access.i} ORDER BY owner_no FOR SHARE)
    INSERT INTO ready_answer (i, conversation_id, asked_key, owner_nos, body, expires_at)
    SELECT v.i, v.id, ${key}, ${ownerNos}, ${body}, ${expiresAt} FROM conversation v
    WHERE ${mark} = (SELECT ${markSql} FROM held)
      AND v.id = ${asked.conversationId}::uuid AND v.i = ${access.i}
    ON CONFLICT (i, conversation_id, asked_key)
    DO UPDATE SET owner_nos = excluded.owner_nos, body = excluded.body, expires_at = excluded.expires_at`;
}

/** What another process made ready; null when there is nothing, or nothing any more. */
export async function readReadyAnswer(sql: Sql, access: Access, asked: Asked, now: Date): Promise<ReadyAnswer | null> {
  const key = keyOf(access, asked);
  const rows = await sql.$queryRaw<{ body: Uint8Array; expiresAt: Date }[]>`
    SELECT body, expires_at AS "expiresAt" FROM ready_answer
    WHERE conversation_id = ${asked.conversationId}::uuid AND asked_key = ${key} AND expires_at > ${now}
      AND i = ${access.i}`;
  const [row] = rows;
  if (!row) return null;
  const { body, expiresAt } = row;
  const told = JSON.parse(access.keys.open('ready_answer.body', placeOf(asked, key), body)) as Omit<
    ReadyAnswer,
    'revisions' | 'expiresAt' | 'stamp'
  >;
  const memories = told.memories.map(withTimes);
  const messages = told.recent.messages.map((message) => ({ ...message, at: new Date(message.at) }));
  return {
    ...told,
    recent: { ...told.recent, messages },
    memories,
    revisions: revisionsOf(told.mark),
    expiresAt,
    stamp: '',
  };
}

/** The answers of all who read any of these owners; returns how many there were. */
export function removeReadyAnswers(tx: Tx, access: Access, ownerNos: readonly number[]): Promise<number> {
  return tx.$executeRaw`DELETE FROM ready_answer WHERE owner_nos && ${ownerNos}::int[] AND i = ${access.i}`;
}

/** How a conversation asked last; null when nothing is known of that. */
export async function readManner(sql: Sql, access: Access, conversationId: string): Promise<Manner | null> {
  const rows = await sql.$queryRaw<{ manner: Manner }[]>`
    SELECT manner FROM conversation_manner WHERE conversation_id = ${conversationId}::uuid AND i = ${access.i}`;
  return rows[0]?.manner ?? null;
}

export async function saveManner(
  sql: Sql,
  access: Access,
  { conversationId, manner, at }: { conversationId: string; manner: Manner; at: Date },
): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO conversation_manner (i, conversation_id, manner, asked_at)
    SELECT v.i, v.id, ${JSON.stringify(manner)}::jsonb, ${at} FROM conversation v
    WHERE v.id = ${conversationId}::uuid AND v.i = ${access.i}
    ON CONFLICT (i, conversation_id) DO UPDATE SET manner = excluded.manner, asked_at = excluded.asked_at`;
}

/** Removes what is over, of every instance. */
export async function tidyReadyAnswers(sql: Sql, now: Date): Promise<void> {
  await sql.$executeRaw`DELETE FROM ready_answer WHERE expires_at <= ${now}`;
  await sql.$executeRaw`
    DELETE FROM conversation_manner WHERE asked_at < ${new Date(now.getTime() - mannerKeptMs)}`;
}

const keyOf = ({ keys }: Access, { manner, words }: Asked) => keys.hash('asked', `${manner}\0${words}`);

const placeOf = ({ conversationId }: Asked, key: Buffer) => `${conversationId}/${key.toString('hex')}`;

const times = [
  'eventStart',
  'eventEnd',
  'dueAt',
  'validFrom',
  'validUntil',
  'createdAt',
  'lastAccessedAt',
  'expiresAt',
] as const satisfies readonly (keyof AnsweredMemory)[];

/** JSON knows no times. */
function withTimes(memory: AnsweredMemory): AnsweredMemory {
  const read = (name: (typeof times)[number]) => [name, memory[name] && new Date(memory[name])];
  return { ...memory, ...Object.fromEntries(times.map(read)) };
}
