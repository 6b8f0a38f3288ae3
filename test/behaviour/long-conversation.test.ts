import { performance } from 'node:perf_hooks';
import { beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../src/domain/ids.ts';
import { saveMessages } from '../../src/domain/conversations/message-store.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { openDoors } from '../support/open-doors.ts';
import { day } from '../support/person.ts';
import { timed } from '../support/timed.ts';

/** However long a conversation is, a call reads a page of it. */
const doors = openDoors();
const { world } = doors;
const turns = 100_000;
const ends = 1_000;

let access: Access;
let key: string;
beforeAll(async () => {
  ({ access, key } = await world.instance());
  const { conversation } = await world.app.startConversation(access, { conversationId: 'long', userId: 'ada' });
  for (const from of [0, turns - ends]) {
    const messages = Array.from({ length: ends }, (_, k) => {
      const content = `message ${from + k}`;
      const unsaid = { name: null, origin: null, metadata: null, sessionId: null };
      return { uuid: newUuid(), n: from + k, at: day(1), role: 'user', content, ...unsaid };
    });
    await saveMessages(world.deps.db, access, conversation.id, messages);
  }
  // Those in the middle are there, and nobody who is asked for a page opens them.
  await world.deps.db.$executeRaw`
    INSERT INTO message (i, conversation_id, n, id, said_at, body)
    SELECT ${access.instanceNumber}, ${conversation.id}::uuid, n, gen_random_uuid(), now(), decode(repeat('ab', 100), 'hex')
    FROM generate_series(${ends}::int, ${turns - ends - 1}::int) AS n`;
  const told = { messageCount: turns, ingestedMessageCount: turns, startedAt: day(1), lastAt: day(1) };
  await world.deps.db.conversation.updateMany({
    where: { instanceNumber: access.instanceNumber, id: conversation.id },
    data: told,
  });
});

const send = (method: string, path: string, body?: unknown) => doors.send(key, method, path, body);

test.each([
  {
    case: 'a message is added',
    call: () => send('POST', '/v1/conversations/long/messages', { role: 'user', content: 'one more', user_id: 'ada' }),
    told: '"message_count"',
  },
  { case: 'it is read', call: () => send('GET', '/v1/conversations/long?last=100'), told: 'message 99999' },
  {
    case: 'it is listed over GraphQL',
    call: () =>
      doors.ask(key, '{ instance { conversations { nodes { messageCount recentMessages(last: 100) { content } } } } }'),
    told: 'message 99999',
  },
  {
    case: 'a fetch is made in it',
    call: () => send('POST', '/v1/context/fetch', { conversation_id: 'long', search_queries: ['message'] }),
    told: '"memories"',
  },
])('$case: at once', timed, async ({ call, told }) => {
  await call(); // what is read the first time is warm then
  const began = performance.now();
  const answer = await call();
  expect(performance.now() - began).toBeLessThan(500);
  expect(answer.text).toContain(told);
});

test('it is exported piece by piece, and a reader who leaves ends the reading', async () => {
  const left = new AbortController();
  const answer = await fetch(`${doors.baseUrl}/v1/users/ada/export`, {
    headers: { authorization: `Bearer ${key}` },
    signal: left.signal,
  });
  const reader = answer.body!.getReader();
  const { value } = await reader.read();
  expect(value!.length).toBeLessThan(1 << 20);
  expect(new TextDecoder().decode(value)).toContain('message 0');
  left.abort();
  const lines: string[] = [];
  for await (const { message } of onlyMessages()) {
    lines.push(message.content);
    if (lines.length === 250) break;
  }
  expect(lines.at(-1)).toBe('message 249');
});

async function* onlyMessages() {
  for await (const piece of world.app.exportOwner(access, { userId: 'ada' })) if ('message' in piece) yield piece;
}

test('of long messages it tells as many of the newest as one call may add, and of each conversation the newest', async () => {
  const content = 'word '.repeat(20_000);
  const messages = Array.from({ length: 10 }, (_, n) => ({
    role: 'assistant',
    content: `${n} ${content}`.slice(0, 100_000),
  }));
  for (const id of ['one', 'two']) {
    for (let part = 0; part < 3; part += 1) {
      const said = await send('POST', `/v1/conversations/${id}/messages`, { user_id: 'bob', messages });
      expect(said.status).toBe(201);
    }
  }
  const read = (await send('GET', '/v1/conversations/one?last=100')).json().recent_messages as { content: string }[];
  expect(read.map((message) => message.content[0])).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  const query =
    '{ instance { user(userId: "bob") { conversations { nodes { recentMessages(last: 100) { content } } } } } }';
  const { nodes } = (await doors.ask(key, query)).json().data.instance.user.conversations;
  expect(nodes.map(({ recentMessages }: { recentMessages: unknown[] }) => recentMessages.length)).toEqual([5, 5]);
  const turnsOf = async (ranges: string) =>
    (await send('GET', `/v1/conversations/one?turns=${ranges}`)).json().turns.map(({ turn }: { turn: number }) => turn);
  expect(await turnsOf('3-4,20-29')).toEqual([3, 4, 20, 21, 22, 23, 24, 25, 26, 27]);
});
