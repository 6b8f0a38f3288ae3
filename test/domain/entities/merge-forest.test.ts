import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  removeFromForest,
  pathBetween,
  mergeSubtreeOf,
  type MergeEdge,
} from '../../../src/domain/entities/merge-forest.ts';

const names = Array.from({ length: 8 }, (_, n) => `n${n}`);

/** The end of a name's chain of merges. */
function rootOf(edges: readonly MergeEdge[], id: string): string {
  const above = edges.find((edge) => edge.sourceId === id);
  return above ? rootOf(edges, above.targetId) : id;
}

/** A forest over the names, as merges build it: a root becomes part of another root. */
const forests = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names))).map((pairs) => {
  const edges: MergeEdge[] = [];
  for (const [one, other] of pairs) {
    const [sourceId, targetId] = [rootOf(edges, one), rootOf(edges, other)];
    if (sourceId !== targetId) edges.push({ id: `e${edges.length}`, sourceId, targetId });
  }
  return edges;
});

const together = (edges: readonly MergeEdge[], without: readonly string[] = []) =>
  names
    .filter((name) => !without.includes(name))
    .map((name) => names.filter((other) => !without.includes(other) && rootOf(edges, other) === rootOf(edges, name)));

test('whoever is taken out, the others stay together as they were', () => {
  fc.assert(
    fc.property(forests, fc.subarray(names), (edges, gone) => {
      const { edges: left, ended, heirs } = removeFromForest(edges, gone);
      expect(together(left, gone)).toEqual(together(edges, gone));
      expect(left.length + ended.length).toBe(edges.length);
      for (const [name, heir] of heirs) {
        expect(rootOf(edges, heir)).toBe(rootOf(edges, name));
        const hasOthers = names.some((other) => !gone.includes(other) && rootOf(edges, other) === rootOf(edges, name));
        if (hasOthers) expect(gone).not.toContain(heir);
      }
    }),
  );
});

test('an undone merge sets apart what hung from its source, and nothing else', () => {
  fc.assert(
    fc.property(forests, (edges) => {
      for (const undone of edges) {
        const left = edges.filter((edge) => edge !== undone);
        const apart = mergeSubtreeOf(edges, undone.sourceId);
        for (const name of names) {
          expect(rootOf(left, name)).toBe(apart.has(name) ? undone.sourceId : rootOf(edges, name));
        }
      }
    }),
  );
});

test('a path is what makes two names one', () => {
  fc.assert(
    fc.property(forests, fc.constantFrom(...names), fc.constantFrom(...names), (edges, one, other) => {
      fc.pre(one !== other && rootOf(edges, one) === rootOf(edges, other));
      for (const edge of pathBetween(edges, one, other)) {
        const left = edges.filter((each) => each !== edge);
        expect(rootOf(left, one)).not.toBe(rootOf(left, other));
      }
    }),
  );
});
