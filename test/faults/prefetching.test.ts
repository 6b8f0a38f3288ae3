import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Context } from '../../src/domain/context/context.ts';
import { retrieveContext } from '../../src/domain/context/fetch-context.ts';
import { ReaderCache } from '../../src/domain/reader-cache/reader-cache.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';
import { lengthOf, seed, tell } from './length.ts';
import { isNearly } from '../support/nearly.ts';

/**
 * What is prefetched is served only while a fetch would retrieve the same, whatever is written, corrected, curated or
 * forgotten: before it is retrieved, meanwhile, or after.
 */
const world = openWorld();
const rounds = lengthOf(2_000, 24);

const towns = ['Leeds', 'York', 'Hull', 'Durham', 'Whitby'];
const questions = ['Where do I live?', 'What do I know about Petra?'];
const optionSets = [{}, { mode: 'accurate', maxResults: 3 }] as const;
/** Rounds in which a conversation asks with the same options. */
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
test('a prefetched context is what would be retrieved at that moment', { timeout }, async () => {
  const { app, deps, admin } = world;
  const { access: begun, id } = await world.instance();
  const ada = await world.user('ada', { access: begun, customer: 'acme' });
  const acme = await world.user('', { access: begun, customer: 'acme' });
  const talk = { conversationId: 'talk', userId: 'ada', customerId: 'acme' };
  const counts = { rounds: 0, prefetched: 0, retrieved: 0, stale: 0 };
  // The key's access, under the configuration in force.
  const accessNow = async () => ({ ...(await app.accessAsAdmin(admin, begun.instance)), principal: begun.principal });

  const change = async ({ change: what, n }: Round, at: Date): Promise<object | null> => {
    switch (what) {
      case 'move':
        return ada.says(`I moved to ${towns[n % towns.length]}.`, at);
      case 'meet':
        return ada.says(`I met Petra${n % 2 ? ' Hawksworth' : ''} at the harbour on quay ${n}.`, at);
      case 'tell':
        return acme.says(`Petra Hawksworth works in building ${n}.`, at, { userId: undefined });
      case 'share':
        await app.administration.importWorldKnowledge(admin, id, [
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
        return app.setProviders(world.asAdmin(begun), { extraction: n % 2 ? 'none' : 'default' });
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
    const options = optionSets[Math.floor(index / steadyRounds) % optionSets.length];
    const query = { ...talk, ...options, searchQueries: [questions[each.question]!], explain: false };
    if (each.when === 'before') await changed();
    deps.prefetcher.noteMessage(begun, talk.conversationId, questions[each.question]!);
    if (each.when === 'meanwhile') await changed();
    await deps.prefetcher.settled();
    if (each.when === 'after') await changed();
    const access = await accessNow();
    const answer = await app.fetchContext(access, query);
    counts.rounds += 1;
    counts[answer.source === 'anticipation' ? 'prefetched' : 'retrieved'] += 1;
    const anew = { ...deps, readers: new ReaderCache(deps) };
    if (!isNearly(toldBy(answer), toldBy(await retrieveContext(anew, access, query)))) counts.stale += 1;
  }
  tell('prefetched contexts', counts);
  expect(counts.stale).toBe(0);
  expect(counts.prefetched).toBeGreaterThan(rounds / 4);
  expect(counts.retrieved).toBeGreaterThan(0);
});

/** All of it but the source: here no access is written down, by which a memory would tell when it was read last. */
const toldBy = ({
  memories,
  totalTokens,
  budgetExceeded,
  configurationVersion,
}: Pick<Context, 'memories' | 'totalTokens' | 'budgetExceeded' | 'configurationVersion'>) => [
  memories,
  totalTokens,
  budgetExceeded,
  configurationVersion,
];
