import { expect, test } from 'vitest';
import { statements } from '../../support/statements.ts';
import { openGraphql, type Client } from './open-graphql.ts';

const graphql = openGraphql();

interface Page<T> {
  readonly nodes: T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What the instance of an agent answers. */
async function ofInstance(agent: Client, fields: string): Promise<any> {
  const { data, errors } = await agent.ask<{ instance: any }>(`{ instance { ${fields} } }`);
  expect(errors).toEqual([]);
  return data.instance;
}

/** All ids of a list, by pages of two. */
async function walk(agent: Client, list: (args: string) => string, idOf: (node: any) => string): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null, pages = 1; ; pages++) {
    const args = `first: 2${after ? `, after: "${after}"` : ''}`;
    const page: Page<any> = Object.values(await ofInstance(agent, list(args)))[0] as Page<any>;
    ids.push(...page.nodes.map(idOf));
    if (!page.pageInfo.hasNextPage) return ids;
    after = page.pageInfo.endCursor;
    expect(page.nodes.length).toBe(2);
    expect(pages).toBeLessThan(10);
  }
}

const start =
  'mutation ($input: StartConversationInput!) { startConversation(input: $input) { ... on Conversation { id } } }';
/** Each is a moment newer than the one before. */
async function begins(agent: Client, input: object) {
  const { data } = await agent.ask<{ startConversation: { id: string } }>(start, { input });
  await new Promise((resolve) => setTimeout(resolve, 5));
  return data.startConversation.id;
}

/** Ada is a user of two customers, Bob of one, Cleo of none; Acme also knows something itself. */
async function company() {
  const agent = await graphql.agent();
  await agent.remembers('I live in Leeds.', { userId: 'ada', customerId: 'acme' });
  await agent.remembers('I love tea.', { userId: 'ada', customerId: 'zeta' });
  await agent.remembers('I live in York with Grace.', { userId: 'bob', customerId: 'acme' });
  await agent.remembers('I work at Initech.', { userId: 'cleo' });
  await agent.remembers('Our office is in Paris.', { userId: undefined, customerId: 'acme', documentId: 'office' });
  return agent;
}

test('an instance lists its users once each, by their ids, with the customers that they belong to', async () => {
  const agent = await company();
  const { users } = await ofInstance(
    agent,
    'users { nodes { userId customerId customers { nodes { customerId } } } pageInfo { hasNextPage endCursor } }',
  );
  const told = (users as Page<any>).nodes.map(({ userId, customers }) => [
    userId,
    customers.nodes.map((customer: any) => customer.customerId),
  ]);
  expect(told).toEqual([
    ['ada', ['acme', 'zeta']],
    ['bob', ['acme']],
    ['cleo', []],
  ]);
  expect(users.pageInfo.hasNextPage).toBe(false);
  expect(users.nodes[0].customerId).toBeNull();
});

test('users are found by the beginning of their ids, in a customer too, and counted', async () => {
  const agent = await graphql.agent();
  for (const [userId, customerId] of [
    ['u_1', 'acme'],
    ['u_10', 'acme'],
    ['u_11', 'zeta'],
    ['u_2', 'acme'],
    ['u%1', 'acme'],
    ['v_1', 'acme'],
  ])
    await begins(agent, { userId, customerId });
  const found = async (list: (args: string) => string) => ({
    ids: await walk(agent, list, ({ userId }) => userId),
    total: Object.values<any>(await ofInstance(agent, list('first: 1')))[0].totalCount,
  });
  const page = 'nodes { userId } pageInfo { hasNextPage endCursor } totalCount';
  const all = await found((args) => `users(prefix: "u_1", ${args}) { ${page} }`);
  expect(all).toEqual({ ids: ['u_1', 'u_10', 'u_11'], total: 3 });
  const back = await found((args) => `users(prefix: "u_1", orderBy: DESCENDING, ${args}) { ${page} }`);
  expect(back.ids).toEqual(['u_11', 'u_10', 'u_1']);
  const ofAcme = await found((args) => `users(customerId: "acme", prefix: "u_1", ${args}) { ${page} }`);
  expect(ofAcme).toEqual({ ids: ['u_1', 'u_10'], total: 2 });
  expect(await found((args) => `users(prefix: "%", ${args}) { ${page} }`)).toEqual({ ids: [], total: 0 });
  const { customer } = await ofInstance(agent, `customer(customerId: "zeta") { users(prefix: "u_") { ${page} } }`);
  expect(customer.users.nodes).toEqual([{ userId: 'u_11' }]);
  const { errors } = await agent.ask('{ instance { users(prefix: "") { totalCount } } }');
  expect(errors[0]?.message).toBe('prefix: must not be empty');
});

test('what a user has: memories, how many, what they mention, and when they were last heard of', async () => {
  const agent = await company();
  const before = Date.now() - 60_000;
  await graphql.world.deps.metering.flush(new Date()); // as it is every two seconds
  const { users } = await ofInstance(
    agent,
    `users { nodes {
      userId lastActiveAt memoryCounts { active superseded archived }
      memories(filter: { type: FACTS }) { totalCount nodes { content } }
      entities { nodes { name mentions } }
    } }`,
  );
  const [ada, bob] = users.nodes;
  expect(ada.memories.nodes.map(({ content }: any) => content)).toEqual(['I live in Leeds.']);
  expect(ada.memories.totalCount).toBe(1);
  expect(ada.memoryCounts).toEqual({ active: expect.any(Number), superseded: 0, archived: 0 });
  expect(ada.entities.nodes.map(({ name }: any) => name)).toEqual(['Leeds']);
  expect(bob.entities.nodes.map(({ name }: any) => name).toSorted()).toEqual(['Grace', 'York']);
  expect(Date.parse(ada.lastActiveAt)).toBeGreaterThan(before);
  const { memories } = await ofInstance(agent, 'memories(filter: { userId: "ada", status: ACTIVE }) { totalCount }');
  expect(ada.memoryCounts.active).toBe(memories.totalCount);
});

test('a user of a customer is told of as that customer’s: nothing of them elsewhere', async () => {
  const agent = await company();
  const about = `userId customerId customers { nodes { customerId } } memories { nodes { content } } memoryCounts { active }`;
  const { users } = await ofInstance(agent, `users(customerId: "zeta") { nodes { ${about} } }`);
  const { user, customer } = await ofInstance(
    agent,
    `user(userId: "ada", customerId: "zeta") { ${about} } customer(customerId: "zeta") { users { nodes { ${about} } } }`,
  );
  expect(users.nodes).toEqual([user]);
  expect(customer.users.nodes).toEqual([user]);
  expect(user).toMatchObject({ userId: 'ada', customerId: 'zeta', customers: { nodes: [{ customerId: 'zeta' }] } });
  expect(JSON.stringify(user)).toContain('tea');
  expect(JSON.stringify(user)).not.toContain('Leeds');
});

test('an instance lists its customers; what is its users’ counts as a customer’s own', async () => {
  const agent = await company();
  const { customers } = await ofInstance(
    agent,
    `customers { nodes {
      customerId users { nodes { userId } } memoryCounts { active } memories { totalCount nodes { content } }
      entities { nodes { name } } documents { nodes { externalId userId } }
    } }`,
  );
  const [acme, zeta] = customers.nodes;
  expect(customers.nodes.map((each: any) => each.customerId)).toEqual(['acme', 'zeta']);
  expect(acme.users.nodes).toEqual([{ userId: 'ada' }, { userId: 'bob' }]);
  expect(acme.memories.totalCount).toBe(acme.memoryCounts.active);
  expect(acme.entities.nodes.map(({ name }: any) => name).toSorted()).toEqual(['Grace', 'Leeds', 'Paris', 'York']);
  expect(acme.documents.nodes.map((each: any) => each.userId)).toEqual([null, 'bob', 'ada']);
  expect(JSON.stringify(zeta)).not.toMatch(/Leeds|York|Paris/);
});

test('who is not known is null', async () => {
  const agent = await company();
  const { nobody, elsewhere, none, there } = await ofInstance(
    agent,
    `nobody: user(userId: "eve") { userId } elsewhere: user(userId: "bob", customerId: "zeta") { userId }
     none: customer(customerId: "hooli") { customerId } there: customer(customerId: "acme") { customerId }`,
  );
  expect([nobody, elsewhere, none]).toEqual([null, null, null]);
  expect(there).toEqual({ customerId: 'acme' });
});

test('whoever is forgotten is not listed any more', async () => {
  const agent = await company();
  const caller = await graphql.world.app.authenticate(`Bearer ${agent.credential}`);
  if (caller.kind !== 'instance') throw new Error('a key');
  await graphql.world.app.forgetOwner(caller.access, { userId: 'ada' });
  const { users, customers } = await ofInstance(agent, 'users { nodes { userId } } customers { nodes { customerId } }');
  expect(users.nodes).toEqual([{ userId: 'bob' }, { userId: 'cleo' }]);
  expect(customers.nodes).toEqual([{ customerId: 'acme' }]);
});

test('conversations are listed newest first, by whose they are and by their state', async () => {
  const agent = await graphql.agent();
  const [ada, atZeta, bob] = [
    { userId: 'ada', customerId: 'acme' },
    { userId: 'ada', customerId: 'zeta' },
    { userId: 'bob', customerId: 'acme' },
  ];
  for (const [id, whose] of [
    ['one', ada],
    ['two', atZeta],
    ['three', bob],
  ] as const)
    await begins(agent, { id, ...whose });
  await agent.ask('mutation { endConversation(id: "one") { __typename } }');
  const list = async (args: string) => {
    const { conversations } = await ofInstance(
      agent,
      `conversations${args} { nodes { externalId state userId customerId } }`,
    );
    return conversations.nodes.map((each: any) => each.externalId);
  };
  expect(await list('')).toEqual(['three', 'two', 'one']);
  expect(await list('(userId: "ada")')).toEqual(['two', 'one']);
  expect(await list('(userId: "ada", customerId: "zeta")')).toEqual(['two']);
  expect(await list('(customerId: "acme")')).toEqual(['three', 'one']);
  expect(await list('(state: ENDED)')).toEqual(['one']);
  expect(await list('(state: OPEN)')).toEqual(['three', 'two']);
  expect(await list('(userId: "eve")')).toEqual([]);
  const { users } = await ofInstance(
    agent,
    'users { nodes { userId conversations(state: OPEN) { nodes { externalId recentMessages { content } } } } }',
  );
  expect(users.nodes).toEqual([
    { userId: 'ada', conversations: { nodes: [{ externalId: 'two', recentMessages: [] }] } },
    { userId: 'bob', conversations: { nodes: [{ externalId: 'three', recentMessages: [] }] } },
  ]);
});

test('documents are listed newest first, with whose they are, how they went and what cites them, and no text', async () => {
  const agent = await company();
  await agent.remembers('I live in Leeds.', {
    userId: 'ada',
    customerId: 'acme',
    documentId: 'again',
    conversationId: 'call',
  });
  const { documents } = await ofInstance(
    agent,
    `documents { nodes {
      id externalId type createdAt receivedAt scope userId customerId conversation { externalId }
      ingestion { status documentId } memories { totalCount nodes { content } }
    } }`,
  );
  const [again, office] = documents.nodes;
  expect(again).toMatchObject({
    id: expect.stringMatching(/^doc_/),
    externalId: 'again',
    type: 'NOTE',
    scope: 'USER',
    userId: 'ada',
    customerId: 'acme',
    conversation: { externalId: 'call' },
    ingestion: { status: 'COMPLETED', documentId: 'again' },
  });
  // It was known before, and is stated here too.
  expect(again.memories.nodes.map(({ content }: any) => content)).toContain('I live in Leeds.');
  expect(again.memories.totalCount).toBe(again.memories.nodes.length);
  expect(office).toMatchObject({
    externalId: 'office',
    scope: 'CUSTOMER',
    userId: null,
    customerId: 'acme',
    conversation: null,
  });
  expect(documents.nodes.length).toBe(6);
  const mine = await ofInstance(agent, 'documents(userId: "ada", customerId: "acme") { nodes { userId customerId } }');
  expect(mine.documents.nodes).toEqual([
    { userId: 'ada', customerId: 'acme' },
    { userId: 'ada', customerId: 'acme' },
  ]);
});

test('pages follow one another without gap or repetition', async () => {
  const agent = await graphql.agent();
  const names = ['ada', 'bob', 'Zoë', 'ångström', 'e/f', '李雷', '1'];
  for (const name of names) await begins(agent, { id: `of-${name}`, userId: name, customerId: `at ${name}` });
  for (const n of [1, 2, 3]) await agent.remembers(`I own ${n} kayaks.`, { userId: 'ada', documentId: `note-${n}` });
  expect(
    (
      await walk(
        agent,
        (args) => `users(${args}) { nodes { userId } pageInfo { hasNextPage endCursor } }`,
        ({ userId }) => userId,
      )
    ).toSorted(),
  ).toEqual(names.toSorted());
  const customers = await walk(
    agent,
    (args) => `customers(${args}) { nodes { customerId } pageInfo { hasNextPage endCursor } }`,
    ({ customerId }) => customerId,
  );
  expect(customers.toSorted()).toEqual(names.map((name) => `at ${name}`).toSorted());
  expect(
    await walk(
      agent,
      (args) => `conversations(${args}) { nodes { externalId } pageInfo { hasNextPage endCursor } }`,
      ({ externalId }) => externalId,
    ),
  ).toEqual(names.toReversed().map((name) => `of-${name}`));
  expect(
    await walk(
      agent,
      (args) => `documents(${args}) { nodes { externalId } pageInfo { hasNextPage endCursor } }`,
      ({ externalId }) => externalId,
    ),
  ).toEqual(['note-3', 'note-2', 'note-1']);
});

test.each([
  ['users', 'first: 101', 'first'],
  ['users', 'after: "nonsense"', 'after'],
  ['users', 'customerId: ""', 'customerId'],
  ['customers', 'first: 0', 'first'],
  ['conversations', 'after: "nonsense"', 'after'],
  ['conversations', 'userId: ""', 'userId'],
  ['documents', 'first: 101', 'first'],
  ['documents', 'after: "L2FkYQ"', 'after'], // of a list of users
])('%s(%s) names what is wrong', async (list, args, field) => {
  const { errors } = await (await graphql.agent()).ask(`{ instance { ${list}(${args}) { nodes { __typename } } } }`);
  expect(errors[0]!.extensions).toMatchObject({ code: 'invalid_input', fields: [{ field }] });
});

test('a page of users with all that hangs on them costs the same number of statements, however long it is', async () => {
  const agent = await company();
  const within = `memories(first: 5) { totalCount nodes { content } } entities(first: 5) { nodes { name } }
    conversations(first: 5) { nodes { id } } documents(first: 5) { nodes { id ingestion { status } memories(first: 5) { totalCount nodes { id } } } }
    memoryCounts { active }`;
  const query = `query ($first: Int!) { instance {
    users(first: $first) { nodes { lastActiveAt customers { nodes { users(first: 5) { nodes { userId } } } } ${within} } }
    customers(first: $first) { nodes { ${within} } }
  } }`;
  const ask = async (first: number) => expect((await agent.ask(query, { first })).errors).toEqual([]);
  /** The least of eight times: who the agent is, is known after the first, and jobs may look for work beside it. */
  const costOf = async (first: number) => {
    const counts: number[] = [];
    for (let time = 0; time < 8; time++) counts.push(await statements(/./, () => ask(first)));
    return Math.min(...counts);
  };
  const forOne = await costOf(1);
  expect(forOne).toBeGreaterThan(5);
  // A statement for each user would be two more. On a busy machine one that confirms the key may fall into every time.
  expect(Math.abs((await costOf(3)) - forOne)).toBeLessThan(2);
});

test('an administrator goes from a client to its instances and back; an API key does not', async () => {
  const administrator = await graphql.administrator('viewer');
  const agent = await graphql.agent();
  const { data, errors } = await administrator.ask<any>(
    `{ instance(id: "${agent.instanceId}") { client { id name state instances(first: 1) { nodes { id client { id } } pageInfo { hasNextPage endCursor } } } } }`,
  );
  expect(errors).toEqual([]);
  const { client } = data.instance;
  const [newest] = client.instances.nodes;
  expect(newest).toEqual({ id: agent.instanceId, client: { id: client.id } });
  const next = await administrator.ask<any>(
    `{ client(id: "${client.id}") { instances(first: 1, after: "${client.instances.pageInfo.endCursor}") { nodes { id } } } }`,
  );
  expect(next.data.client.instances.nodes.map(({ id }: any) => id)).not.toContain(agent.instanceId);

  const refused = await agent.ask<any>('{ instance { id client { name } } }');
  expect(refused.data.instance).toEqual({ id: agent.instanceId, client: null });
  expect(refused.errors[0]!.extensions.code).toBe('forbidden');
});

test('clients, their instances and whose these are cost a call each, however many there are', async () => {
  const administrator = await graphql.administrator();
  for (const name of ['one', 'two']) {
    const { data } = await administrator.ask<any>(
      `mutation { createClient(name: "${name}") { ... on Client { id } } }`,
    );
    await graphql.world.app.createInstance(graphql.world.admin, {
      name: `${name} of it`,
      clientId: data.createClient.id,
    });
  }
  graphql.calls();
  const { data, errors } = await administrator.ask<any>(
    '{ clients(first: 2) { nodes { name instances(first: 5) { nodes { name client { name } } } } } }',
  );
  expect(errors).toEqual([]);
  expect(data.clients.nodes).toEqual(
    ['two', 'one'].map((name) => ({ name, instances: { nodes: [{ name: `${name} of it`, client: { name } }] } })),
  );
  expect(graphql.calls()).toEqual({ administration: 3, countAdminCall: 1 });
});
