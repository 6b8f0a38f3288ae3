import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { describe, expect, test } from 'vitest';
import { PresageStore } from '../dist/langgraph.js';
import { memory, somebody } from './support/memory.ts';

const storeOf = (user_id = somebody()) => new PresageStore(memory, { user_id });

describe('the store for LangGraph', () => {
  test('is the memory of a graph across threads', async () => {
    const State = Annotation.Root({ question: Annotation<string>, answer: Annotation<string> });
    const model = new FakeListChatModel({ responses: ['Noted.', 'Rice.'] });
    const seen: unknown[] = [];
    const answer = async ({ question }: typeof State.State, { store, configurable }: LangGraphRunnableConfig) => {
      const namespace = ['memories', String(configurable?.['user_id'])];
      seen.push((await store!.search(namespace, { query: question })).map(({ value }) => value));
      await store!.put(namespace, `note-${seen.length}`, { text: question });
      return { answer: (await model.invoke(question)).text };
    };
    const graph = new StateGraph(State).addNode('reply', answer).addEdge(START, 'reply').addEdge('reply', END);
    const store = new PresageStore(memory, ([, user_id]) => (user_id === undefined ? {} : { user_id }));
    const agent = graph.compile({ store });
    const configurable = { user_id: somebody() };
    await agent.invoke(
      { question: 'I am allergic to peanuts.' },
      { configurable: { ...configurable, thread_id: '1' } },
    );
    const second = { configurable: { ...configurable, thread_id: '2' } };
    expect((await agent.invoke({ question: 'What may I eat, with my allergy?' }, second)).answer).toBe('Rice.');
    expect(seen).toEqual([[], [{ text: 'I am allergic to peanuts.' }]]);
  });

  test('gets what was put, as it was put, and keeps when it was made', async () => {
    const store = storeOf();
    const value = { name: 'Ada', langs: ['en', 'fr'], nested: { deep: [1, null, true] }, text: 'It’s "quoted"\n' };
    await store.put(['profiles'], 'ada', value);
    const first = (await store.get(['profiles'], 'ada'))!;
    expect(first).toMatchObject({ namespace: ['profiles'], key: 'ada', value });
    await store.put(['profiles'], 'ada', { ...value, name: 'Ada L.' });
    const next = (await store.get(['profiles'], 'ada'))!;
    expect(next.value['name']).toBe('Ada L.');
    expect(next.createdAt).toEqual(first.createdAt);
    expect(next.updatedAt.getTime()).toBeGreaterThan(first.updatedAt.getTime());
    expect(await store.get(['profiles'], 'grace')).toBeNull();
  });

  test('keeps items apart whose values are alike or contradict each other', async () => {
    const store = storeOf();
    await store.put(['a'], '1', { text: 'I live in Leeds.' });
    await store.put(['a'], '2', { text: 'I live in Leeds.' });
    await store.put(['b'], '1', { text: 'I live in York.' });
    expect(
      (await store.search([], { limit: 10 })).map(({ namespace, key }) => [...namespace, key].join('/')).toSorted(),
    ).toEqual(['a/1', 'a/2', 'b/1']);
  });

  test('searches by meaning, prefix and filter, and pages', async () => {
    const store = storeOf();
    const foods = ['peanut soup', 'rice with beans', 'apple pie', 'fish and chips'];
    await Promise.all(
      foods.map((food, n) => store.put(['food', n < 2 ? 'mains' : 'others'], String(n), { food, rank: n })),
    );
    const [best] = await store.search(['food'], { query: 'a dessert with fruit' });
    expect(best).toMatchObject({ value: { food: 'apple pie' }, score: expect.any(Number) });
    const keys = async (...given: Parameters<typeof store.search>) =>
      (await store.search(...given)).map(({ key }) => key).toSorted();
    expect(await keys(['food', 'mains'])).toEqual(['0', '1']);
    expect(await keys(['food'], { filter: { rank: { $gte: 1, $lt: 3 } } })).toEqual(['1', '2']);
    expect(await keys(['food'], { filter: { food: 'apple pie' } })).toEqual(['2']);
    expect(await keys(['foo'])).toEqual([]);
    const pages = [await keys(['food'], { limit: 3 }), await keys(['food'], { limit: 3, offset: 3 })];
    expect(pages.map(({ length }) => length)).toEqual([3, 1]);
    await expect(store.search(['food'], { filter: { rank: { $in: [1] } } })).rejects.toThrow('$in');
  });

  test('finds an item among all that its owner says, and that is kept elsewhere', async () => {
    const user_id = somebody();
    const store = storeOf(user_id);
    await store.put(['food'], 'pie', { food: 'apple pie' });
    // As many as a search can answer, and each nearer to the question.
    const nearer = Array.from({ length: 100 }, (_, n) => `A dessert with fruit, of the kind ${n}.`);
    await memory.rememberAll(nearer.map((document) => ({ document, verbatim: true, user_id })));
    const said = async () => (await memory.memories.list({ user_id, q: 'dessert', limit: 100 })).data.length;
    await expect.poll(said, { timeout: 30_000 }).toBe(100);
    await store.batch(nearer.map((food, n) => ({ namespace: ['drinks'], key: String(n), value: { food } })));
    const found = await store.search(['food'], { query: 'a dessert with fruit' });
    expect(found.map(({ value }) => value)).toEqual([{ food: 'apple pie' }]);
    expect(await store.search(['food'])).toHaveLength(1);
  });

  test('does not find by meaning what is not to be indexed', async () => {
    const store = storeOf();
    await store.put(['x'], 'secret', { text: 'bees' }, false);
    expect(await store.search(['x'], { query: 'bees' })).toEqual([]);
    expect((await store.get(['x'], 'secret'))?.value).toEqual({ text: 'bees' });
  });

  test('lists namespaces by prefix, suffix and depth', async () => {
    const store = storeOf();
    await Promise.all(
      [['a', 'b', 'c'], ['a', 'b', 'd'], ['a', 'x', 'c'], ['z']].map((namespace) =>
        store.put(namespace, 'k', { n: 1 }),
      ),
    );
    expect(await store.listNamespaces({ prefix: ['a', 'b'] })).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
    ]);
    expect(await store.listNamespaces({ suffix: ['c'] })).toEqual([
      ['a', 'b', 'c'],
      ['a', 'x', 'c'],
    ]);
    expect(await store.listNamespaces({ prefix: ['a', '*', 'c'] })).toEqual([
      ['a', 'b', 'c'],
      ['a', 'x', 'c'],
    ]);
    expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([['a'], ['z']]);
  });

  test('deletes, and several operations are one batch', async () => {
    const store = storeOf();
    await store.put(['n'], 'old', { v: 1 });
    const [read] = await store.batch([
      { namespace: ['n'], key: 'old' },
      { namespace: ['n'], key: 'old', value: null },
      { namespace: ['n'], key: 'new', value: { v: 2 } },
      { namespace: ['n'], key: 'new', value: { v: 3 } },
    ]);
    expect(read?.value).toEqual({ v: 1 });
    expect(await store.get(['n'], 'old')).toBeNull();
    expect((await store.get(['n'], 'new'))?.value).toEqual({ v: 3 });
    await store.delete(['n'], 'never');
  });

  test('shows no owner what is another’s', async () => {
    const namespace = ['shared'];
    await storeOf().put(namespace, 'k', { text: 'I keep bees.' });
    const stranger = storeOf();
    expect(await stranger.get(namespace, 'k')).toBeNull();
    expect(await stranger.search(namespace)).toEqual([]);
    expect(await stranger.search(namespace, { query: 'bees' })).toEqual([]);
    await stranger.delete(namespace, 'k');
    expect(await stranger.listNamespaces()).toEqual([]);
  });

  test('refuses a namespace that names nobody, whose items would be everybody’s', async () => {
    const store = new PresageStore(memory, ([, user_id]) => (user_id === undefined ? {} : { user_id }));
    await expect(store.search([])).rejects.toThrow('names no owner');
    await expect(store.put(['memories'], 'k', {})).rejects.toThrow('names no owner');
    await expect(store.listNamespaces()).rejects.toThrow('names no owner');
  });

  test('keeps what belongs to a customer apart from what belongs to its users', async () => {
    const customer_id = somebody();
    const ofUser = new PresageStore(memory, { user_id: 'bo', customer_id });
    const ofCustomer = new PresageStore(memory, { customer_id });
    await ofUser.put(['n'], 'k', { text: 'I keep bees.' });
    expect([await ofCustomer.get(['n'], 'k'), await ofCustomer.search(['n'])]).toEqual([null, []]);
    await ofCustomer.put(['n'], 'k', { text: 'We sell bees.' });
    expect((await ofUser.search(['n'], { query: 'bees' })).map(({ value }) => value)).toEqual([
      { text: 'I keep bees.' },
    ]);
    await ofCustomer.delete(['n'], 'k');
    expect((await ofUser.get(['n'], 'k'))?.value).toEqual({ text: 'I keep bees.' });
  });
});
