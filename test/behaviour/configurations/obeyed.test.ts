import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationOf } from '../../../src/domain/configurations/configuration-store.ts';
import { defaultConfiguration, type Configuration } from '../../../src/domain/configurations/configuration.ts';
import { generateByRules } from '../../../src/domain/generation/generate.ts';
import type { Submission } from '../../../src/domain/ingestion/ingestion.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { configure, configured as configuredInstance } from '../../support/configured.ts';
import { openWorld } from '../../support/world.ts';

const world = openWorld();

/** A new instance with these settings in force. */
const configured = async (settings: Partial<Configuration>) => (await configuredInstance(world, settings)).access;

const category = (name: string, description = '', examples: string[] = []) => ({ name, description, examples });

/** What is remembered of a note, with its category. */
async function remembered(
  settings: Partial<Configuration>,
  document: Submission['document'],
  more: Partial<Submission> = {},
) {
  const access = await configured(settings);
  await world.app.submit(access, { document, documentType: 'note', mode: 'fast', userId: 'ada', ...more });
  await world.settle();
  const { data } = await world.app.memories(access, {}, { limit: 100 });
  return data;
}

const said = 'I ordered hiking boots last week. I am allergic to peanuts. I feel sad because the boots were late.';

test('types that are off are not remembered', async () => {
  const memories = await remembered({ memory_types: ['facts'] }, said);
  expect(memories.length).toBeGreaterThan(0);
  expect(new Set(memories.map(({ type }) => type))).toEqual(new Set(['facts']));
});

test('memories go into categories of one’s own, and the rest into other', async () => {
  const categories = [category('past-orders', 'What they bought', ['I ordered a tent']), category('other')];
  const memories = await remembered({ categories }, said);
  const categoryOf = (words: RegExp) =>
    new Set(memories.filter(({ content }) => words.test(content)).map((each) => each.category));
  expect(categoryOf(/ordered/)).toContain('past-orders');
  expect([...categoryOf(/peanuts/)].every((each) => ['other', 'past-orders'].includes(each))).toBe(true);
});

test('without other, what fits no category is not kept', async () => {
  const memories = await remembered({ categories: [category('allergies', 'What they must not eat')] }, said);
  expect(memories.length).toBeGreaterThan(0);
  for (const { content, category: name } of memories)
    expect([name, content]).toEqual(['allergies', expect.stringMatching(/allergic/)]);
});

test('a memory is not corrected to what is excluded', async () => {
  const access = await configured({ excluded: [category('credit-card-numbers')] });
  await world.app.submit(access, { document: 'I like rowing.', documentType: 'note', mode: 'fast', userId: 'ada' });
  await world.settle();
  const [rowing] = (await world.app.memories(access, {}, { limit: 1 })).data;
  const corrected = world.app.correctMemory(access, rowing!.id, { content: 'You can charge 4111111111111111.' });
  await expect(corrected).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'content' }] });
});

test('what is excluded is never remembered, whatever type it has', async () => {
  const categories = defaultConfiguration.categories.filter(({ name }) => name !== 'health');
  const memories = await remembered({ categories, excluded: [category('health')] }, said);
  expect(memories.length).toBeGreaterThan(0);
  expect(memories.filter(({ content }) => /allergic/.test(content))).toEqual([]);
});

test('what is excluded is not kept word for word either, and a warning says so', async () => {
  const access = await configured({ excluded: [category('payment-card-numbers')] });
  const keep = (document: string) => {
    const record = { document, documentType: 'note', mode: 'verbatim', userId: 'ada' } as const;
    return world.app.submitAndWait(access, record, { ms: 20_000, signal: new AbortController().signal });
  };
  expect(await keep('card: 4111 1111 1111 1111')).toMatchObject({
    status: 'completed',
    memoryIds: [],
    discarded: 1,
    warnings: [expect.stringMatching(/`excluded`/)],
  });
  expect(await keep('card: on file')).toMatchObject({ memoryIds: [expect.any(String)], warnings: [] });
});

test('what the shop’s file excludes is in no memory, passages and quotes included', async () => {
  const { excluded, categories } = generateByRules(readFileSync('docs/use-cases/shop.md', 'utf8')).configuration;
  const turns = [
    'You can charge 4111111111111111.',
    'I love hiking boots, and my Visa is 4111 1111 1111 1111, exp 04/29, cvv 123.',
    'I live at 12 Elm Street, Leeds.',
    'I need a new home for my cat, what address is the shelter?',
    'Credit where due, your card game numbers are great',
  ];
  const document = turns.map((content) => ({ role: 'user', content }));
  const memories = await remembered({ excluded, categories }, document, { documentType: 'ai-chat-conversation' });
  const allowed = turns.slice(3);
  expect(memories.map(({ content }) => content)).toEqual(expect.arrayContaining(allowed));
  for (const { content } of memories)
    expect(content).toSatisfy((text: string) => text !== '' && allowed.join(' ').includes(text));
  expect(JSON.stringify(memories)).not.toMatch(/4111|Elm/);
});

test('a threshold that nothing reaches keeps nothing but what was said', async () => {
  const memories = await remembered({ confidence_threshold: 0.999 }, said);
  expect(memories.filter(({ type }) => type !== 'episodes')).toEqual([]);
});

test('with the primary scope CUSTOMER, a ticket is the customer’s and a chat its user’s; a conversation stays its user’s', async () => {
  const access = await configured({
    primary_scope: 'CUSTOMER',
    customer_documents: ['support-ticket'],
    isolation: 'b2b',
  });
  const named = { userId: 'ada', customerId: 'acme', conversationId: 'talk', mode: 'fast' } as const;
  await world.app.submit(access, { ...named, document: 'I own a red kayak.', documentType: 'support-ticket' });
  await world.app.submit(access, { ...named, document: 'I own a blue canoe.', documentType: 'ai-chat-conversation' });
  await world.settle();
  const { data } = await world.app.memories(access, {}, { limit: 100 });
  const scopes = new Set(data.map(({ scope, content }) => `${scope} ${/kayak/.test(content) ? 'kayak' : 'canoe'}`));
  expect(scopes).toEqual(new Set(['CUSTOMER kayak', 'USER canoe']));
  const asks = (userId: string) =>
    world.app.fetchContext(access, { searchQueries: ['what do I own?'], explain: false, userId, customerId: 'acme' });
  const colleague = (await asks('bob')).memories.map(({ content }) => content).join();
  expect(colleague).toMatch(/kayak/);
  expect(colleague).not.toMatch(/canoe/);
  await expect(world.app.fetchContext(access, { searchQueries: ['x'], explain: false, userId: 'ada' })).rejects.toThrow(
    /customer_id/,
  );
});

test('a ticket that is the customer’s stays when the user who wrote it is forgotten', async () => {
  const access = await configured({ primary_scope: 'CUSTOMER', customer_documents: ['support-ticket'] });
  const named = { userId: 'ada', customerId: 'acme', conversationId: 'talk', mode: 'fast' } as const;
  await world.app.submit(access, { ...named, document: 'I own a red kayak.', documentType: 'support-ticket' });
  await world.app.submit(access, { ...named, document: 'I own a blue canoe.', documentType: 'ai-chat-conversation' });
  await world.settle();
  await world.app.forgetOwner(access, { userId: 'ada' });
  const { data } = await world.app.memories(access, {}, { limit: 100 });
  expect(new Set(data.map(({ content }) => content))).toEqual(new Set(['I own a red kayak.']));
  await world.app.forgetOwner(access, { customerId: 'acme' });
  expect((await world.app.memories(access, {}, { limit: 100 })).data).toEqual([]);
});

test('with the primary scope CLIENT a document may name nobody', async () => {
  const access = await configured({ primary_scope: 'CLIENT' });
  await world.app.submit(access, { document: 'We deploy on Mondays.', documentType: 'note', mode: 'fast' });
  await world.settle();
  const { data } = await world.app.memories(access, {}, { limit: 10 });
  expect(data[0]).toMatchObject({ scope: 'CLIENT', configurationVersion: 2 });
  const fetched = await world.app.fetchContext(access, { searchQueries: ['When do we deploy?'], explain: false });
  expect(fetched.warnings).toEqual([]); // a fetch may name nobody either
});

test('a fetch that says nothing does as the configuration says', async () => {
  const retrieval = { mode: 'accurate', max_results: 2, context_budget: null } as const;
  const access = await configured({ retrieval });
  const tell = async (reader: Access) => {
    const note = { documentType: 'note', mode: 'fast', userId: 'ada' } as const;
    for (const thing of ['kayak', 'canoe', 'tent', 'stove', 'lamp']) {
      await world.app.submit(reader, { ...note, document: `I own a ${thing}.` });
    }
    await world.settle();
  };
  await tell(access);
  const query = { searchQueries: ['what do I own?'], userId: 'ada', explain: true };
  const context = await world.app.fetchContext(access, query);
  expect(context.memories).toHaveLength(2);
  expect(Object.keys(context.memories[0]!.parts!).length).toBeGreaterThan(1); // only what is reranked has several parts
  expect((await world.app.fetchContext(access, { ...query, maxResults: 4 })).memories).toHaveLength(4);
  const small = await configured({ retrieval: { mode: 'fast', max_results: 10, context_budget: 8 } });
  await tell(small);
  expect(await world.app.fetchContext(small, query)).toMatchObject({ budgetExceeded: true });
});

test('memories keep the category and the version they were made with', async () => {
  const access = await configured({});
  await world.app.submit(access, { document: said, documentType: 'note', mode: 'fast', userId: 'ada' });
  await world.settle();
  const before = (await world.app.memories(access, {}, { limit: 100 })).data;
  const version = await configure(world, access, { categories: [category('other')] });
  const after = (await world.app.memories({ ...access, configurationVersion: version }, {}, { limit: 100 })).data;
  expect(after.map(({ id, category: name, configurationVersion }) => [id, name, configurationVersion])).toEqual(
    before.map(({ id, category: name, configurationVersion }) => [id, name, configurationVersion]),
  );
  expect(new Set(before.map((each) => each.configurationVersion))).toEqual(new Set([2]));
});

test('a configuration that an earlier release stored is read, with its thresholds by their present name', async () => {
  const { access } = await world.instance();
  const { entity_match_thresholds: _, ...settings } = defaultConfiguration;
  const stored = JSON.stringify({ ...settings, entity_bands: { merge: 0.98, review: 0.7 } });
  const body = access.keys.seal('configuration.body', `${access.instance}/2`, stored);
  await world.deps.db.configuration.create({
    data: { instanceNumber: access.instanceNumber, version: 2, state: 'active', body },
  });
  expect(await configurationOf(world.deps.db, access, 2)).toEqual({
    ...settings,
    entity_match_thresholds: { merge: 0.98, review: 0.7 },
  });
});
