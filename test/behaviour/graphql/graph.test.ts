import { expect, test } from 'vitest';
import { day } from '../../support/person.ts';
import { openGraphql } from './open-graphql.ts';

const graphql = openGraphql();

interface Page<T> {
  readonly nodes: T[];
  readonly edges: { cursor: string; node: T }[];
  readonly pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}
interface Listed {
  readonly instance: {
    ingestions: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  };
}
interface Memory {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly entities: { name: string }[];
}

test('a document becomes memories that cite it and mention entities', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I work at Acme.', { documentId: 'note-1', metadata: { source: 'test' } });
  const { data, errors } = await ada.ask<{ memories: Page<Memory> }>(`{
    memories(filter: { userId: "ada", type: FACTS }) {
      nodes { content type scope status userId evidence { documentId turns quote } metadata entities { name kind } }
    }
  }`);
  expect(errors).toEqual([]);
  expect(data.memories.nodes).toEqual([
    {
      content: 'I work at Acme.',
      type: 'FACTS',
      scope: 'USER',
      status: 'ACTIVE',
      userId: 'ada',
      evidence: [{ documentId: 'note-1', turns: [0], quote: 'I work at Acme.' }],
      metadata: { source: 'test' },
      entities: [{ name: 'Acme', kind: 'organization' }],
    },
  ]);
});

test('a page of memories with their entities costs the same number of calls, however long it is', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I met Grace and Alan in Paris.');
  await ada.remembers('Alan taught Grace to swim in Rome.');
  await ada.remembers('Grace paints portraits of Alan.');
  const query = `query ($first: Int!) {
    memories(first: $first) { nodes { content entities { name mentions } supersededBy { content } } }
  }`;
  const callsFor = async (first: number) => {
    graphql.calls();
    expect((await ada.ask(query, { first })).errors).toEqual([]);
    return graphql.calls();
  };
  const forOne = await callsFor(1);
  expect(forOne).toEqual({ lists: 1, entitiesByIds: 1, measureOperation: 1 });
  expect(await callsFor(20)).toEqual(forOne);
});

test('pages follow one another without gap or repetition', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I love tea. I hate coffee. I live in Leeds. I work at Acme.');
  const query = `query ($first: Int!, $after: String) {
    memories(first: $first, after: $after) {
      nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
  const all = (await ada.ask<{ memories: Page<Memory> }>(query, { first: 100 })).data.memories;
  const walked: string[] = [];
  let after: string | null = null;
  for (;;) {
    const { memories }: { memories: Page<Memory> } = (
      await ada.ask<{ memories: Page<Memory> }>(query, { first: 2, after })
    ).data;
    expect(memories.pageInfo.hasPreviousPage).toBe(after !== null);
    expect(memories.pageInfo.endCursor).toBe(memories.edges.at(-1)!.cursor);
    walked.push(...memories.nodes.map(({ id }) => id));
    after = memories.pageInfo.endCursor;
    if (!memories.pageInfo.hasNextPage) break;
  }
  expect(walked).toEqual(all.nodes.map(({ id }) => id));
  expect(walked.length).toBeGreaterThan(4);
});

test('from a memory to what it mentions, and to what else mentions that', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds.');
  await ada.remembers('My sister Grace lives in Leeds.');
  const { data, errors } = await ada.ask<{ entities: Page<{ memories: Page<Memory> }> }>(`{
    entities(filter: { q: "leeds" }) { nodes { name mentions memories(first: 10) { nodes { content type } } } }
  }`);
  expect(errors).toEqual([]);
  const contents = data.entities.nodes[0]!.memories.nodes.map(({ content }) => content);
  expect(contents).toEqual(expect.arrayContaining(['I live in Leeds.', 'My sister Grace lives in Leeds.']));
});

test('a superseded memory leads to the one that took its place', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds.', { documentCreatedAt: day(1).toISOString() });
  await ada.remembers('I live in York.', { documentCreatedAt: day(9).toISOString() });
  const { data } = await ada.ask<{ memories: Page<Memory> }>(
    '{ memories(filter: { status: SUPERSEDED, type: FACTS }) { nodes { content supersededBy { content } } } }',
  );
  expect(data.memories.nodes).toEqual([{ content: 'I live in Leeds.', supersededBy: { content: 'I live in York.' } }]);
});

test('memories of a category and of a time, and how many there are beside those of the page', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds. My name is Ada. I love tea. I love coffee.');
  const list = async (filter: string) => {
    const { data, errors } = await ada.ask<{ memories: Page<Memory> & { totalCount: number } }>(
      `{ memories(first: 1, filter: { type: PREFERENCES, ${filter} }) { totalCount nodes { content } } }`,
    );
    expect(errors).toEqual([]);
    return { shown: data.memories.nodes.length, all: data.memories.totalCount };
  };
  const [past, ahead] = ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  expect(await list('category: "likes"')).toEqual({ shown: 1, all: 2 });
  expect(await list('category: "dislikes"')).toEqual({ shown: 0, all: 0 });
  expect(await list(`createdFrom: "${past}", createdUntil: "${ahead}"`)).toEqual({ shown: 1, all: 2 });
  expect(await list(`createdFrom: "${ahead}"`)).toEqual({ shown: 0, all: 0 });
  expect(await list(`createdUntil: "${past}"`)).toEqual({ shown: 0, all: 0 });
});

test('how many memories an entity has is told of those that its reader may read', async () => {
  const agent = await graphql.agent();
  const acme = { customerId: 'acme' };
  await agent.remembers('I met Grace in Leeds.', { ...acme, userId: 'ada' });
  await agent.remembers('I think that Grace in Leeds is a thief.', { ...acme, userId: 'bob' });
  const counted = `query ($query: ContextInput!) {
    context(query: $query) { memories { memory { entities { name memories { totalCount nodes { id } } } } } }
  }`;
  const { data, errors } = await agent.ask<any>(counted, {
    query: { searchQueries: ['Grace'], userId: 'ada', ...acme, maxResults: 3 },
  });
  expect(errors).toEqual([]);
  const counts = data.context.memories.flatMap(({ memory }: any) =>
    memory.entities.map((entity: any) => entity.memories),
  );
  expect(counts.length).toBeGreaterThan(0);
  for (const { totalCount, nodes } of counts) expect(totalCount).toBe(nodes.length);
});

const context = `query ($query: ContextInput!) {
  context(query: $query) {
    source totalTokens budgetExceeded
    memories { score scoreParts { name value } memory { content entities { name mentions memories { nodes { content } } } } }
  }
}`;

test('a context is what the REST route fetches', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds. I love tea.');
  const { data, errors } = await ada.ask<{ context: { memories: { score: number; memory: Memory }[] } }>(context, {
    query: { searchQueries: ['Where do I live?'], userId: 'ada', mode: 'ACCURATE', explain: true },
  });
  expect(errors).toEqual([]);
  expect(data.context.memories[0]!.memory.content).toContain('I live in Leeds.');
  expect(data.context).toMatchObject({ source: 'STORE', budgetExceeded: false });
});

test('a context shows no more of an entity than its user may read', async () => {
  const agent = await graphql.agent();
  const acme = { customerId: 'acme' };
  await agent.remembers('I met Grace in Leeds.', { ...acme, userId: 'ada' });
  await agent.remembers('I think that Grace in Leeds is a thief.', { ...acme, userId: 'bob' });
  const { data, errors } = await agent.ask<{ context: { memories: { memory: Memory }[] } }>(context, {
    query: { searchQueries: ['Grace'], userId: 'ada', ...acme },
  });
  expect(errors).toEqual([]);
  expect(data.context.memories.flatMap(({ memory }) => memory.entities).length).toBeGreaterThan(0);
  expect(JSON.stringify(data)).not.toContain('thief');
});

test('an instance with all that belongs to it', async () => {
  const ada = await graphql.agent();
  await ada.remembers('I live in Leeds.');
  const { data, errors } = await ada.ask(`{
    instance {
      id state activeVersion
      memories(first: 1, filter: { type: FACTS }) { nodes { content } }
      entities { nodes { name } }
      configurations { nodes { version state primaryScope isolation memoryTypes retention { baseDays onExpiry } } }
    }
  }`);
  expect(errors).toEqual([]);
  expect(data).toMatchObject({
    instance: {
      id: ada.instanceId,
      state: 'ACTIVE',
      memories: { nodes: [{ content: 'I live in Leeds.' }] },
      entities: { nodes: [{ name: 'Leeds' }] },
      configurations: {
        nodes: [
          { version: 1, state: 'ACTIVE', primaryScope: 'USER', isolation: 'B2C', retention: { onExpiry: 'ARCHIVE' } },
        ],
      },
    },
  });
});

test('an ingestion tells its memories', async () => {
  const ada = await graphql.agent();
  const id = await ada.remembers('I live in Leeds.');
  const { data } = await ada.ask('query ($id: ID!) { ingestion(id: $id) { status error memories { type content } } }', {
    id,
  });
  expect(data).toMatchObject({ ingestion: { status: 'COMPLETED', error: null } });
  expect(JSON.stringify(data)).toContain('"type":"FACTS"');
});

test('an instance lists what was sent to it, newest first, page by page', async () => {
  const ada = await graphql.agent();
  const [first, second, third] = [
    await ada.remembers('I live in Leeds.', { documentId: 'one' }),
    await ada.remembers('I like tea.', { documentId: 'two' }),
    await ada.remembers('I own a kayak.', { documentId: 'three' }),
  ];
  const list = async (args: string) =>
    (
      await ada.ask<Listed>(
        `{ instance { ingestions(${args}) { nodes { id documentId status } pageInfo { hasNextPage endCursor } } } }`,
      )
    ).data.instance.ingestions;
  const page = await list('first: 2');
  expect(page.nodes).toEqual([
    { id: third, documentId: 'three', status: 'COMPLETED' },
    { id: second, documentId: 'two', status: 'COMPLETED' },
  ]);
  const rest = await list(`first: 2, after: "${page.pageInfo.endCursor}"`);
  expect(rest).toMatchObject({ nodes: [{ id: first }], pageInfo: { hasNextPage: false } });
  expect(await list('status: FAILED')).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
  const stranger = await graphql.agent();
  const { data } = await stranger.ask<Listed>('{ instance { ingestions { nodes { id } } } }');
  expect(data.instance.ingestions.nodes).toEqual([]);
});

test('what hangs on a memory that is read or changed for one user tells nothing of another', async () => {
  const agent = await graphql.agent();
  const [of, other] = [
    { userId: 'ada', customerId: 'acme' },
    { userId: 'bob', customerId: 'acme' },
  ];
  await agent.remembers('I met Grace Hopper in Leeds.', of);
  await agent.remembers('I lent Grace Hopper my boat.', other);
  const { data: listed } = await agent.ask<{ memories: Page<Memory> }>(
    '{ memories(filter: { userId: "ada", q: "Grace" }) { nodes { id } } }',
  );
  const id = listed.memories.nodes[0]!.id;
  const told = 'content entities { name memories { nodes { content } } }';
  const read = async (named: string) => JSON.stringify(await agent.ask(`{ memory(id: "${id}"${named}) { ${told} } }`));
  expect(await read('')).toContain('boat'); // the key reads all of its instance
  expect(await read(', userId: "ada", customerId: "acme"')).toContain('Grace');
  expect(await read(', userId: "ada", customerId: "acme"')).not.toContain('boat');
  const corrected = await agent.ask<{ correctMemory: Memory }>(
    `mutation { correctMemory(input: { memoryId: "${id}", content: "I met Grace Hopper in York.", userId: "ada", customerId: "acme" }) {
      ... on Memory { ${told} } ... on Problem { message } } }`,
  );
  expect(corrected.data.correctMemory.entities).toMatchObject([{ name: 'Grace Hopper' }, {}]);
  expect(JSON.stringify(corrected)).not.toContain('boat');
});
