import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { day } from '../../support/person.ts';
import { openDoors } from '../../support/open-doors.ts';

const doors = openDoors();
const { world } = doors;
let key: string;
let access: Access;

beforeAll(async () => {
  ({ key, access } = await world.instance());
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.', day(1));
  await ada.says('I live in York now.', day(2));
  await ada.says('I love rye bread.', day(3));
  await ada.says('I met Odile Brandt at the harbour.', day(4));
  await ada.says('Mrs. Brandt repaired the harmonium.', day(5));
});

async function ask(query: string): Promise<any> {
  const { data, errors } = (await doors.ask(key, query)).json();
  if (errors) throw new Error(errors[0].extensions.code + ': ' + errors[0].message);
  return data;
}

describe('memories', () => {
  test('one names those whose place it took', async () => {
    const { memories } = await ask(`{ memories(filter: { statuses: [ACTIVE], q: "York" }, first: 10) {
      nodes { content supersedes { content status supersededReason } } } }`);
    const replaced = memories.nodes.flatMap((memory: any) => memory.supersedes);
    expect(replaced).toContainEqual({
      content: 'I live in Leeds.',
      status: 'SUPERSEDED',
      supersededReason: expect.any(String),
    });
  });

  test('are listed by several types and states at once', async () => {
    const list = async (filter: string) =>
      (await ask(`{ memories(filter: ${filter}, first: 100) { nodes { type status } totalCount } }`)).memories;
    const both = await list('{ types: [FACTS, PREFERENCES] }');
    const [facts, preferences] = [await list('{ types: [FACTS] }'), await list('{ type: PREFERENCES }')];
    expect(facts.totalCount).toBeGreaterThan(0);
    expect(preferences.totalCount).toBeGreaterThan(0);
    expect(both.totalCount).toBe(facts.totalCount + preferences.totalCount);
    const ended = await list('{ types: [FACTS], statuses: [SUPERSEDED, ARCHIVED] }');
    expect(new Set(ended.nodes.map(({ status }: any) => status))).toEqual(new Set(['SUPERSEDED']));
    await expect(list('{ types: [] }')).rejects.toThrow('types: must not be empty');
  });
});

test('an answered review is in the history of the queue', async () => {
  const queue = async (status: string) =>
    (await ask(`{ entityMatchReviews(status: ${status}) { nodes { id status decidedAt } } }`)).entityMatchReviews.nodes;
  const [open] = await queue('OPEN');
  expect(open).toMatchObject({ status: 'OPEN', decidedAt: null });
  await ask(`mutation { rejectEntityMatch(id: "${open.id}") { __typename } }`);
  expect(await queue('OPEN')).toEqual([]);
  expect(await queue('REJECTED')).toEqual([{ id: open.id, status: 'REJECTED', decidedAt: expect.any(String) }]);
  expect(await queue('CONFIRMED')).toEqual([]);
});

test('a user is forgotten with a receipt, and nobody is not found', async () => {
  const eve = await world.user('eve', { access });
  await eve.says('I keep bees.', day(6));
  const forget =
    'mutation { forgetUser(userId: "eve") { __typename ... on DeletionReceipt { memoryIds removed { rows } } } }';
  const { forgetUser: receipt } = await ask(forget);
  expect(receipt).toMatchObject({
    __typename: 'DeletionReceipt',
    memoryIds: expect.arrayContaining([expect.any(String)]),
  });
  expect((await ask('{ memories(filter: { userId: "eve" }) { totalCount } }')).memories.totalCount).toBe(0);
  expect((await ask(forget)).forgetUser).toEqual({ __typename: 'NotFound' });
});

test('a customer and a document are forgotten with a receipt, and once', async () => {
  const [eve, tom] = [
    await world.user('eve', { access, customer: 'acme' }),
    await world.user('tom', { access, customer: 'acme' }),
  ];
  for (const each of [eve, tom]) await each.says('I keep bees.', day(6));
  const told = '__typename ... on DeletionReceipt { documentIds remaining { rows } }';
  const [document] = (await ask('{ instance { documents(userId: "eve") { nodes { id } } } }')).instance.documents.nodes;
  const forgetDocument = async (named = '') =>
    (await ask(`mutation { forgetDocument(documentId: "${document.id}"${named}) { ${told} } }`)).forgetDocument;
  expect(await forgetDocument(', userId: "tom", customerId: "acme"')).toEqual({ __typename: 'NotFound' });
  expect(await forgetDocument()).toMatchObject({ documentIds: [document.id], remaining: { rows: 0 } });
  expect(await forgetDocument()).toEqual({ __typename: 'NotFound' });
  const forgetCustomer = `mutation { forgetCustomer(customerId: "acme") { ${told} } }`;
  expect((await ask(forgetCustomer)).forgetCustomer).toMatchObject({ documentIds: [expect.any(String)] });
  expect((await ask('{ memories(filter: { customerId: "acme" }) { totalCount } }')).memories.totalCount).toBe(0);
  expect((await ask(forgetCustomer)).forgetCustomer).toEqual({ __typename: 'NotFound' });
});
