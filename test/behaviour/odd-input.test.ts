import { request } from 'node:http';
import { expect, test } from 'vitest';
import { openDoors } from '../support/open-doors.ts';
import { day } from '../support/person.ts';
import { timed } from '../support/timed.ts';

/** Nothing that a client sends may end in a fault of ours, and one client's mistake is nobody else's. */
const doors = openDoors();
const { world } = doors;

const note = { document: 'I own a kayak.', document_type: 'note', user_id: 'ada' };
const cursorOf = (time: number | string) =>
  Buffer.from(`${time}/01920000-0000-7000-8000-000000000000`).toString('base64url');
const farTimes = [
  '0000-01-01',
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '0001-01-01',
  '9999-12-31T23:59:59-12:00',
  '9999-12-31T23:59:59Z',
];

test('a statement that the database refuses is one caller’s trouble: the next is served', async () => {
  const { key } = await world.instance();
  expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(200);
  await world.deps.db.$queryRaw`SELECT ${'no uuid'}::uuid`.catch(() => undefined);
  await world.deps.db.$transaction((tx) => tx.$queryRaw`SELECT ${'no number'}::int`).catch(() => undefined);
  expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(200);
  expect((await doors.send(key, 'POST', '/v1/memories', note)).status).toBe(202);
  await world.settle();
});

test.each([
  -8_640_000_000_000_000,
  8_640_000_000_000_000,
  -62_200_000_000_000,
  -210_900_000_000_000,
  '0x10',
  '1e3',
  '1.5',
])('a cursor at %s is refused or leads somewhere', async (time) => {
  const { key } = await world.instance();
  const cursor = cursorOf(time);
  for (const path of ['memories', 'entities']) {
    expect((await doors.send(key, 'GET', `/v1/${path}?cursor=${cursor}`)).status).toBeLessThan(500);
    expect((await doors.ask(key, `{ ${path}(after: "${cursor}") { nodes { id } } }`)).text).not.toContain('"internal"');
  }
});

test.each(farTimes)('a fetch as of %s is refused or answered', async (time) => {
  const { key } = await world.instance();
  for (const mode of ['fast', 'accurate']) {
    const told = await doors.send(key, 'POST', '/v1/context/fetch', {
      search_queries: ['kayak'],
      user_id: 'ada',
      as_of: time,
      mode,
    });
    expect(told.status).toBeLessThan(500);
  }
});

test('a document of any time is refused or remembered', { timeout: 60_000 }, async () => {
  const text =
    'My dentist appointment is tomorrow at ten. I moved to York last year. My holiday is in two hundred years.';
  const outcomes = farTimes.flatMap((time, n) => [
    remembers({ document: text, document_created_at: time, user_id: `a${n}` }),
    remembers({ document: [{ role: 'user', content: text, timestamp: time }], user_id: `b${n}` }),
  ]);
  for (const outcome of await Promise.all(outcomes)) expect(['refused', 'completed']).toContain(outcome);
});

test.each(['[', 'a b', 'x:99999'])('a request of MCP for the host %j is refused', async (host) => {
  const { key } = await world.instance();
  const headers = { host, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${doors.baseUrl}/mcp`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
    sent.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  });
  expect(status).toBe(400);
});

/** What becomes of a document: `refused`, or how its ingestion ended. */
async function remembers(more: object): Promise<unknown> {
  const { key } = await world.instance();
  const told = await doors.send(key, 'POST', '/v1/memories', { ...note, ...more });
  if (told.status !== 202) return told.status < 500 ? 'refused' : told.text;
  for (;;) {
    const { status } = (await doors.send(key, 'GET', `/v1/memories/${told.json().ingestion_id}/status`)).json();
    if (status === 'completed' || status === 'failed') return status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('an id that no path can hold is refused over GraphQL too, and one with more than dots is taken', async () => {
  const { key } = await world.instance();
  const query = `mutation ($input: SubmitDocumentInput!) {
    submitDocument(input: $input) { ... on InvalidInput { fields { field } } ... on Ingestion { status } }
  }`;
  const remember = async (userId: string) => {
    const input = { document: { text: 'I own a kayak.' }, documentType: 'NOTE', userId };
    return (await doors.ask(key, query, { input })).json().data.submitDocument;
  };
  for (const id of ['.', '..']) expect(await remember(id)).toEqual({ fields: [{ field: 'userId' }] });
  expect(await remember('..a')).toEqual({ status: 'QUEUED' });
  await world.settle();
});

test.each([
  { odd: 'a NUL', field: 'a\u0000b' },
  { odd: 'half a surrogate pair', field: 'a\ud800b' },
  { odd: 'a prototype', field: '__proto__' },
  { odd: 'ten thousand letters', field: 'x'.repeat(10_000) },
])('a batch in which the name of a field is $odd keeps the other documents', async ({ field }) => {
  const { key } = await world.instance();
  const odd = JSON.stringify(note).replace('{', `{${JSON.stringify(field)}:1,`);
  const told = await doors.send(key, 'POST', '/v1/memories/batch', `{"documents":[${JSON.stringify(note)},${odd}]}`);
  expect(told.status).toBe(202);
  expect(told.json()).toMatchObject({ succeeded: 1, failed: 1 });
  await world.settle();
  const later = await doors.send(key, 'GET', `/v1/memories/batch/${told.json().batch_id}`);
  expect(later.json().results[1]).toEqual(told.json().results[1]); // the other one has moved on
});

test('why a document of a batch was refused is told, and stands nowhere in clear', async () => {
  const { key, access } = await world.instance();
  const told = await doors.send(key, 'POST', '/v1/memories/batch', { documents: [{ ...note, Zwetschgenknoedel: 1 }] });
  expect(told.text).toContain('Zwetschgenknoedel');
  const rows = await world.deps.db.$queryRawUnsafe<{ row: string }[]>(
    'SELECT b::text AS row FROM batch b WHERE i = $1',
    access.instanceNumber,
  );
  expect(rows[0]!.row).not.toContain('Zwetschgenknoedel');
});

test('many words to look for in a list take no longer than a page does', timed, async () => {
  const ada = await world.user('ada');
  await ada.says('I own a kayak.', day(1));
  const q = Array.from({ length: 200 }, (_, n) => `w${n}`)
    .join(' ')
    .slice(0, 500);
  const since = performance.now();
  expect((await world.app.memories(ada.access, { q }, { limit: 10 })).data).toEqual([]);
  expect(performance.now() - since).toBeLessThan(1_000);
});

test('words of which none can be looked for find nothing, instead of everything', async () => {
  const ada = await world.user('ada');
  await ada.says('I own a kayak.', day(1));
  expect((await world.app.memories(ada.access, { q: '😀 %' }, { limit: 10 })).data).toEqual([]);
});
