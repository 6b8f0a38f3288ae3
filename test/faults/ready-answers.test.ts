import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Context } from '../../src/domain/context/context.ts';
import { AccessCounts } from '../../src/domain/memories/access-counts.ts';
import { HydratedMemories } from '../../src/domain/retrieval/hydrated-memories.ts';
import { KnownReaders } from '../../src/domain/tenancy/readers.ts';
import { findContext } from '../../src/domain/context/find-context.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';
import { lengthOf, seed, tell } from './length.ts';
import { isNearly } from '../support/nearly.ts';

/**
 * What is made ready is told only while the store would answer the same, whatever is written, corrected, curated or
 * forgotten: before the answer is made, meanwhile, or after.
 */
const world = openWorld();
const rounds = lengthOf(2_000, 24);

const towns = ['Leeds', 'York', 'Hull', 'Durham', 'Whitby'];
const questions = ['Where do I live?', 'What do I know about Petra?'];
const manners = [{}, { mode: 'accurate', maxResults: 3 }] as const;
/** Rounds in which a conversation asks in the same manner. */
const steadyRounds = 8;

const round = fc.record({
  change: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('move', 'meet', 'tell', 'share', 'forget-memory', 'merge') },
    { weight: 2, arbitrary: fc.constant('nothing') },
    { weight: 1, arbitrary: fc.constantFrom('forget-user', 'configure') },
  ),
  when: fc.constantFrom('before', 'meanwhile', 'after'),
  question: fc.nat(questions.length - 1),
  n: fc.nat(99),
});
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

const timeout = lengthOf(3_600_000, 300_000);
test('an answer that was made ready is what the store would answer at that moment', { timeout }, async () => {
  const { app, d, admin } = world;
  const { access: begun, id } = await world.instance();
  const ada = await world.user('ada', { access: begun, customer: 'acme' });
  const acme = await world.user('', { access: begun, customer: 'acme' });
  const talk = { conversationId: 'talk', userId: 'ada', customerId: 'acme' };
  const counts = { rounds: 0, ready: 0, 'looked up': 0, stale: 0 };
  const accessNow = () => app.accessAsAdmin(admin, begun.instance); // of the configuration in force

  const change = async ({ change: what, n }: Round, at: Date): Promise<object | null> => {
    switch (what) {
      case 'move':
        return ada.says(`I moved to ${towns[n % towns.length]}.`, at);
      case 'meet':
        return ada.says(`I met Petra${n % 2 ? ' Hawksworth' : ''} at the harbour on quay ${n}.`, at);
      case 'tell':
        return acme.says(`Petra Hawksworth works in building ${n}.`, at, { userId: undefined });
      case 'share':
        await app.administration.importWorld(admin, id, [
          { document: `Petra is the name of gate ${n}.`, documentType: 'note', mode: 'fast' },
        ]);
        return world.settle().then(() => null); // else it may come between the answer and the store's
      case 'forget-memory': {
        const memories = await ada.memories();
        const memory = memories[n % memories.length];
        return memory ? app.forgetMemory(begun, memory.id, { cascade: n % 2 === 0 }) : null;
      }
      case 'merge': {
        const [one, other] = (await app.entities(begun, { q: 'Petra' }, { limit: 2 })).data;
        return one && other ? app.mergeEntities(begun, { sourceId: one.id, targetId: other.id }) : null;
      }
      case 'configure':
        return app.chooseProviders(world.asAdmin(begun), { extraction: n % 2 ? 'none' : 'default' });
      case 'forget-user':
        return app.forgetOwner(begun, { userId: 'ada' });
      default:
        return null;
    }
  };

  for (const [index, each] of fc.sample(round, { numRuns: rounds, seed }).entries()) {
    const changed = () =>
      change(each, day(1 + index)).catch((error: { code?: string }) => {
        if (error.code !== 'not_found' && error.code !== 'conflict') throw error; // nobody is there to be forgotten
      });
    const manner = manners[Math.floor(index / steadyRounds) % manners.length];
    const query = { ...talk, ...manner, searchQueries: [questions[each.question]!], explain: false };
    if (each.when === 'before') await changed();
    d.answersAhead.said(begun, talk, questions[each.question]!);
    if (each.when === 'meanwhile') await changed();
    await d.answersAhead.settled();
    if (each.when === 'after') await changed();
    const access = await accessNow();
    const answer = await app.fetchContext(access, query);
    counts.rounds += 1;
    counts[answer.source === 'anticipation' ? 'ready' : 'looked up'] += 1;
    const anew = { ...d, hydrated: new HydratedMemories(new AccessCounts()), readers: new KnownReaders(d.db, null) };
    if (!isNearly(toldBy(answer), toldBy(await findContext(anew, access, query)))) counts.stale += 1;
  }
  tell('answers made ready', counts);
  expect(counts.stale).toBe(0);
  expect(counts.ready).toBeGreaterThan(rounds / 4);
  expect(counts['looked up']).toBeGreaterThan(0);
});

/** All of it but the source: here no access is written down, by which a memory would tell when it was read last. */
const toldBy = ({ memories, totalTokens, budgetExceeded, configurationVersion }: Omit<Context, 'recentMessages'>) => [
  memories,
  totalTokens,
  budgetExceeded,
  configurationVersion,
];
