import { describe, expect, test } from 'vitest';
import type { Access, Scope } from '../../src/domain/tenancy/access.ts';
import { day } from '../support/person.ts';
import { configure, configured } from '../support/configured.ts';
import { openWorld, type World } from '../support/world.ts';

const world = openWorld();
const question = 'What is the colour of the front door?';

/** Doors of several colours, each somebody's. */
async function doors(w: World): Promise<Access> {
  const { access } = await w.instance();
  const homes = {
    indigo: { user: 'anna' },
    emerald: { user: 'cora', customer: 'acme' },
    ivory: { user: '', customer: 'acme' },
    amber: { user: 'dora', customer: 'zeta' },
  };
  for (const [colour, { user, ...of }] of Object.entries(homes)) {
    const owner = await w.user(user, { access, ...of });
    await owner.says(`The colour of the front door is ${colour}.`, undefined, user ? {} : { userId: undefined });
  }
  return access;
}

describe('who reads what', () => {
  test.each([
    { case: 'nobody named: the client’s only', named: {}, sees: [] },
    { case: 'a user: their own', named: { userId: 'anna' }, sees: ['indigo'] },
    { case: 'a user with a customer, who names none: all of theirs', named: { userId: 'cora' }, sees: ['emerald'] },
    { case: 'a user with their customer', named: { userId: 'cora', customerId: 'acme' }, sees: ['emerald', 'ivory'] },
    { case: 'a user with another customer', named: { userId: 'cora', customerId: 'zeta' }, sees: [] },
    { case: 'a customer: what is the customer’s, not its users’', named: { customerId: 'acme' }, sees: ['ivory'] },
    {
      case: 'a user without a customer beside one',
      named: { userId: 'anna', customerId: 'acme' },
      sees: ['indigo', 'ivory'],
    },
    { case: 'a new user', named: { userId: 'nobody' }, sees: [] },
  ])('$case', async ({ named, sees }) => {
    const access = await (opened ??= doors(world));
    for (const mode of ['fast', 'accurate'] as const) {
      const query = { searchQueries: [question], mode, maxResults: 100, explain: false };
      const { memories } = await world.app.fetchContext(access, { ...query, ...named });
      const colours = memories.map((memory) => /is (\w+)\.$/.exec(memory.content)?.[1]);
      expect([...new Set(colours)].toSorted()).toEqual(sees);
    }
  });
});
let opened: Promise<Access> | undefined;

describe('a fetch of some scopes only', () => {
  test.each([
    { scopes: ['USER'], sees: ['emerald'] },
    { scopes: ['CUSTOMER'], sees: ['ivory'] },
    { scopes: ['USER', 'CUSTOMER'], sees: ['emerald', 'ivory'] },
    { scopes: ['CLIENT', 'WORLD'], sees: [] },
  ] as const)('$scopes', async ({ scopes, sees }) => {
    const access = await (opened ??= doors(world));
    for (const searchQueries of [[question], []]) {
      const query = { searchQueries, userId: 'cora', customerId: 'acme', scopes, maxResults: 1, explain: false };
      const first = await world.app.fetchContext(access, query);
      const all = await world.app.fetchContext(access, { ...query, maxResults: 100 });
      const colours = all.memories.map((memory) => /is (\w+)\.$/.exec(memory.content)?.[1]);
      expect([...new Set(colours)].toSorted()).toEqual(sees);
      expect(first.memories).toHaveLength(Math.min(1, sees.length)); // others take nobody's place
    }
  });
});

test('the prompt of a fetch of some scopes has no standing memories of others', async () => {
  const cora = await world.user('cora', { customer: 'acme' });
  await cora.says('From now on, always answer in metric units.');
  const promptOf = async (...scopes: Scope[]) =>
    (await cora.fetches('Which units?', { format: 'prompt', scopes })).prompt;
  expect(await promptOf('USER')).toContain('metric units');
  expect(await promptOf('CUSTOMER')).toBe('');
});

test.each([
  { first: 'acme', second: undefined },
  { first: undefined, second: 'acme' },
])('what a user said last of an attribute answers, with a customer or without: $second', async ({ first, second }) => {
  const { access } = await world.instance();
  const says = async (text: string, at: Date, customer?: string) =>
    (await world.user('ada', { access, ...(customer && { customer }) })).says(text, at);
  await says('I live in Leeds.', day(1), first);
  await says('I live in York.', day(2), second);
  const ada = await world.user('ada', { access, customer: 'acme' });
  expect((await ada.recalls('Where do I live?'))[0]).toBe('I live in York.');
});

test('where customers are kept apart, nothing is accepted of a user without a customer: nobody could read it', async () => {
  const { access } = await configured(world, { isolation: 'b2b' });
  const refusal = { code: 'invalid_input', fields: [{ field: 'customer_id' }] };
  const userId = 'ada';
  const note = { document: 'I own a red kayak.', documentType: 'note', mode: 'fast' } as const;
  await expect(world.app.submit(access, { ...note, userId })).rejects.toMatchObject(refusal);
  const everybodys = { ...note, userId, scope: 'CLIENT' } as const; // which everybody can read
  expect(await world.app.submit(access, everybodys)).toMatchObject({ error: null });
  const inConversation = world.app.submit(access, { ...everybodys, conversationId: 'talk' });
  await expect(inConversation).rejects.toMatchObject(refusal); // it would be bound to the user
  const messages = [{ role: 'user', content: 'I own a red kayak.' }] as const;
  const said = { conversationId: 'talk', userId, messages };
  await expect(world.app.addMessages(access, said)).rejects.toMatchObject(refusal);
  await world.app.addMessages(access, { ...said, customerId: 'acme' });
  await world.app.addMessages(access, said); // the conversation names the customer
  expect(await world.app.submit(access, { ...note, userId, conversationId: 'talk' })).toMatchObject({ error: null });
});

test('a conversation that began before customers were kept apart stays its user’s', async () => {
  const { access, key } = await world.instance();
  const messages = [{ role: 'user', content: 'I own a red kayak.' }] as const;
  await world.app.addMessages(access, { conversationId: 'talk', userId: 'ada', messages });
  await configure(world, access, { isolation: 'b2b' });
  const later = (await world.app.authenticate(`Bearer ${key}`)) as { access: Access };
  const { ingestionIds } = await world.app.endConversation(later.access, { conversationId: 'talk' });
  expect(ingestionIds).toHaveLength(1);
});

test('a document that names nobody is refused with the field to fill', async () => {
  const nobody = await world.user('x');
  await expect(nobody.says('The office closes at seven.', undefined, { userId: undefined })).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [{ field: 'user_id' }],
  });
});

describe('conversations', () => {
  test('a fetch that names only the conversation inherits whose it is', async () => {
    const ada = await world.user('ada');
    await ada.says('My boat is called Albatross.', undefined, { conversationId: 'harbour' });
    const recalled = await ada.recalls('What is my boat called?', { userId: undefined, conversationId: 'harbour' });
    expect(recalled).toContain('My boat is called Albatross.');
  });

  test('a fetch may not name somebody else for it', async () => {
    const ada = await world.user('ada');
    await ada.says('My boat is called Albatross.', undefined, { conversationId: 'harbour' });
    const asked = ada.fetches('boat', { userId: 'bob', conversationId: 'harbour' });
    await expect(asked).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'user_id' }] });
  });

  test('an unknown one without a user is not found; with one it is bound to them', async () => {
    const ada = await world.user('ada');
    await expect(ada.fetches('boat', { userId: undefined, conversationId: 'new' })).rejects.toMatchObject({
      code: 'context_not_found',
    });
    expect((await ada.fetches('boat', { conversationId: 'new' })).memories).toEqual([]);
    await expect(ada.fetches('boat', { userId: 'bob', conversationId: 'new' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('the same id in another instance is another conversation', async () => {
    const ada = await world.user('ada');
    await ada.says('My boat is called Albatross.', undefined, { conversationId: 'harbour' });
    const stranger = await world.user('ada');
    await expect(stranger.fetches('boat', { userId: undefined, conversationId: 'harbour' })).rejects.toMatchObject({
      code: 'context_not_found',
    });
  });
});
