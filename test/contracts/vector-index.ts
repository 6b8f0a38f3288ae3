import { beforeAll, describe, expect, test } from 'vitest';
import { transaction, type Db } from '../../src/db/database.ts';
import { newUuid } from '../../src/domain/ids.ts';
import { insertMemories, type NewMemory } from '../../src/domain/memories/memory-store.ts';
import { saveValidities } from '../../src/domain/memories/statement-validity-store.ts';
import { registerSpace } from '../../src/domain/search-index/space-store.ts';
import type { MemoryVector, VectorIndex, VectorSearch } from '../../src/domain/search-index/vector-index.ts';
import type { VectorScore } from '../../src/domain/vectors/similarity.ts';
import type { VectorSpace } from '../../src/domain/vectors/vector-recipe.ts';
import type { Access, NarrowedAccess } from '../../src/domain/tenancy/access.ts';

/** Where an index is tried: its database, and instances that are new. */
export interface Ground {
  readonly db: Db;
  readonly index: VectorIndex;
  instance(): Promise<Access>;
}

/** What every vector index does, whatever keeps its vectors. */
export function vectorIndexContract(name: string, open: () => Promise<Ground>): void {
  // oxlint-disable-next-line vitest/valid-title -- it is the name of what keeps the contract
  describe(name, () => {
    let ground: Ground;
    beforeAll(async () => {
      ground = await open();
    });

    const instance = async () => {
      const access = await ground.instance();
      await registerSpace(ground.db, access, words);
      return access;
    };
    const put = async (access: Access, vectors: readonly MemoryVector[], space = words) => {
      revision += 1n;
      const prepared = await ground.index.prepare(access, { space, vectors });
      return transaction(ground.db, (tx) => ground.index.put(tx, access, prepared));
    };
    const remove = async (access: Access, ids: readonly string[], space?: VectorSpace) => {
      const removed = await transaction(ground.db, (tx) => ground.index.remove(tx, access, ids, space));
      return removed + (await ground.index.applyPending(access, ids));
    };
    const nearest = (access: NarrowedAccess, values: Float32Array, more: Partial<VectorSearch> = {}) =>
      ground.index.nearest(access, { vector: { space: words, values }, limit: 10, ...more });
    const found = async (...asked: Parameters<typeof nearest>) =>
      (await nearest(...asked)).map(({ memoryId }) => memoryId);

    test('a vector is hidden from another instance and from another owner', async () => {
      const [acme, globex] = [await instance(), await instance()];
      const mine = vectorAt(1);
      await put(acme, [mine]);
      const strangers = [reading(globex, 1), reading(acme, 2)];
      for (const stranger of strangers) {
        expect(await nearest(stranger, mine.values)).toEqual([]);
        const vector = { space: words, values: mine.values };
        expect(await ground.index.score(stranger, vector, [mine.memoryId])).toEqual([]);
      }
      expect(await remove(globex, [mine.memoryId])).toBe(0);
      expect(await ground.index.count(globex, [mine.memoryId])).toBe(0);
      expect(await ground.index.size(globex, words)).toBe(0);
      expect(await ground.index.page(globex, words, null, 10)).toEqual([]);
      expect(await found(reading(acme, 1), mine.values)).toEqual([mine.memoryId]);
    });

    test('one id in two instances is two vectors', async () => {
      const [acme, globex] = [await instance(), await instance()];
      const here = vectorAt(1);
      const there = { ...vectorAt(1), memoryId: here.memoryId, values: unit(9) };
      await put(acme, [here]);
      await put(globex, [there]);
      expect((await nearest(reading(acme, 1), unit(9)))[0]!.score).toBeCloseTo(dot(here.values, unit(9)), 4);
      expect(await remove(acme, [here.memoryId])).toBe(1);
      expect(await found(reading(globex, 1), unit(9))).toEqual([there.memoryId]);
    });

    test('the nearest are those of the greatest dot product, best first, over all owners that may be read', async () => {
      const access = await instance();
      const vectors = Array.from({ length: 60 }, (_, n) => ({ ...vectorAt(1 + (n % 3)), values: long(n) }));
      await put(access, vectors, meanings);
      for (let ask = 100; ask < 110; ask++) {
        const values = long(ask);
        const expected = vectors
          .filter(({ ownerNo }) => ownerNo !== 3)
          .map((each) => ({
            memoryId: each.memoryId,
            score: dot(each.values, values),
            cosine: cosine(each.values.subarray(512), values.subarray(512)),
          }))
          .toSorted((one, other) => other.score - one.score)
          .slice(0, 7);
        const vector = { space: meanings, values };
        const answer = await ground.index.nearest(reading(access, 1, 2), { vector, limit: 7 });
        expect(answer).toEqual(expected.map(about));
        const ids = expected.map(({ memoryId }) => memoryId);
        const scores = await ground.index.score(reading(access, 1, 2), vector, ids);
        const byId = new Map(scores.map((each) => [each.memoryId, each]));
        expect(ids.map((id) => byId.get(id))).toEqual(expected.map(about));
      }
    });

    test('types and times are filtered by', async () => {
      const access = await instance();
      const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')];
      const fact = { ...vectorAt(1), validity: { from: early, until: null } };
      const past = { ...vectorAt(1), validity: { from: early, until: late } };
      const episode = { ...vectorAt(1), type: 'episodes' as const, validity: { from: late, until: null } };
      await put(access, [fact, past, episode]);
      const asked = async (more: Partial<VectorSearch>) => new Set(await found(reading(access, 1), unit(0), more));
      const ids = (...of: MemoryVector[]) => new Set(of.map(({ memoryId }) => memoryId));
      expect(await asked({})).toEqual(ids(fact, episode));
      expect(await asked({ types: ['facts'] })).toEqual(ids(fact));
      expect(await asked({ types: ['facts', 'episodes'] })).toEqual(ids(fact, episode));
      expect(await asked({ asOf: new Date('2025-12-31T00:00:00Z') })).toEqual(ids());
      expect(await asked({ asOf: early })).toEqual(ids(fact, past));
      expect(await asked({ asOf: late })).toEqual(ids(fact, episode)); // until is the first moment when it holds no more
    });

    test('what the named said is found, however much of others is nearer', async () => {
      const access = await instance();
      const [mine, ...others] = Array.from({ length: 60 }, () => vectorAt(1));
      const nearer = others.map((other) => ({ ...other, values: mine!.values.map((value) => value * 2) }));
      const rows = [rowOf(mine!), ...nearer.map((other) => ({ ...rowOf(other), provenance: 'tool' as const }))];
      await transaction(ground.db, (tx) => insertMemories(tx, access, origin(), rows));
      await put(access, [mine!, ...nearer]);
      const reader = reading(access, 1);
      expect(await found(reader, mine!.values, { limit: 3, provenance: ['user'] })).toEqual([mine!.memoryId]);
      const ofOthers = await found(reader, mine!.values, { limit: 3, provenance: ['tool', 'document'] });
      expect(ofOthers).toHaveLength(3);
      expect(ofOthers).not.toContain(mine!.memoryId);
      expect(await found(reader, mine!.values, { provenance: ['import'] })).toEqual([]);
    });

    test('what ends, or holds again, is found accordingly', async () => {
      const access = await instance();
      const vector = vectorAt(1);
      await transaction(ground.db, (tx) => insertMemories(tx, access, origin(), [rowOf(vector)]));
      await put(access, [vector]);
      const until = new Date('2026-05-01T00:00:00Z');
      const set = async (at: Date | null) => {
        revision += 1n;
        await transaction(ground.db, async (tx) => {
          const statementValidity = { validUntil: at, supersededBy: null };
          await saveValidities(tx, ground.index, access, [{ id: vector.memoryId, statementValidity }]);
        });
        await ground.index.applyPending(access, [vector.memoryId]);
      };
      await set(until);
      expect(await found(reading(access, 1), vector.values)).toEqual([]);
      const before = { asOf: new Date('2026-04-30T00:00:00Z') };
      expect(await found(reading(access, 1), vector.values, before)).toEqual([vector.memoryId]);
      const [held] = await ground.index.page(access, words, null, 10);
      expect(held).toEqual({ memoryId: vector.memoryId, ownerNo: 1, validity: { from: vector.validity.from, until } });
      await set(null);
      expect(await found(reading(access, 1), vector.values)).toEqual([vector.memoryId]);
    });

    test('a vector that is put again takes the place of the one before', async () => {
      const access = await instance();
      const vector = vectorAt(1);
      await put(access, [vector]);
      await put(access, [{ ...vector, values: unit(77) }]);
      const answer = await nearest(reading(access, 1), unit(77));
      expect(answer).toHaveLength(1);
      expect(answer[0]!.score).toBeCloseTo(1, 4);
    });

    test('spaces are apart, and what is in none that is kept goes', async () => {
      const access = await instance();
      const [one, other] = [vectorAt(1), vectorAt(1)];
      await put(access, [one, other]);
      await put(access, [{ ...one, values: long(1) }], meanings);
      expect([await ground.index.size(access, words), await ground.index.size(access, meanings)]).toEqual([2, 1]);
      expect(await ground.index.findMissing(access, meanings, [one.memoryId, other.memoryId])).toEqual([
        other.memoryId,
      ]);
      expect(await ground.index.count(access, [one.memoryId, other.memoryId])).toBe(3);
      while (await ground.index.clear(access, [words], 1));
      expect(await ground.index.count(access, [one.memoryId, other.memoryId])).toBe(2);
      await put(access, [{ ...one, values: long(1) }], meanings);
      expect(await remove(access, [one.memoryId])).toBe(2);
      expect(await ground.index.count(access, [one.memoryId])).toBe(0);
    });

    test('a vector that is not complete is found, and lacks until it is', async () => {
      const access = await instance();
      const vector = { ...vectorAt(1), isComplete: false };
      await put(access, [vector]);
      expect(await found(reading(access, 1), vector.values)).toEqual([vector.memoryId]);
      expect(await ground.index.findMissing(access, words, [vector.memoryId])).toEqual([vector.memoryId]);
      expect(await ground.index.size(access, words)).toBe(0);
      await put(access, [{ ...vector, isComplete: true }]);
      expect(await ground.index.findMissing(access, words, [vector.memoryId])).toEqual([]);
      expect(await ground.index.size(access, words)).toBe(1);
    });

    test('a memory without a word, of which no number says anything, is kept', async () => {
      const access = await instance();
      const vector = { ...vectorAt(1), values: new Float32Array(512) };
      await put(access, [vector]);
      expect((await nearest(reading(access, 1), unit(0)))[0]).toMatchObject({ memoryId: vector.memoryId, score: 0 });
    });

    test.each([
      { case: 'with a number that is none', values: unit(0).map((value, n) => (n === 3 ? NaN : value)) },
      { case: 'with a number beyond all', values: unit(0).map((value, n) => (n === 3 ? Infinity : value)) },
      { case: 'of another length', values: new Float32Array(100).fill(0.1) },
    ])('a vector $case is refused, and so are those beside it', async ({ values }) => {
      const access = await instance();
      await expect(put(access, [vectorAt(1), { ...vectorAt(1), values }])).rejects.toThrow(/vector/);
      expect(await nearest(reading(access, 1), unit(0))).toEqual([]);
    });

    test('pages go over all that is held, each once, in order', async () => {
      const access = await instance();
      const vectors = Array.from({ length: 25 }, () => vectorAt(1));
      await put(access, vectors);
      const seen: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await ground.index.page(access, words, after, 10);
        seen.push(...page.map(({ memoryId }) => memoryId));
        if (page.length < 10) break;
        after = seen.at(-1)!;
      }
      expect(seen).toEqual(vectors.map(({ memoryId }) => memoryId).toSorted());
    });

    test('an instance that goes leaves nothing, and others alone', async () => {
      const [acme, globex] = [await instance(), await instance()];
      const [here, there] = [vectorAt(1), vectorAt(1)];
      await put(acme, [here]);
      await put(acme, [{ ...here, values: long(1) }], meanings);
      await put(globex, [there]);
      await ground.index.dropInstance(acme);
      expect(await ground.index.count(acme, [here.memoryId])).toBe(0);
      expect(await ground.index.size(acme, words)).toBe(0);
      expect(await found(reading(globex, 1), there.values)).toEqual([there.memoryId]);
      await put(acme, [here]); // and it may come again
      expect(await found(reading(acme, 1), here.values)).toEqual([here.memoryId]);
    });

    test('nothing asked for, nothing answered', async () => {
      const access = await instance();
      expect(await nearest(reading(access), unit(0))).toEqual([]);
      expect(await ground.index.score(reading(access, 1), { space: words, values: unit(0) }, [])).toEqual([]);
      expect(await put(access, [])).toBe(true);
      expect(await ground.index.findMissing(access, words, [])).toEqual([]);
      expect(await ground.index.size(access, meanings)).toBe(0);
    });
  });
}

const words: VectorSpace = { model: 'contract', dimensions: 0, recipe: 1 };
const meanings: VectorSpace = { model: 'contract', dimensions: 32, recipe: 1 };

const length = (values: Float32Array) => Math.sqrt(dot(values, values));
const dot = (one: Float32Array, other: Float32Array) => one.reduce((sum, value, n) => sum + value * other[n]!, 0);
const cosine = (one: Float32Array, other: Float32Array) => dot(one, other) / (length(one) * length(other));

/** A vector of its own for each number. */
function random(dimensions: number, seed: number): Float32Array {
  let state = seed * 2_654_435_761 + 1;
  return Float32Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}
const unit = (seed: number) => {
  const values = random(512, seed);
  const size = length(values);
  return values.map((value) => value / size);
};
/** Words and meaning; not of length 1, as stored vectors are not. */
const long = (seed: number) => random(512 + 32, seed);

export const vectorAt = (ownerNo: number): MemoryVector => ({
  memoryId: newUuid(),
  ownerNo,
  type: 'facts',
  validity: { from: new Date('2026-01-01T00:00:00Z'), until: null },
  values: unit(0),
  isComplete: true,
});

/** As every writer raises its owner's: copies of vectors are kept by it. */
let revision = 1n;

/** The access of a reader of these owners. */
const reading = (access: Access, ...ownerNos: number[]): NarrowedAccess => ({
  ...access,
  readableOwners: ownerNos.map((ownerNo) => ({
    ownerNo,
    scope: 'USER',
    customerId: '',
    userId: `user-${ownerNo}`,
    revision,
    memoryCount: 5,
    termTotal: 10,
  })),
});

/** The same but for the last digits of a float. */
const about = ({ memoryId, ...scores }: VectorScore) => ({
  memoryId,
  score: expect.closeTo(scores.score, 3) as number,
  cosine: expect.closeTo(scores.cosine, 3) as number,
});

const origin = () => ({
  documentId: newUuid(),
  conversationId: null,
  ingestionId: newUuid(),
  configurationVersion: 1,
  instanceRevision: 0n,
  metadata: null,
  at: new Date('2026-01-01T00:00:00Z'),
});

const rowOf = ({ memoryId, ownerNo, type, validity }: MemoryVector): NewMemory => ({
  id: memoryId,
  ownerNo,
  type,
  category: 'other',
  content: 'Ada lives in Leeds',
  confidence: 1,
  contentKey: Buffer.from(memoryId),
  attributeKey: null,
  attributeValue: null,
  attributeSense: null,
  attributeUntil: null,
  attributeOnly: false,
  event: null,
  dueAt: null,
  validFrom: validity.from,
  statementValidity: { validUntil: validity.until, supersededBy: null },
  turns: [0],
  quote: 'I live in Leeds',
  passage: 0,
  role: 'user',
  provenance: 'user',
  speaker: null,
});
