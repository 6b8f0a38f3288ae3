import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPublicId } from '../../src/domain/ids.ts';
import { brokenRules } from '../support/consistency.ts';
import { entitiesOf } from '../support/entities.ts';
import { day, type Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();
const names = ['Odile Brandt', 'Jorun Dahl', 'Robert Ferrars', 'Amara Okafor', 'Petra Hawksworth', 'Soren Lund'];

/** The memories that mention each entity, as a list of sets: who is one with whom, and with what evidence. */
async function partitionOf(person: Person): Promise<string[][]> {
  const entities = await entitiesOf(world, person);
  const evidence = await world.app.evidenceOfEntities(
    person.access,
    entities.map(({ id }) => id),
    1_000,
  );
  return sorted(evidence.map((mentions) => mentions.map(({ memoryId }) => memoryId)));
}

const sorted = (groups: readonly (readonly string[])[]) =>
  groups
    .filter((group) => group.length > 0)
    .map((group) => [...new Set(group)].toSorted())
    .toSorted((a, b) => a.join().localeCompare(b.join()));

/** A step of a story: numbers choose among what there is at that moment. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('says', 'says', 'merges', 'merges', 'undoes', 'splits', 'forgets'),
    one: fc.nat(1_000),
    other: fc.nat(1_000),
  }),
  { minLength: 8, maxLength: 20 },
);
type Step = { kind: string; one: number; other: number };

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

/** A story of one user, told step by step to the service, beside what it must come to. */
class Story {
  readonly person: Person;
  readonly documents: { id: string; memories: string[] }[] = [];
  #said = 0;

  constructor(person: Person) {
    this.person = person;
  }

  /** Does the step; returns the partition that it must lead to. */
  async take(step: Step): Promise<string[][]> {
    const before = await partitionOf(this.person);
    if (step.kind === 'says') return this.#say(pick(names, step.one)!, before);
    if (step.kind === 'merges') return this.#merge(step, before);
    if (step.kind === 'undoes') return this.#undo(step, before);
    if (step.kind === 'splits') return this.#split(step, before);
    return this.#forget(step, before);
  }

  async #say(name: string, before: string[][]): Promise<string[][]> {
    const { access } = this.person;
    const [known] = (await world.app.entities(access, { q: name }, { limit: 100 })).data.toReversed();
    const home =
      known && (await world.app.evidenceOfEntities(access, [known.id], 1_000))[0]!.map((each) => each.memoryId);
    const id = `document ${this.#said++}`;
    const { memoryIds } = await this.person.says(
      `Errand ${this.#said}: ${name} carried the lamp of dock ${this.#said}.`,
      day(1),
      { documentId: id },
    );
    this.documents.push({ id, memories: [...memoryIds] });
    if (!home) return sorted([...before, memoryIds]);
    const after = await partitionOf(this.person);
    // A name that a split gave to two entities may go to either; to one of them it must go.
    const homes = after.filter((group) => memoryIds.every((each) => group.includes(each)));
    assert.equal(homes.length, 1);
    const without = after.map((group) => group.filter((each) => !memoryIds.includes(each)));
    assert.deepEqual(sorted(without), before);
    return after;
  }

  async #merge({ one, other }: Step, before: string[][]): Promise<string[][]> {
    const entities = await entitiesOf(world, this.person);
    const [source, target] = [pick(entities, one), pick(entities, other)];
    if (!source || !target || source.id === target.id) return before;
    const [left, right] = (await world.app.evidenceOfEntities(this.person.access, [source.id, target.id], 1_000)).map(
      (all) => all.map((each) => each.memoryId),
    );
    const { entity } = await world.app.mergeEntities(this.person.access, { sourceId: source.id, targetId: target.id });
    assert.equal(entity.id, target.id);
    return sorted([
      ...before.filter((group) => !group.some((each) => [...left!, ...right!].includes(each))),
      [...left!, ...right!],
    ]);
  }

  async #undo({ one, other }: Step, before: string[][]): Promise<string[][]> {
    const entities = await entitiesOf(world, this.person);
    const merges = await world.app.mergesOfEntities(
      this.person.access,
      entities.map(({ id }) => id),
    );
    const merge = pick(merges.flat(), one + other);
    if (!merge) return before;
    const expected = await this.#withoutMerge(merge.id);
    const undone = await world.app.undoMerge(this.person.access, merge.id, {});
    assert(undone.entities.some(({ id }) => id === merge.sourceEntityId));
    await assert.rejects(world.app.undoMerge(this.person.access, merge.id, {}), { code: 'conflict' });
    return expected;
  }

  /** The names joined anew by every other merge: flooding from name to name, with no notion of roots. */
  async #withoutMerge(id: string): Promise<string[][]> {
    const merges = (await this.#merges()).filter((merge) => merge.id !== id);
    const mentions = await world.deps.db.mention.findMany({
      where: { instanceNumber: this.person.access.instanceNumber },
    });
    const groups = new Map(mentions.map(({ entityId }) => [entityId, new Set([entityId])]));
    for (const { source, target } of merges) {
      const joined = new Set([...(groups.get(source) ?? []), ...(groups.get(target) ?? [])]);
      for (const name of joined) groups.set(name, joined);
    }
    return sorted(
      [...new Set(groups.values())].map((group) =>
        mentions.flatMap((row) => (group.has(row.entityId) ? toPublicId('memory', row.memoryId) : [])),
      ),
    );
  }

  async #merges() {
    const rows = await world.deps.db.entityMerge.findMany({
      where: { instanceNumber: this.person.access.instanceNumber, undoneAt: null },
    });
    return rows.map((row) => ({ id: toPublicId('merge', row.id), source: row.sourceId, target: row.targetId }));
  }

  async #split({ one, other }: Step, before: string[][]): Promise<string[][]> {
    const entity = pick(await entitiesOf(world, this.person), one);
    if (!entity) return before;
    const [evidence] = await world.app.evidenceOfEntities(this.person.access, [entity.id], 1_000);
    const all = evidence!.map((each) => each.memoryId);
    const moved = all.filter((_, n) => ((other >> (n % 8)) & 1) === 1);
    const splitting = world.app.splitEntity(this.person.access, {
      entityId: entity.id,
      memoryIds: moved.length ? moved : all,
    });
    if (!moved.length || moved.length === all.length) {
      await assert.rejects(splitting, { code: 'conflict' });
      return before;
    }
    await splitting;
    return sorted([
      ...before.filter((group) => !group.includes(all[0]!)),
      moved,
      all.filter((each) => !moved.includes(each)),
    ]);
  }

  async #forget({ one }: Step, before: string[][]): Promise<string[][]> {
    const document = pick(this.documents, one);
    if (!document) return before;
    this.documents.splice(this.documents.indexOf(document), 1);
    await world.app.forgetDocument(this.person.access, document.id, {});
    return sorted(before.map((group) => group.filter((each) => !document.memories.includes(each))));
  }
}

test('whatever is merged, split, undone, said and forgotten, in any order: nothing is lost and nothing is mixed up', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const told = new Story(await world.user('ada'));
      for (const step of story)
        expect({ step, is: await told.take(step) }).toEqual({ step, is: await partitionOf(told.person) });
      expect(await brokenRules(world.deps, told.person.access)).toEqual({});
    }),
    { numRuns: 15 },
  );
}, 180_000);

test('when every merge is undone, in any order, each name has its own mentions again', async () => {
  const chosen = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(1_000)), { minLength: 3, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(chosen, async (pairs) => {
      const ada = await world.user('ada');
      const { access } = ada;
      const own = new Map<string, string[]>();
      const say = async (name: string, n: number) => {
        const { memoryIds } = await ada.says(`Errand ${n}: ${name} carried the lamp of dock ${n}.`);
        own.set(name, [...(own.get(name) ?? []), ...memoryIds]);
      };
      for (const [n, name] of names.entries()) await say(name, n);
      const idOf = async (n: number) => (await world.app.entities(access, { q: names[n]! }, { limit: 1 })).data[0]!.id;
      const merges: { id: string; order: number }[] = [];
      for (const [n, [one, other, order]] of pairs.entries()) {
        const [sourceId, targetId] = [await idOf(one), await idOf(other)];
        if (sourceId === targetId) continue;
        merges.push({ id: (await world.app.mergeEntities(access, { sourceId, targetId })).merge.id, order });
        await say(names[one]!, 100 + n);
      }
      for (const { id } of merges.toSorted((a, b) => a.order - b.order)) await world.app.undoMerge(access, id, {});
      expect(await partitionOf(ada)).toEqual(sorted([...own.values()]));
      await say(names[0]!, 1_000);
      expect(await partitionOf(ada)).toEqual(sorted([...own.values()]));
    }),
    { numRuns: 6 },
  );
}, 180_000);
