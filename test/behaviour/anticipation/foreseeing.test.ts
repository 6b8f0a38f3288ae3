import { expect, test } from 'vitest';
import type { AnticipatedMemory, Signal } from '../../../src/domain/anticipation/stream-messages.ts';
import { ConversationWindow } from '../../../src/domain/anticipation/conversation-window.ts';
import { learnAssociations } from '../../../src/domain/anticipation/learn-associations.ts';
import { predictBundle } from '../../../src/domain/anticipation/predict-bundle.ts';
import { fromPublicId } from '../../../src/domain/ids.ts';
import { countTokens } from '../../../src/domain/language/count-tokens.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { periodicTasks } from '../../../src/jobs/periodic/periodic-tasks.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { later, old, question } from '../../support/doubtful-update.ts';
import { day } from '../../support/person.ts';
import { brokenRules } from '../../support/consistency.ts';
import { openWorld } from '../../support/world.ts';

let now = day(9);
const world = openWorld({ now: () => now });
const start = (userId: string, more = {}): Signal => ({ kind: 'session-start', session: { userId, ...more } });
const says = (content: string, role = 'user'): Signal => ({ kind: 'message', role, content });

/** The last bundle that the signals bring. */
async function foreseen(access: Access, ...signals: Signal[]): Promise<readonly AnticipatedMemory[]> {
  let memories: readonly AnticipatedMemory[] = [];
  const source = (async function* () {
    yield* signals;
  })();
  for await (const update of world.app.anticipate(access, source, AbortSignal.timeout(20_000))) {
    if (update.kind === 'bundle') memories = update.memories as readonly AnticipatedMemory[];
  }
  return memories;
}

const contents = (memories: readonly AnticipatedMemory[]) => memories.map(({ content }) => content);
const learned = (access: Access) =>
  world.deps.db.learnedAssociation.findMany({ where: { instanceNumber: access.instanceNumber } });

test('a session begins with what always holds and what falls due, before a word is said', async () => {
  const ada = await world.user('ada');
  await ada.says('Always answer me in metric units.', day(1));
  await ada.says('I will send the report to Dana on January 15, 2026.', day(8));
  await ada.says('I had soup for lunch and it rained all day.', day(2));
  now = day(9); // the 14th of January
  const memories = await foreseen(ada.access, start('ada'));
  expect(memories[0]).toMatchObject({ reason: 'standing', content: expect.stringContaining('metric') });
  expect(memories.find(({ reason }) => reason === 'due')?.content).toContain('report');
  expect(contents(memories).join()).not.toContain('soup');
});

test('an allergy comes first in a bundle, in a prompt, in a profile and in a fetch without a query', async () => {
  const ada = await world.user('ada');
  await ada.says("I'm allergic to peanuts and I live in Leeds.", day(1));
  await ada.says('My name is Ada Byron.', day(2));
  await ada.says('Always answer me in metric units.', day(3));
  await ada.says('I saw my doctor yesterday about the results.', day(4));
  const lasting = ['peanuts', 'metric', 'Byron'];
  const wordOf = (content: string) => lasting.find((word) => content.includes(word)) ?? content;
  const bundle = (await foreseen(ada.access, start('ada'))).filter(({ reason }) => reason === 'standing');
  expect(contents(bundle).map(wordOf)).toEqual(lasting);
  const { memories } = await ada.fetches('', { searchQueries: [] });
  expect(memories.slice(0, lasting.length).map(({ content }) => wordOf(content))).toEqual(lasting);
  const { prompt } = await ada.fetches('Which book did I buy?', { format: 'prompt' });
  const standing = prompt!.slice(0, prompt!.indexOf('</standing>'));
  expect(bundle.filter(({ id }) => !standing.includes(id))).toEqual([]);
  expect(standing.match(/<item/gu)).toHaveLength(lasting.length);
  const { identity } = await world.app.userProfile(ada.access, { userId: 'ada' });
  expect(identity[0]!.content).toContain('peanuts');
});

test('what an assistant said of health holds for nobody', async () => {
  const ada = await world.user('ada');
  await ada.says(
    [
      { role: 'user', content: 'What helps against hay fever?' },
      { role: 'assistant', content: 'You are allergic to pollen, so take antihistamines.' },
    ],
    day(1),
  );
  expect(await foreseen(ada.access, start('ada'))).toEqual([]);
});

test('two statements of one sentence do not take the place of each other', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds and I use a blue inhaler.', day(1));
  const memories = contents(await foreseen(ada.access, start('ada'), says('Who sells my blue inhaler?')));
  expect(memories.toSorted()).toEqual(['I live in Leeds', 'I use a blue inhaler.']);
});

test('the words of half a sentence bring what the whole of it will need', async () => {
  const ada = await world.user('ada');
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  await ada.says('The kitchen tap drips since Monday.', day(2));
  const partial: Signal = { kind: 'partial-message', role: 'user', content: 'where did I put my passp' };
  const memories = await foreseen(ada.access, start('ada'), { ...partial, content: 'where did I put my passport' });
  expect(memories[0]).toMatchObject({ reason: 'context', content: expect.stringContaining('blue drawer') });
});

test('what the agent has just heard is not sent back to it', async () => {
  const ada = await world.user('ada');
  await ada.says('My bicycle is a green Pashley with a wicker basket.', day(1));
  const again = says('By the way, my bicycle is a green Pashley with a wicker basket.');
  expect(contents(await foreseen(ada.access, start('ada'), again)).join()).not.toContain('Pashley');
});

test('what may be outdated comes behind what may have replaced it', async () => {
  const ada = await world.user('ada');
  await ada.says(old, day(1));
  await ada.says(later, day(5));
  const memories = await foreseen(ada.access, start('ada'), says(question));
  const launches = memories.filter(({ type }) => type === 'temporal_events');
  expect(contents(launches)).toEqual([later, old]);
  expect(launches[1]).toMatchObject({ possiblyOutdatedBy: launches[0]!.id });
  expect(launches[1]!.score).toBeLessThanOrEqual(launches[0]!.score);
});

test('what may be outdated is not sent where what may have replaced it has no room', async () => {
  const ada = await world.user('ada');
  await ada.says(old, day(1));
  await ada.says(later, day(5));
  const tokenBudget = countTokens(old);
  expect(contents(await foreseen(ada.access, start('ada', { tokenBudget }), says(question)))).toEqual([]);
});

test('what is said while a bundle is chosen takes nothing from it', async () => {
  const ada = await world.user('ada');
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  const window = new ConversationWindow();
  window.speaking('Where did I put my pass');
  const vectors = new Proxy(world.deps.vectors, {
    get(target, name, receiver) {
      if (name === 'nearest') window.speaking('Where did I put my passport'); // just as it is looked up
      return Reflect.get(target, name, receiver);
    },
  });
  const circumstances = { session: ada.named, window, held: [], watch: () => Promise.resolve(false) };
  const { memories } = await predictBundle({ ...world.deps, vectors }, ada.access, circumstances);
  expect(window.asked!.recall).toBeUndefined();
  expect(contents(memories).join()).toContain('blue drawer');
});

test('what was of use after some words comes again after the like, though it shares none with them', async () => {
  const ada = await world.user('ada');
  await ada.says('The spare fuse lies behind the paint cans.', day(1));
  const [fuse] = await ada.memories();
  const dark = says('It is dark in the cellar once more.');
  for (let n = 0; n < 3; n += 1) {
    await foreseen(ada.access, start('ada'), dark, { kind: 'context-used', memoryIds: [fuse!.id] });
  }
  const rows = await learned(ada.access);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ used }) => used === 3)).toBe(true);
  await world.deps.metering.flush(now);
  expect((await world.app.memory(ada.access, fuse!.id, ada.named)).accessCount).toBe(3);
});

test('what was of use once is forgotten after 90 days, and what was of use again is not', async () => {
  const ada = await world.user('ada');
  await ada.says('The spare fuse lies behind the paint cans.', day(1));
  const used: Signal = { kind: 'context-used', memoryIds: (await ada.memories()).map(({ id }) => id) };
  now = day(9);
  await foreseen(ada.access, start('ada'), says('It is dark in the cellar once more.'), used);
  now = day(19);
  await foreseen(ada.access, start('ada'), says('The cellar is flooded.'), used);
  const before = await learned(ada.access);
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  const removing = periodicTasks.find(({ name }) => name === 'remove-single-uses')!;
  const removeOn = async (date: Date) => {
    await removing.run({ ...world.deps, now: () => date }, telemetry, AbortSignal.timeout(5_000));
    return learned(ada.access);
  };
  expect(await removeOn(day(98))).toEqual(before);
  expect(await removeOn(day(100))).toEqual(before.filter(({ used: times, lastAt }) => times > 1 || lastAt > day(10)));
  const left = await removeOn(day(200));
  expect(left.length).toBeGreaterThan(0);
  expect(left.every(({ used: times }) => times === 2)).toBe(true);
});

test('what one user found of use teaches nobody else, unless it is shared', async () => {
  const { access } = await world.instance();
  const ada = await world.user('ada', { access, customer: 'acme' });
  const bob = await world.user('bob', { access, customer: 'acme' });
  await ada.says('The spare fuse lies behind the paint cans.', day(1));
  await bob.says('I like my tea without milk.', day(1));
  await ada.says('The office router is rebooted with the red switch.', day(1), {
    userId: undefined,
    customerId: 'acme',
  });
  const all = await world.app.memories(access, {}, { limit: 50 });
  const idOf = (word: string) => all.data.find(({ content }) => content.includes(word))!.id;
  const acme = { customerId: 'acme' };
  const used = (ids: string[]): Signal => ({ kind: 'context-used', memoryIds: ids });
  await foreseen(
    access,
    start('ada', acme),
    says('It is dark again.'),
    used([idOf('fuse'), idOf('router'), idOf('tea')]),
  );
  const owners = await world.deps.db.owner.findMany({ where: { instanceNumber: access.instanceNumber } });
  const ownerOf = (ownerNo: number) => owners.find((owner) => owner.ownerNo === ownerNo)!;
  const rows = (await learned(access)).map(({ ownerNo, memoryId }) => ({ ...ownerOf(ownerNo), memoryId }));
  const atCustomer = new Set(rows.filter(({ scope }) => scope === 'CUSTOMER').map(({ memoryId }) => memoryId));
  expect(atCustomer.size).toBe(1); // the router's: what all of acme may read
  expect(rows.filter(({ userId }) => userId === 'bob')).toEqual([]);
  expect(new Set(rows.map(({ memoryId }) => memoryId)).size).toBe(2); // and Bob's tea counts for nothing
  const toBob = await foreseen(access, start('bob', acme), says('It is dark again.'));
  expect(contents(toBob).join()).not.toContain('fuse');
});

test('forgetting a memory forgets what was learned with it, and forgetting a user all of theirs', async () => {
  const ada = await world.user('ada');
  await ada.says('The spare fuse lies behind the paint cans.', day(1));
  await ada.says('The ladder stands in the shed.', day(1));
  const [fuse, ladder] = await ada.memories();
  const used: Signal = { kind: 'context-used', memoryIds: [fuse!.id, ladder!.id] };
  await foreseen(ada.access, start('ada'), says('It is dark again.'), used);
  const before = (await learned(ada.access)).length;
  await world.app.forgetMemory(ada.access, fuse!.id, { ...ada.named, cascade: false });
  expect((await learned(ada.access)).length).toBe(before / 2);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
  await world.app.forgetOwner(ada.access, { userId: 'ada' });
  expect(await learned(ada.access)).toEqual([]);
});

test('a memory that is forgotten during a session is withdrawn with the next signal', async () => {
  const ada = await world.user('ada');
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  const [passport] = await ada.memories({ type: 'facts' });
  let forget: (() => void) | undefined;
  const shown = new Promise<void>((resolve) => (forget = resolve));
  const source = (async function* (): AsyncGenerator<Signal> {
    yield start('ada');
    yield says('Where is my passport?');
    await shown;
    await world.app.forgetMemory(ada.access, passport!.id, { ...ada.named, cascade: true });
    yield says('Thank you.', 'assistant');
  })();
  const told: unknown[] = [];
  for await (const update of world.app.anticipate(ada.access, source, AbortSignal.timeout(20_000))) {
    told.push(update);
    if (update.kind === 'bundle' && update.memories.length) forget?.();
  }
  expect(told).toContainEqual(
    expect.objectContaining({ kind: 'withdrawal', memoryIds: expect.arrayContaining([passport!.id]) }),
  );
  expect(told.at(-1)).toMatchObject({ kind: 'bundle', memories: [] });
});

test('words that are looked up twice at once are counted once', async () => {
  const ada = await world.user('ada');
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  const [passport] = await ada.memories({ type: 'facts' });
  const window = new ConversationWindow();
  window.hear('people', 'Where did I put my passport?');
  const about = { session: ada.named, window };
  let learning: Promise<unknown> | undefined;
  let isSecond: (() => void) | undefined;
  const second = new Promise<void>((resolve) => (isSecond = resolve));
  const vectors = new Proxy(world.deps.vectors, {
    get(target, name, receiver) {
      if (name !== 'nearest') return Reflect.get(target, name, receiver);
      return async (...args: Parameters<typeof target.nearest>) => {
        if (learning) isSecond?.();
        // Just as it is looked up, its reader tells what was of use, and that looks up the same words.
        else learning = learnAssociations(d, ada.access, { ...about, memoryIds: [passport!.id] });
        await second;
        return target.nearest(...args);
      };
    },
  });
  const d = { ...world.deps, vectors };
  await predictBundle(d, ada.access, { ...about, held: [], watch: () => Promise.resolve(false) });
  await learning;
  expect(window.presentationAges(fromPublicId('memory', passport!.id)!)).toEqual([1]);
});
