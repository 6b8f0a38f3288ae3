import { once } from 'node:events';
import { Client, credentials, Metadata, status as grpcStatus, type StatusObject } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openDoors } from '../../support/open-doors.ts';

/** Bodies that are cheap to send and would be dear to read; each is told what is wrong with it. */
const doors = openDoors();

const mib = 1 << 20;
const note = { document: 'I own a kayak.', document_type: 'note', user_id: 'ada' };
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** A field of bytes in a protobuf message, by its tag. */
function lengthed(tag: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>>= 7) {
    if (left < 0x80) return Buffer.concat([Buffer.of(tag, ...length, left), bytes]);
    length.push((left & 0x7f) | 0x80);
  }
}
const filled = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length));
const [batch, memories, fetchContext] = ['/v1/memories/batch', '/v1/memories', '/v1/context/fetch'];

test.each([
  {
    case: '16 MiB of empty lists',
    path: batch,
    body: `{"documents":[${filled('[],', 16 * mib - 20)}[]]}`,
    told: [413, 'documents', 'values'],
  },
  {
    case: '1,001 documents',
    path: batch,
    body: JSON.stringify({ documents: Array.from({ length: 1_001 }, () => note) }),
    told: [400, 'documents', 'must have 1,000 items or less'],
  },
  {
    case: '100,000 levels',
    path: memories,
    body: `{"metadata":{"a":${nested(100_000)}}}`,
    told: [400, 'metadata', 'at most 32 levels'],
  },
  {
    case: '1,000,000 names',
    path: batch,
    body: `{${Array.from({ length: 1_000_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
    told: [413, 'k4096', 'more than 4,096 members'],
  },
  {
    case: 'metadata of 100,000 members',
    path: memories,
    body: JSON.stringify({ ...note, metadata: members(100_000) }),
    told: [413, 'metadata', 'more than 4,096 members'],
  },
  {
    case: '4,000 fields that nobody knows',
    path: memories,
    body: JSON.stringify({ ...note, ...members(4_000) }),
    told: [400, 'k0', 'is not a known field'],
  },
  {
    case: '1,000,000 queries',
    path: fetchContext,
    body: `{"search_queries":["x"${',"x"'.repeat(999_999)}]}`,
    told: [413, 'search_queries', 'values'],
  },
  {
    case: '100,000 queries that are none',
    path: fetchContext,
    body: `{"search_queries":[1${',1'.repeat(99_999)}]}`,
    told: [400, 'search_queries', 'must have 20 items or less'],
  },
  {
    case: '100,000 types',
    path: fetchContext,
    body: `{"search_queries":"x","types":["facts"${',"facts"'.repeat(99_999)}]}`,
    told: [400, 'types', 'must have 5 items or less'],
  },
  {
    case: 'a body of 9 MiB',
    path: memories,
    body: JSON.stringify({ ...note, document: filled('k', 9 * mib) }),
    told: [413, 'document', 'the body is longer than the 8,388,608 bytes'],
  },
  {
    case: 'a number of 1 MB',
    path: fetchContext,
    body: `{"search_queries":"x","max_results":${filled('9', mib - 100)}}`,
    told: [400, 'max_results', ''],
  },
  {
    case: 'a date of 1 MB',
    path: fetchContext,
    body: `{"search_queries":"x","as_of":"2026-01-05T09:30:00.${filled('0', mib - 100)}Z"}`,
    told: [400, 'as_of', 'must be an ISO 8601 time'],
  },
  {
    case: 'a user of 1 MB',
    path: fetchContext,
    body: JSON.stringify({ search_queries: 'x', user_id: filled('a', mib - 100) }),
    told: [400, 'user_id', 'must have 256 characters or less'],
  },
  {
    case: 'a document of 8 MB of blanks',
    path: memories,
    body: JSON.stringify({ ...note, document: filled(' ', 8 * mib - 100) }),
    told: [400, 'document', 'must not be blank'],
  },
])('$case: refused, and the field named', async ({ path, body, told: [status, field, message] }) => {
  const { key } = await doors.world.instance();
  const answer = await doors.send(key, 'POST', path, body);
  expect([answer.status, answer.json().errors[0]?.field]).toEqual([status, field]);
  expect(answer.json().errors[0].message).toContain(message);
});

test.each([
  { case: 'quotes', document: filled('"', mib) },
  { case: 'commas', document: filled(',', mib) },
  { case: 'brackets', document: filled('[{', mib) },
  { case: 'backslashes', document: filled('\\', mib) },
])('1 MiB of $case is a text like any other', async ({ document }) => {
  const { key } = await doors.world.instance();
  const answer = await doors.send(key, 'POST', memories, { ...note, document });
  expect(answer.status).toBe(202);
});

test('what is refused while it arrives leaves the connection to its sender', async () => {
  const { key } = await doors.world.instance();
  const refused = await doors.send(key, 'POST', memories, `{"a":${nested(4 * mib)}}`);
  expect(refused.status).toBe(400);
  expect((await doors.send(key, 'POST', memories, note)).status).toBe(202);
});

test('variables of GraphQL are measured too', async () => {
  const { key } = await doors.world.instance();
  const query = 'query ($query: ContextInput!) { context(query: $query) { totalTokens } }';
  const variables = (searchQueries: unknown) => ({ query: { userId: 'ada', searchQueries } });
  const many = await doors.ask(key, query, variables(Array.from({ length: 1_000_000 }, () => 'x')));
  expect(many.status).toBe(413);
  expect(many.json().errors[0]).toMatchObject({
    extensions: { code: 'payload_too_large', fields: [{ field: 'variables' }] },
  });
  const some = await doors.ask(key, query, variables(Array.from({ length: 100_000 }, () => 'x')));
  expect(some.json().errors[0].message).toBe('searchQueries: must have 20 items or less');
  const deep = `{"query":"{ __typename }","variables":{"a":${nested(100_000)}}}`;
  expect((await doors.send(key, 'POST', '/graphql', deep)).json().errors[0].message).toContain('at most 32 levels');
});

test('a message over WebSocket that is all brackets is one socket’s trouble', async () => {
  const { key } = await doors.world.instance();
  const socket = new WebSocket(`${doors.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(`{"type":"connection_init","payload":${nested(30_000)}}`);
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBeGreaterThanOrEqual(4_000);
  expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(200);
});

test('a message over WebSocket that only a server sends closes the socket as a mistake of its sender', async () => {
  const { key } = await doors.world.instance();
  const socket = new WebSocket(`${doors.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
  await once(socket, 'message');
  socket.send(JSON.stringify({ type: 'next', id: '1', payload: {} }));
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBe(4_400);
});

test.each([
  { case: '500,000 empty ids', bytes: lengthed(0x3a, Buffer.from('0a00'.repeat(500_000), 'hex')) },
  { case: 'a tag without end', bytes: Buffer.alloc(1_000_000, 0xfb) },
  { case: 'groups that never end', bytes: Buffer.alloc(1_000_000, 0x4b) },
])('a message over gRPC of $case ends its call and no other', async ({ bytes }) => {
  const { key } = await doors.world.instance();
  const client = new Client(doors.grpcAddress, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${key}`);
  const path = '/presage.anticipation.v1.Anticipation/Anticipate';
  const asIs = (message: Buffer) => message;
  const call = client.makeBidiStreamRequest(path, asIs, asIs, metadata);
  call.on('error', () => undefined);
  call.on('data', () => undefined);
  call.write(bytes);
  const end = await new Promise<StatusObject>((resolve) => call.once('status', resolve));
  expect(end.code).toBe(grpcStatus.INVALID_ARGUMENT);
  client.close();
  expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(200);
});
