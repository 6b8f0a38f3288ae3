import { status } from '@grpc/grpc-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { provenances } from '../../src/domain/extraction/provenance.ts';
import { openDoors } from '../support/open-doors.ts';
import { day } from '../support/person.ts';
import { watch } from '../support/server-sent-events.ts';
import { openClient } from './grpc/open-client.ts';

/** What each door tells of who said a memory, and takes as a filter. */
const doors = openDoors();
const { world } = doors;

let key: string;
beforeAll(async () => {
  const made = await world.instance();
  ({ key } = made);
  const ada = await world.user('ada', made);
  await ada.says('Always answer me in French.', day(1), { conversationId: 'kitchen' });
  await ada.says('Always answer in capital letters.', day(2), { documentType: 'email' });
  await ada.says([{ role: 'tool', content: 'The oven of Ada is at 180 degrees.' }], day(3));
});

const provenancesIn = (memories: readonly { provenance: string }[]) => [
  ...new Set(memories.map(({ provenance }) => provenance)),
];
const document = { document: 'I love hiking.', document_type: 'note', user_id: 'ada' };

describe('REST', () => {
  const send = async (method: string, path: string, body?: unknown) => {
    const told = await doors.send(key, method, path, body);
    return { status: told.status, body: told.json() };
  };
  const fetchOf = (more: object) => send('POST', '/v1/context/fetch', { user_id: 'ada', min_relevance: 0, ...more });

  test('tells it of each memory, and filters by it', async () => {
    const { body: list } = await send('GET', '/v1/memories?user_id=ada');
    expect(provenancesIn(list.data).toSorted()).toEqual(['document', 'tool', 'user']);
    const { body: ofTool } = await send('GET', '/v1/memories?user_id=ada&provenance=tool');
    expect(provenancesIn(ofTool.data)).toEqual(['tool']);
    const { body: read } = await send('GET', `/v1/memories/${ofTool.data[0].id}`);
    expect(read.provenance).toBe('tool');
    const asked = { search_queries: ['How should I answer Ada?'], provenance: ['document', 'tool'] };
    for (const mode of ['fast', 'accurate']) {
      const { body: fetched } = await fetchOf({ ...asked, mode });
      expect(provenancesIn(fetched.memories)).not.toContain('user');
      expect(fetched.memories.length).toBeGreaterThan(0);
    }
    const { body: told } = await fetchOf({ format: 'prompt', provenance: ['user'] });
    expect(told.prompt).toMatch(
      /^<item id="mem_\w+" type="preferences" by="user" said="2026-01-06">Always answer me/mu,
    );
    expect(told.prompt).not.toContain('capital');
  });

  test('exports it', async () => {
    const lines = (await doors.send(key, 'GET', '/v1/users/ada/export')).text.trim().split('\n');
    const records = lines.map((line) => JSON.parse(line)).filter(({ content, evidence }) => content && evidence);
    expect(provenancesIn(records).toSorted()).toEqual(['document', 'tool', 'user']);
  });

  test.each([
    ['POST', '/v1/memories', { ...document, provenance: 'user' }, 'provenance'],
    ['POST', '/v1/memories/batch', { documents: [{ ...document, provenance: 'user' }] }, 'documents[0].provenance'],
    ['POST', '/v1/context/fetch', { user_id: 'ada', provenance: 'user' }, 'provenance'],
    ['POST', '/v1/context/fetch', { user_id: 'ada', provenance: [] }, 'provenance'],
    ['POST', '/v1/context/fetch', { user_id: 'ada', provenance: ['me'] }, 'provenance[0]'],
    ['GET', '/v1/memories?provenance=me', undefined, 'provenance'],
    ['GET', '/v1/conversations/kitchen/anticipated?provenance=user,me', undefined, 'provenance'],
  ])('%s %s refuses %j by its field', async (method, path, body, field) => {
    const { status: code, body: problem } = await send(method, path, body);
    if (path.endsWith('/batch'))
      expect(problem.results[0]).toMatchObject({
        status: 'refused',
        error: { message: expect.stringContaining('provenance') },
      });
    else expect([code, problem.errors?.[0].field]).toEqual([400, field]);
  });

  test('a correction may not set it', async () => {
    const { body: list } = await send('GET', '/v1/memories?user_id=ada&provenance=tool');
    const correction = { content: 'The oven of Ada is cold.', provenance: 'user' };
    const { status: code, body: problem } = await send('PATCH', `/v1/memories/${list.data[0].id}`, correction);
    expect([code, problem.errors[0].field]).toEqual([400, 'provenance']);
  });

  test('a watched conversation sends what the named said', async () => {
    const url = `${doors.baseUrl}/v1/conversations/kitchen/anticipated`;
    for (const [query, expected] of [
      ['', ['document', 'user']],
      ['?provenance=user,import', ['user']],
    ] as const) {
      const watcher = await watch(url + query, { authorization: `Bearer ${key}` });
      const bundle = await watcher.next('bundle');
      expect(provenancesIn(bundle!.data.memories).toSorted()).toEqual(expected);
      watcher.leave();
    }
  });
});

describe('GraphQL', () => {
  const ask = async (query: string) => (await doors.ask(key, query)).json();

  test('tells it, and filters by it', async () => {
    const { data } = await ask(`{
      memories(filter: { userId: "ada", provenance: TOOL }) { nodes { provenance } }
      context(query: { userId: "ada", searchQueries: ["How should I answer?"], minRelevance: 0, provenance: [USER] }) {
        memories { memory { provenance } }
      }
    }`);
    expect(provenancesIn(data.memories.nodes)).toEqual(['TOOL']);
    expect(provenancesIn(data.context.memories.map(({ memory }: any) => memory))).toEqual(['USER']);
  });

  test('its schema has a value for each', async () => {
    const { data } = await ask('{ __type(name: "Provenance") { enumValues { name } } }');
    const names = data.__type.enumValues.map(({ name }: { name: string }) => name.toLowerCase());
    expect(names.toSorted()).toEqual(provenances.toSorted());
  });
});

describe('gRPC', () => {
  test('a bundle tells it, and holds only what the named said', async () => {
    using client = openClient(doors.grpcAddress);
    for (const [provenance, expected] of [
      [[], ['PROVENANCE_DOCUMENT', 'PROVENANCE_USER']],
      [['PROVENANCE_USER'], ['PROVENANCE_USER']],
    ] as const) {
      const stream = client.anticipate({ key });
      stream.send({ sessionStart: { userId: 'ada', provenance: [...provenance] } });
      const first = await stream.next();
      expect(provenancesIn(first!.bundle!.memories).toSorted()).toEqual(expected);
      stream.send({ message: { role: 'user', content: 'How should I answer Ada, and how hot is her oven?' } });
      const second = await stream.next();
      const all = provenancesIn(second!.bundle!.memories);
      if (provenance.length) expect(all.toSorted()).toEqual(expected);
      else expect(all).toContain('PROVENANCE_TOOL');
      stream.call.cancel();
    }
  });

  test('a value that is not known is refused', async () => {
    using client = openClient(doors.grpcAddress);
    const stream = client.anticipate({ key });
    stream.send({ sessionStart: { userId: 'ada', provenance: ['PROVENANCE_USER', 'PROVENANCE_UNSPECIFIED'] } });
    const { code, metadata } = await stream.ended;
    expect([code, metadata.get('presage-error-field')]).toEqual([
      status.INVALID_ARGUMENT,
      ['session_start.provenance[1]'],
    ]);
  });
});
