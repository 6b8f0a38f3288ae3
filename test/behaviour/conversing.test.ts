import { describe, expect, test } from 'vitest';
import { newUuid } from '../../src/domain/ids.ts';
import { createApp } from '../../src/app.ts';
import type { Signal } from '../../src/domain/anticipation/stream-messages.ts';
import { MessageFeed, type FeedMessage } from '../../src/domain/conversations/message-feed.ts';
import { processDueConversations } from '../../src/domain/ingestion/process-due-conversations.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { configure } from '../support/configured.ts';
import { brokenRules } from '../support/consistency.ts';
import { day } from '../support/person.ts';
import { recordEvents } from '../support/events.ts';
import { openWorld } from '../support/world.ts';

let now = day(1);
const world = openWorld({ now: () => now });
const minutes = (n: number) => (now = new Date(now.getTime() + n * 60_000));

/** What a worker does of itself, now and then; nothing may fail in it. */
const tend = () => {
  const failures: unknown[] = [];
  const tending = {
    ...world.deps,
    accessOf: async () => access,
    warn: (_: unknown, error: unknown) => failures.push(error),
  };
  return processDueConversations(tending, AbortSignal.timeout(20_000)).then(() => expect(failures).toEqual([]));
};

let access: Access;
/** Somebody who talks in one conversation of a new instance. */
async function talk(named: { userId?: string; customerId?: string } = { userId: 'ada', customerId: 'acme' }) {
  ({ access } = await world.instance());
  const recorded = await recordEvents(world, access);
  const ada = await world.user(named.userId ?? '', {
    access,
    ...(named.customerId ? { customer: named.customerId } : {}),
  });
  const conversationId = 'harbour';
  return {
    ada,
    says: (...contents: string[]) =>
      world.app.addMessages(access, {
        conversationId,
        ...named,
        messages: contents.map((content) => ({ role: 'user', content })),
      }),
    ends: () => world.app.endConversation(access, { conversationId }),
    reads: (last = 20) => world.app.conversation(access, { conversationId, last }),
    remembered: async () => {
      await world.settle();
      return (await ada.memories({ type: 'episodes' })).map(({ content }) => content);
    },
    documents: () => world.deps.db.document.count({ where: { instanceNumber: access.instanceNumber } }),
    events: async () => (await recorded()).map(({ type, data }) => ({ ...data, type })),
  };
}

const boat = (n: number) => `Crate number ${n} went to the cellar of pier ${n + 20}.`;
const boats = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => boat(from + n));

describe('what is said becomes memories', () => {
  test('every eight messages, at the end, and each once', async () => {
    const { says, ends, remembered, documents, events } = await talk();
    for (const text of boats(0, 7)) expect((await says(text)).ingestionIds).toEqual([]);
    expect(await documents()).toBe(0);
    expect((await says(boat(7))).ingestionIds).toHaveLength(1);
    expect((await remembered()).toSorted()).toEqual(boats(0, 8).toSorted());
    await says(boat(8), boat(9));
    const { conversation, ingestionIds } = await ends();
    expect(conversation).toMatchObject({ state: 'ended', messageCount: 10, userId: 'ada', customerId: 'acme' });
    expect(ingestionIds).toHaveLength(1);
    expect((await remembered()).toSorted()).toEqual(boats(0, 10).toSorted());
    expect((await ends()).ingestionIds).toEqual([]);
    const about = { external_id: 'harbour', user_id: 'ada', customer_id: 'acme' };
    expect(await events()).toMatchObject([
      { type: 'conversation.started', ...about },
      { type: 'conversation.ended', ...about, messages: 10, reason: 'ended' },
    ]);
    expect(await brokenRules(world.deps, access)).toEqual({});
  });

  test('an answer together with its question, wherever eight messages end', async () => {
    const { ada, ends } = await talk();
    const adds = (...said: (readonly [role: string, content: string])[]) =>
      world.app.addMessages(access, {
        conversationId: 'harbour',
        messages: said.map(([role, content]) => ({ role, content })),
      });
    await world.app.startConversation(access, { conversationId: 'harbour', ...ada.named });
    const crates = boats(0, 7).map((text) => ['user', text] as const);
    expect((await adds(...crates, ['assistant', 'Are you allergic to anything?'])).ingestionIds).toHaveLength(1);
    await adds(['user', 'Penicillin.']);
    await ends();
    await world.settle();
    expect((await ada.memories({ type: 'facts' })).map(({ content }) => content)).toContain(
      'Are you allergic to anything? Penicillin.',
    );
    expect(await brokenRules(world.deps, access)).toEqual({});
  });

  test('after five silent minutes; after thirty the conversation has ended', async () => {
    const { says, reads, remembered, documents, events } = await talk();
    await says(boat(1));
    minutes(4);
    await says(boat(2));
    minutes(4);
    await tend();
    expect(await documents()).toBe(0);
    minutes(1);
    await tend();
    expect((await remembered()).toSorted()).toEqual([boat(1), boat(2)]);
    expect((await reads()).state).toBe('open');
    minutes(25);
    await tend();
    expect(await reads()).toMatchObject({ state: 'ended', endedAt: now });
    expect((await events()).at(-1)).toMatchObject({ type: 'conversation.ended', reason: 'silence' });
    expect(await documents()).toBe(1);
  });

  test('a message after the end opens the conversation again, and is remembered like any other', async () => {
    const { says, ends, reads, remembered, events } = await talk();
    await says(boat(1));
    await ends();
    await says(boat(2));
    expect(await reads()).toMatchObject({ state: 'open', endedAt: null, messageCount: 2 });
    await ends();
    expect((await remembered()).toSorted()).toEqual([boat(1), boat(2)]);
    expect((await events()).map(({ type }) => type)).toEqual([
      'conversation.started',
      'conversation.ended',
      'conversation.ended',
    ]);
  });

  test('each once, also when many speak and look after it at the same time', async () => {
    const { says, ends, remembered } = await talk();
    const texts = boats(0, 30);
    await Promise.all(texts.map((text, n) => (n % 7 === 6 ? says(text).then(tend) : says(text))));
    minutes(6);
    await Promise.all([tend(), ends(), tend()]);
    expect((await remembered()).toSorted()).toEqual(texts.toSorted());
    const rows = await world.deps.db.document.findMany({ where: { instanceNumber: access.instanceNumber } });
    const turns = rows.flatMap(({ id, body }) => JSON.parse(access.keys.open('document.body', id, body)) as unknown[]);
    expect(turns).toHaveLength(30);
  });

  test('with the times of the turns, the names and the metadata of the conversation', async () => {
    const { ada, ends, reads } = await talk();
    const start = { conversationId: 'harbour', ...ada.named, metadata: { channel: 'phone' } };
    expect((await world.app.startConversation(access, start)).isNew).toBe(true);
    const again = await world.app.startConversation(access, { ...start, metadata: { channel: 'mail' } });
    expect(again).toMatchObject({ isNew: false, conversation: { metadata: { channel: 'phone' } } });
    await world.app.addMessages(access, {
      conversationId: 'harbour',
      messages: [{ role: 'user', name: 'Ada', content: 'I moved to York.', timestamp: day(-400) }],
    });
    await ends();
    await world.settle();
    const [memory] = await ada.memories({ type: 'facts' });
    expect(memory).toMatchObject({ validFrom: day(-400), metadata: { channel: 'phone' } });
    expect((await reads()).recentMessages).toMatchObject([{ name: 'Ada', at: day(-400), content: 'I moved to York.' }]);
  });

  test('words that are sent as a document too are no second memory', async () => {
    const { ada, says, ends, remembered } = await talk();
    await says('My boat is called Albatross.', boat(1));
    await ends();
    await world.settle();
    await ada.says([{ role: 'user', content: 'My boat is called Albatross.' }], now, { conversationId: 'harbour' });
    expect((await remembered()).toSorted()).toEqual([boat(1), 'My boat is called Albatross.']);
    const contents = (await ada.memories()).map(({ type, content }) => `${type} ${content}`);
    expect(new Set(contents).size).toBe(contents.length);
  });

  test('what could not be remembered at once is done by whoever looks next', async () => {
    const { says, remembered } = await talk();
    // The process dies between the commit of the messages and what comes after it.
    const died = () => {
      throw new Error('died');
    };
    const dying = createApp({ ...world.deps, feed: Object.assign(new MessageFeed(), { publish: died }) });
    const input = { conversationId: 'harbour', userId: 'ada', customerId: 'acme' };
    const messages = boats(0, 8).map((content) => ({ role: 'user', content }));
    await expect(dying.addMessages(access, { ...input, messages })).rejects.toThrow('died');
    expect(await remembered()).toEqual([]);
    await tend();
    expect((await remembered()).toSorted()).toEqual(boats(0, 8));
    expect((await says(boat(8))).ingestionIds).toEqual([]);
  });
});

test('what is said on a stream is remembered by the configuration of that moment', async () => {
  const { ada, documents } = await talk();
  const over = new AbortController();
  let isConfigured: (() => void) | undefined;
  const configured = new Promise<void>((resolve) => (isConfigured = resolve));
  async function* signals(): AsyncGenerator<Signal> {
    yield { kind: 'session-start', session: { ...ada.named, conversationId: 'harbour', remember: true } };
    for (const [n, content] of boats(0, 9).entries()) {
      yield { kind: 'message', role: 'user', content }; // kept before the next one is asked for
      if (n === 0) await configured;
    }
  }
  const listening = (async () => {
    for await (const _ of world.app.anticipate(access, signals(), over.signal));
  })();
  await expect.poll(() => world.deps.db.message.count({ where: { instanceNumber: access.instanceNumber } })).toBe(1);
  const version = await configure(world, access);
  isConfigured?.();
  await expect.poll(documents).toBe(1);
  const [ingestion] = await world.deps.db.ingestion.findMany({ where: { instanceNumber: access.instanceNumber } });
  expect(ingestion).toMatchObject({ configurationVersion: version });
  over.abort();
  await listening;
});

describe('whose a conversation is', () => {
  test('it is its first speaker’s: others are refused, and a fetch that names only it reads for them', async () => {
    const { ada, says } = await talk();
    await says('Good morning.');
    await ada.says('My boat is called Albatross.');
    for (const named of [{ userId: 'bob' }, { customerId: 'zeta' }]) {
      const input = { conversationId: 'harbour', ...named };
      const refused = { code: 'invalid_input', fields: [{ field: named.userId ? 'user_id' : 'customer_id' }] };
      await expect(
        world.app.addMessages(access, { ...input, messages: [{ role: 'user', content: 'Hi.' }] }),
      ).rejects.toMatchObject(refused);
      await expect(world.app.startConversation(access, input)).rejects.toMatchObject(refused);
      const reads = [
        () => world.app.conversation(access, { ...input, last: 1 }),
        () => world.app.endConversation(access, input),
      ];
      for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'context_not_found' }); // in turn
    }
    const context = await ada.fetches('What is my boat called?', {
      userId: undefined,
      customerId: undefined,
      conversationId: 'harbour',
    });
    expect(context.memories[0]?.content).toBe('My boat is called Albatross.');
    expect(context.recentMessages).toMatchObject([{ role: 'user', content: 'Good morning.' }]);
  });

  test('nobody’s is refused, unless what is remembered is everybody’s', async () => {
    const { says } = await talk({});
    await expect(says('Hello.')).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'user_id' }] });
  });

  test('a conversation by its UUID is that of the caller’s id', async () => {
    const { says, reads } = await talk();
    const { conversation } = await says('Good morning.');
    expect(conversation.externalId).toBe('harbour');
    const same = await world.app.conversation(access, { conversationId: conversation.id.toUpperCase(), last: 1 });
    expect(same).toEqual(await reads());
  });
});

test('a fetch is told what was said last, within its tokens', async () => {
  const { ada, says } = await talk();
  await says(...Array.from({ length: 15 }, (_, n) => `Message ${n}.`));
  const recent = async () =>
    (await ada.fetches('boats', { conversationId: 'harbour' })).recentMessages?.map(({ content }) => content);
  expect(await recent()).toEqual(Array.from({ length: 10 }, (_, n) => `Message ${n + 5}.`));
  await says('The last one.', `A long one ${'and so on '.repeat(400)}`, 'Short.');
  expect(await recent()).toEqual(['Short.']);
  expect((await ada.fetches('boats')).recentMessages).toBeNull();
});

describe('what is forgotten', () => {
  test('of a user: their conversations and messages are counted and gone, and the next message begins anew', async () => {
    const { says, reads, events } = await talk();
    await says(...boats(0, 9));
    await world.settle();
    const receipt = await world.app.forgetOwner(access, { userId: 'ada', customerId: 'acme' });
    expect(receipt.removed.rows).toBeGreaterThan(9 + 1 + 9);
    await expect(reads()).rejects.toMatchObject({ code: 'context_not_found' });
    expect(await world.deps.db.message.count({ where: { instanceNumber: access.instanceNumber } })).toBe(0);
    expect((await says(boat(1))).conversation.messageCount).toBe(1);
    // What was told of the first one is forgotten, too.
    expect((await events()).filter(({ type }) => type === 'conversation.started')).toHaveLength(1);
    expect(await brokenRules(world.deps, access)).toEqual({});
  });

  test('of a document: the messages that it was made of', async () => {
    const { says, reads, ada, remembered } = await talk();
    await says(...boats(0, 8), 'Not remembered yet.');
    await says('Nor this.');
    await remembered();
    const [memory] = await ada.memories();
    await world.app.forgetDocument(access, memory!.evidence[0]!.documentId, {});
    expect((await reads()).recentMessages.map(({ content }) => content)).toEqual(['Nor this.']);
  });

  test('with its evidence, a memory takes the message along that said it, and no other', async () => {
    const { says, ends, reads, ada, remembered } = await talk();
    await says(boat(1), boat(2));
    await ends();
    await remembered();
    const told = (await ada.memories()).find(({ content }) => content === boat(1));
    await world.app.forgetMemory(access, told!.id, { cascade: true });
    expect(await reads()).toMatchObject({ messageCount: 2, recentMessages: [{ content: boat(2) }] });
  });

  test('an export holds what was said', async () => {
    const { says, ada } = await talk();
    await says('Good morning.', 'My boat is called Albatross.');
    const lines = [];
    for await (const each of world.app.exportOwner(access, ada.named)) lines.push(each);
    expect(lines).toMatchObject([
      { message: { externalId: 'harbour', role: 'user', content: 'Good morning.' } },
      { message: { content: 'My boat is called Albatross.' } },
    ]);
  });
});

test('who listens to a conversation hears what is said in it, once and in order', async () => {
  const { says } = await talk();
  const { conversation } = await says('Before.');
  const heard: FeedMessage[] = [];
  const stop = world.deps.feed.listen(access.instanceNumber, conversation.id, (said) => heard.push(said));
  const origin = newUuid();
  await says('One.', 'Two.');
  await world.app.addMessages(access, {
    conversationId: 'harbour',
    origin,
    messages: [{ role: 'assistant', content: 'Three.' }],
  });
  stop();
  await says('After.');
  expect(heard.map(({ role, content, origin: by }) => ({ role, content, by }))).toEqual([
    { role: 'user', content: 'One.', by: '' },
    { role: 'user', content: 'Two.', by: '' },
    { role: 'assistant', content: 'Three.', by: origin },
  ]);
});
