import {
  buildSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InstanceId } from '../../../src/domain/ids.ts';
import { typeDefs } from '../../../src/transports/graphql/schema.ts';
import { openWorld } from '../../support/world.ts';
import { openGraphql, type Client } from './open-graphql.ts';

type Field = GraphQLField<unknown, unknown>;

const objects = Object.values(buildSchema(typeDefs).getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
);
const fields = objects.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, type, field })),
);
const isConnection = ({ type }: Field) => getNamedType(type).name.endsWith('Connection');
const lists = fields.filter(({ field }) => isConnection(field));

/** Lists of objects that are no connections, and what bounds each. */
const bounded: Record<string, string> = {
  'Anticipation.days': 'at most 366 days are asked for',
  'Bundle.memories': 'standing memories and ten others',
  'DerivedSetting.lines': 'the lines of a file that one setting cites',
  'Compaction.memories': 'what was extracted of one conversation',
  'Compaction.pins': 'what one conversation binds word for word',
  'Configuration.categories': 'a configuration has at most 100',
  'Configuration.excluded': 'a configuration has at most 100',
  'Configuration.history': 'the steps of one version',
  'ConfigurationDifference.changes': 'the settings of one version',
  'Context.memories': 'at most `maxResults`',
  'Conversation.recentMessages': 'at most `last`',
  'ConversationContext.recentMessages': 'ten messages',
  'ConversationEnded.ingestions': 'made by one call',
  'ConversationTurn.anticipated': 'at most 100 memories',
  'Entity.evidence': 'a sample of at most `first`; `memories` is the list',
  'Entity.merges': 'the merges of one entity',
  'Explanation.defaultedSettings': 'one for a setting',
  'Explanation.derivedSettings': 'one for a setting',
  'Ingestion.memories': 'what one document states',
  'Instance.latency': 'the buckets of a time that is bounded',
  'Instance.memoriesByDay': 'at most 366 days',
  'Instance.operations': 'the buckets of a time that is bounded',
  'InvalidInput.fields': 'twenty mistakes',
  'Memory.entities': 'what one memory mentions',
  'Memory.evidence': 'where one memory is stated',
  'Memory.supersedes': 'at most `first`, the latest of them',
  'Merge.features': 'the comparisons of two names',
  'MessagesAdded.ingestions': 'made by one call',
  'OnboardingPreview.changes': 'the settings of one version',
  'Query.conversationTurns': 'at most 200 turns',
  'EntityMatchReview.features': 'the comparisons of two names',
  'EntityMatchReviewSide.evidence': 'three mentions',
  'ScoredMemory.scoreParts': 'the parts of one score',
  'TranscriptRecorded.ingestions': 'made by one call',
  'Usage.tokens': 'one for a provider and purpose',
  'UserProfile.identity': 'at most twenty',
  'UserProfile.preferences': 'at most twenty',
  'UserProfile.recent': 'at most twenty',
  'UserProfile.standing': 'at most twenty',
  'Viewer.memberships': 'the clients of one user',
  'WebhookDelivery.attempts': 'the last twenty',
};

describe('the schema', () => {
  test('has no other list of objects than connections and those that are bounded by what they are', () => {
    const others = fields
      .filter(({ type, field }) => {
        const inner = isNonNullType(field.type) ? field.type.ofType : field.type;
        if (!isListType(inner) || !isObjectType(getNamedType(field.type))) return false;
        return !type.name.endsWith('Connection');
      })
      .map(({ name }) => name);
    expect(others.toSorted()).toEqual(Object.keys(bounded).toSorted());
  });

  test.each(lists)('$name is asked for by first, after and orderBy', ({ field }) => {
    const named = field.args.map(({ name }) => name);
    expect(named).toEqual(expect.arrayContaining(['first', 'after', 'orderBy']));
  });

  test.each(objects.filter(({ name }) => name.endsWith('Connection')))('$name has the form of Relay', (type) => {
    const { nodes, edges, pageInfo, totalCount, isTotalCapped } = type.getFields();
    const edge = getNamedType(edges!.type) as GraphQLObjectType;
    expect([edges!.type.toString(), pageInfo!.type.toString()]).toEqual([`[${edge.name}!]!`, 'PageInfo!']);
    expect(edge.getFields()['node']!.type.toString()).toBe(nodes!.type.toString().slice(1, -2));
    expect(edge.getFields()['cursor']!.type.toString()).toBe('String!');
    if (totalCount) {
      expect(totalCount.description).toContain('10,000');
      expect(isTotalCapped!.type.toString()).toBe('Boolean!');
    } else expect(type.description).toContain('It has no `totalCount`');
  });
});

const graphql = openGraphql({ world: openWorld({}) }); // its own: what other files make would be listed too
let owner: Client;
let instanceId: string;
let clientId: string;
let entityId: string;
let webhookId: string;

/** Two of everything that can be listed. */
beforeAll(async () => {
  owner = await graphql.administrator('owner');
  const agent = await graphql.agent();
  instanceId = agent.instanceId;
  await agent.remembers('I live in Leeds with Grace.', { userId: 'ada', customerId: 'acme', documentId: 'twice' });
  await agent.remembers('I love tea. I work at Initech. I work with Grace in Leeds.', {
    userId: 'ada',
    customerId: 'zeta',
  });
  await agent.remembers('I live in York.', { userId: 'bob', customerId: 'acme' });
  for (const [id, userId] of [
    ['one', 'ada'],
    ['two', 'ada'],
  ])
    await agent.ask(
      `mutation { startConversation(input: { id: "${id}", userId: "${userId}", customerId: "acme" }) { __typename } }`,
    );
  for (const content of ['I live in Leeds.', 'Never call me before nine.']) {
    const message = `{ role: "user", content: "${content}" }`;
    await agent.ask(
      `mutation { addMessages(input: { conversationId: "one", messages: [${message}] }) { __typename } }`,
    );
    await agent.ask('mutation { compactConversation(input: { conversationId: "one" }) { __typename } }');
  }
  await owner.ask(`mutation { createKey(input: { instanceId: "${instanceId}", label: "another" }) { __typename } }`);
  for (let w = 0; w < 2; w++) {
    const input = '{ url: "http://127.0.0.1:9/", eventTypes: [CONVERSATION_STARTED] }';
    const made = await agent.ask<any>(
      `mutation { createWebhook(input: ${input}) { ... on WebhookWithSecret { webhook { id } } } }`,
    );
    webhookId = made.data.createWebhook.webhook.id;
    for (let n = 0; n < 2; n++) await agent.ask(`mutation { testWebhook(id: "${webhookId}") { __typename } }`);
    await agent.ask(`mutation { updateWebhook(id: "${webhookId}", input: { state: DISABLED }) { __typename } }`);
  }
  await owner.ask('mutation { createAdminToken(role: VIEWER) { secret } }');
  await owner.ask('mutation { createClient(name: "another") { __typename } }');
  await owner.ask(
    `mutation { setProviders(input: { instanceId: "${instanceId}", extraction: "none" }) { __typename } }`,
  );
  await owner.ask('mutation { createInstance(input: { name: "another" }) { __typename } }');
  const { data } = await owner.ask<any>(
    `{ instance(id: "${instanceId}") { clientId entities(filter: { q: "Leeds" }) { nodes { id } } } }`,
  );
  clientId = data.instance.clientId;
  entityId = data.instance.entities.nodes[0].id;
  for (const email of ['grace@example.com', 'heidi@example.com'])
    await owner.ask(
      `mutation { inviteMember(email: "${email}", role: VIEWER, clientId: "${clientId}") { __typename } }`,
    );
});

const inInstance = (field: string) => `instance(id: "${instanceId}") { ${field} }`;
/** How each list is reached; a test below fails for one that is not here. */
const reached: Record<string, (list: string) => string> = {
  'Query.adminTokens': (list) => list,
  'Query.clients': (list) => list,
  'Query.invitations': (list) => list.replace('(', `(clientId: "${clientId}", `),
  'Query.members': (list) => list.replace('(', `(clientId: "${clientId}", `),
  'Query.instances': (list) => list,
  'Query.compactions': (list) => list.replace('(', `(instanceId: "${instanceId}", conversationId: "one", `),
  'Query.configurations': (list) => list.replace('(', `(instanceId: "${instanceId}", `),
  'Query.entities': (list) => list.replace('(', `(instanceId: "${instanceId}", `),
  'Query.webhooks': (list) => list.replace('(', `(instanceId: "${instanceId}", `),
  'Webhook.deliveries': (list) => `webhook(instanceId: "${instanceId}", id: "${webhookId}") { ${list} }`,
  'Query.memories': (list) => list.replace('(', `(instanceId: "${instanceId}", `),
  'Query.expiringMemories': (list) => list.replace('(', `(instanceId: "${instanceId}", at: "2100-01-01", `),
  'Query.entityMatchReviews': (list) => list.replace('(', `(instanceId: "${instanceId}", `),
  'Client.audit': (list) => `client(id: "${clientId}") { ${list} }`,
  'Client.instances': (list) => `client(id: "${clientId}") { ${list} }`,
  'Client.usage': (list) => `client(id: "${clientId}") { ${list} }`,
  ...Object.fromEntries(
    lists.filter(({ type }) => type.name === 'Instance').map(({ name }) => [name, (list: string) => inInstance(list)]),
  ),
  ...Object.fromEntries(
    lists
      .filter(({ type }) => type.name === 'User')
      .map(({ name }) => [name, (list: string) => inInstance(`user(userId: "ada") { ${list} }`)]),
  ),
  ...Object.fromEntries(
    lists
      .filter(({ type }) => type.name === 'Customer')
      .map(({ name }) => [name, (list: string) => inInstance(`customer(customerId: "acme") { ${list} }`)]),
  ),
  'Document.memories': (list) => inInstance(`documents(first: 1) { nodes { ${list} } }`),
  'Entity.memories': (list) => `entity(instanceId: "${instanceId}", id: "${entityId}") { ${list} }`,
};

interface Listed {
  readonly nodes: readonly unknown[];
  readonly edges: readonly { cursor: string }[];
  readonly pageInfo: Record<'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor', unknown>;
  readonly totalCount?: number;
  readonly isTotalCapped?: boolean;
}

/** The list, wherever in the answer it is. */
const listIn = (data: unknown): Listed =>
  (data as Listed).pageInfo
    ? (data as Listed)
    : listIn(Array.isArray(data) ? data[0] : Object.values(data as object)[0]);

async function ask({ name, field }: { name: string; field: Field }, args: string) {
  const counts = 'totalCount' in (getNamedType(field.type) as GraphQLObjectType).getFields();
  const selection = `nodes { __typename } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    ${counts ? 'totalCount isTotalCapped' : ''}`;
  const { data, errors } = await owner.ask(`{ ${reached[name]!(`${field.name}(${args}) { ${selection} }`)} }`);
  return { page: () => (expect(errors).toEqual([]), listIn(data)), errors };
}

async function walk(list: { name: string; field: Field }, order: string): Promise<string[]> {
  const cursors: string[] = [];
  for (let after = ''; cursors.length < 200;) {
    const { page } = await ask(list, `first: 1, orderBy: ${order}${after && `, after: "${after}"`}`);
    const { edges, pageInfo } = page();
    cursors.push(...edges.map(({ cursor }) => cursor));
    expect(pageInfo.hasPreviousPage).toBe(after !== '');
    if (!pageInfo.hasNextPage) return cursors;
    after = String(pageInfo.endCursor);
  }
  throw new Error(`${list.name} does not end`);
}

const ordersOf = (field: Field) =>
  field.args.find(({ name }) => name === 'orderBy')!.type.toString() === 'IdOrder!'
    ? ['ASCENDING', 'DESCENDING']
    : ['NEWEST_FIRST', 'OLDEST_FIRST'];
/** A cursor without the direction that it was given in. */
const placeIn = (cursor: string) =>
  Buffer.from(cursor, 'base64url')
    .toString()
    .replace(/[|](asc|desc)[|]/, '|');

describe.each(lists)('$name', (list) => {
  test('is walked page by page in either order, and counted', async () => {
    const [forth, back] = ordersOf(list.field);
    const cursors = await walk(list, forth!);
    expect(new Set(cursors).size).toBe(cursors.length);
    expect((await walk(list, back!)).map(placeIn)).toEqual(cursors.map(placeIn).toReversed());
    const { totalCount = cursors.length, isTotalCapped = false } = (await ask(list, 'first: 1')).page();
    expect([totalCount, isTotalCapped]).toEqual([cursors.length, false]);
  });

  test('refuses the cursor of another list, of the other order, and of none', async () => {
    const [forth, back] = ordersOf(list.field);
    const other = list.field.name === 'users' ? 'memories' : 'users';
    const foreign = listIn(
      (await owner.ask(`{ ${inInstance(`${other}(first: 1) { edges { cursor } pageInfo { endCursor } }`)} }`)).data,
    );
    const [own] = (await ask(list, `first: 1, orderBy: ${forth}`)).page().edges;
    const wrong = [`after: "${foreign.edges[0]!.cursor}"`, 'after: "nonsense"'];
    if (own) wrong.push(`orderBy: ${back}, after: "${own.cursor}"`);
    for (const args of wrong) {
      const { errors } = await ask(list, args);
      expect({ args, ...errors[0]?.extensions }).toMatchObject({
        args,
        code: 'invalid_input',
        fields: [{ field: 'after' }],
      });
      expect(errors[0]!.message).toMatch(/^after: /);
    }
  });
});

test('most lists have something to walk, so that the order is shown', async () => {
  const short: string[] = [];
  for (const list of lists) if ((await walk(list, ordersOf(list.field)[0]!)).length < 2) short.push(list.name);
  expect(short).toEqual(['Query.entityMatchReviews', 'Query.members', 'Client.usage']); // members: those who accepted
});

test('a count stops at 10,000 and says that there are more', async () => {
  const other = await graphql.agent();
  const access = await graphql.world.app.accessAsAdmin(graphql.world.admin, other.instanceId as InstanceId);
  await graphql.world.deps.db.$executeRaw`
    INSERT INTO api_key (i, id, hash, last4)
    SELECT ${access.instanceNumber}, gen_random_uuid(), sha256(('many/' || n)::bytea), 'many' FROM generate_series(1, 10000) AS n`;
  const { data } = await owner.ask<any>(
    `{ instance(id: "${other.instanceId}") { keys(first: 1) { totalCount isTotalCapped } } }`,
  );
  expect(data.instance.keys).toEqual({ totalCount: 10_000, isTotalCapped: true });
});
