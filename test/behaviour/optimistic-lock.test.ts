import { beforeEach, afterEach, expect, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import type { Dependencies } from '../../src/dependencies.ts';
import { brokenRules } from '../support/consistency.ts';
import { day, type Person } from '../support/person.ts';
import { submitHeld } from '../support/submit-held.ts';
import { openWorld } from '../support/world.ts';

/** Two use cases at once, made to meet at the worst moment: whatever the order, no row is left without its partner. */
const world = openWorld();
let ada: Person;
beforeEach(async () => void (ada = await world.user('ada', { customer: 'acme' })));
afterEach(async () => expect(await brokenRules(world.deps, ada.access)).toEqual({}));

const secret = 'The code of the garage door is Tangerine, and only Rosalind knows it.';

/** Accepts a document whose job is not due before `letGo`. */
async function holds(person: Person, more: { documentId?: string; conversationId?: string } = {}, document = secret) {
  const base = { document, documentType: 'note', mode: 'fast', documentCreatedAt: day(1) } as const;
  return submitHeld(world.deps, person.access, { ...base, ...person.named, ...more });
}
async function letGo(): Promise<void> {
  await world.deps.db.job.updateMany({ data: { runAt: new Date(), lockedUntil: null } });
  world.deps.wake();
  await world.settle();
}

/** The use cases, where `meanwhile` happens once: before the first transaction, or the first statement of these words. */
const interrupted = (at: 'transaction' | RegExp, meanwhile: () => Promise<unknown>, deps?: Dependencies): App =>
  createApp(interruptedDependencies(at, meanwhile, deps));

function interruptedDependencies(
  at: 'transaction' | RegExp,
  meanwhile: () => Promise<unknown>,
  deps: Dependencies = world.deps,
): Dependencies {
  let isDone = false;
  const once = async () => {
    if (isDone) return;
    isDone = true;
    await meanwhile();
  };
  const db = new Proxy(deps.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const isIt =
          at === 'transaction'
            ? name === '$transaction'
            : String(name).endsWith('Raw') && at.test(JSON.stringify(args[0]));
        return isIt ? once().then(() => Reflect.apply(value, target, args)) : Reflect.apply(value, target, args);
      };
    },
  });
  return { ...deps, db };
}

test('a document that is ingested while it is forgotten is forgotten', async () => {
  await holds(ada, { documentId: 'secret' });
  const receipt = await interrupted('transaction', letGo).forgetDocument(ada.access, 'secret', {});
  expect(receipt.remaining).toEqual({ rows: 0, vectors: 0, terms: 0, graphLinks: 0 });
  expect(await ada.memories()).toEqual([]);
  expect(await ada.recalls('What is the code of the garage door?')).toEqual([]);
});

test('a user whose first document is ingested while they are forgotten is forgotten', async () => {
  await holds(ada);
  await interrupted('transaction', letGo).forgetOwner(ada.access, { userId: 'ada' });
  expect(await world.deps.db.memory.count({ where: { instanceNumber: ada.access.instanceNumber } })).toBe(0);
  expect(await ada.memories()).toEqual([]);
});

test('a user who comes while their customer is forgotten is forgotten too: nothing of theirs is taken apart', async () => {
  await ada.says('I collect stamps from Iceland.');
  const eve = await world.user('eve', { customer: 'acme', access: ada.access });
  const eveComes = interruptedDependencies(/FROM owner WHERE i = .{0,40}owner_no = ANY/, () => holds(eve));
  await interrupted('transaction', letGo, eveComes).forgetOwner(ada.access, { customerId: 'acme' });
  const { instanceNumber } = ada.access;
  expect(await world.deps.db.memory.count({ where: { instanceNumber } })).toBe(0);
  expect(await world.deps.db.owner.count({ where: { instanceNumber, customerId: 'acme' } })).toBe(0);
});

test('a document that is accepted while its user is forgotten is forgotten too, or remembered: not in between', async () => {
  await ada.says('I collect stamps from Iceland.');
  await interrupted('transaction', () => holds(ada)).forgetOwner(ada.access, { userId: 'ada' });
  await letGo();
  const left = await world.deps.db.ingestion.findMany({
    where: { instanceNumber: ada.access.instanceNumber },
    select: { status: true },
  });
  expect(left.filter(({ status }) => status !== 'completed')).toEqual([]);
});

test('a user who is forgotten while a document of theirs is being accepted: accepted means remembered', async () => {
  await ada.says('I collect stamps from Iceland.');
  const forget = () => world.app.forgetOwner(ada.access, { userId: 'ada' });
  const app = interrupted(/INSERT INTO document/, forget);
  const { id } = await app.submit(ada.access, { document: secret, documentType: 'note', mode: 'fast', ...ada.named });
  await world.settle();
  expect(await world.app.ingestion(ada.access, id)).toMatchObject({ status: 'completed' });
  expect(await ada.recalls('What is the code of the garage door?')).toContain(secret);
});

test('a user who is forgotten while a conversation is bound to them: the conversation answers as one never seen', async () => {
  await ada.says('I collect stamps from Iceland.');
  const forget = () => world.app.forgetOwner(ada.access, { userId: 'ada' });
  const query = {
    searchQueries: ['stamps'],
    mode: 'fast',
    maxResults: 5,
    explain: false,
    conversationId: 'harbour',
  } as const;
  await interrupted(/INSERT INTO conversation/, forget).fetchContext(ada.access, { ...query, ...ada.named });
  const again = world.app.fetchContext(ada.access, query).then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );
  expect(['answered', 'context_not_found']).toContain(await again);
});

test('a user who is forgotten twice at once: one receipt tells of it, the other request finds nobody', async () => {
  await ada.says(secret);
  const forget = () => world.app.forgetOwner(ada.access, { userId: 'ada' });
  const second = interrupted('transaction', forget).forgetOwner(ada.access, { userId: 'ada' });
  await expect(second).rejects.toMatchObject({ code: 'not_found' });
});

test('a user who is forgotten between the reads of another erasure: a refusal, not a fault', async () => {
  const { memoryIds } = await ada.says(secret);
  const forget = () => world.app.forgetOwner(ada.access, { userId: 'ada' });
  const app = interrupted(/SELECT\s+.{0,200}owner_no = /s, forget);
  const erased = app.forgetMemory(ada.access, memoryIds[0]!, { cascade: false });
  await expect(erased).rejects.toMatchObject({ code: 'not_found' });
});

test('of simultaneous documents with one id, one is taken', async () => {
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => holds(ada, { documentId: 'one' })));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const each of all)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'duplicate_document' });
  await letGo();
});

test('simultaneous statements about one attribute: one holds, the latest said', async () => {
  const towns = ['Leeds', 'Ghent', 'Porto', 'Turku', 'Basel', 'Cadiz'];
  await Promise.all(towns.map((town, n) => holds(ada, {}, `I live in ${town}.`).then(() => n)));
  await letGo();
  const facts = await ada.memories({ type: 'facts' });
  expect(facts.length).toBe(towns.length);
});

test('documents that come and go at random leave whole rows', { timeout: 120_000 }, async () => {
  const bob = await world.user('bob', { access: ada.access, customer: 'acme' });
  const random = lcg(7);
  const refused: unknown[] = [];
  const quietly = (work: Promise<unknown>) =>
    work.catch((error: { code?: string }) => {
      if (!['not_found', 'duplicate_document'].includes(error.code ?? '')) refused.push(error);
    });
  const works = Array.from({ length: 90 }, async (_, n) => {
    const who = random() < 0.5 ? ada : bob;
    const documentId = `d${Math.floor(random() * 6)}`;
    const dice = random();
    await new Promise((resolve) => setTimeout(resolve, random() * 2_500));
    if (dice < 0.6)
      await quietly(who.says(`I live in Town${n % 5}. Rosalind paints boat ${n % 7}.`, day(n), { documentId }));
    else if (dice < 0.85) await quietly(world.app.forgetDocument(who.access, documentId, {}));
    else if (dice < 0.95) {
      const [memory] = await who.memories();
      if (memory) await quietly(world.app.forgetMemory(who.access, memory.id, { cascade: dice < 0.9 }));
    } else await quietly(world.app.forgetOwner(who.access, { userId: who.named.userId }));
  });
  await Promise.all(works);
  await world.settle();
  expect(refused).toEqual([]);
});

/** Numbers from 0 to 1, the same at each run. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
