import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StatementSense } from '../../../src/domain/extraction/candidate.ts';
import { attributeTimelines } from '../../../src/domain/memories/attribute-timeline.ts';
import { attributesToShare, type MemoryWithAttribute } from '../../../src/domain/memories/shared-attribute.ts';

const hash = (...words: string[]) => createHash('sha256').update(words.join('/')).digest();
// Of an access, nothing but its keyed hash is used.
const access = { keys: { hash } } as unknown as Parameters<typeof attributesToShare>[0];

/** A memory of the attribute `key`; without one, of none. */
const memory = (id: string, sense: StatementSense | null = null, key: string | null = null): MemoryWithAttribute => ({
  id,
  content: `the words of ${id}`,
  attributeKey: key === null ? null : hash(key),
  attributeValue: key === null ? null : hash(`the value of ${id}`),
  attributeSense: sense,
});

/** What is retired of these once they share an attribute, said one after the other. */
function retired(memories: readonly MemoryWithAttribute[], old: MemoryWithAttribute, by: MemoryWithAttribute) {
  const given = new Map((attributesToShare(access, old, by) ?? []).map((each) => [each.id, each]));
  const statements = memories.flatMap((each, n) => {
    const { key, value, sense } = given.get(each.id) ?? {
      key: each.attributeKey,
      value: each.attributeValue,
      sense: each.attributeSense,
    };
    if (!key || !value) return [];
    const said = [{ at: new Date(n), documentId: String(n), turn: 0, isTrusted: true }];
    return [
      { id: each.id, attributeKey: key.toString('hex'), value: value.toString('hex'), sense, said, isPassage: false },
    ];
  });
  return [...attributeTimelines(statements)].flatMap(([id, { supersededBy }]) => (supersededBy ? id : []));
}

test.each([null, 'also', 'denies', 'ends', 'ends-all'] as const)(
  'a statement that %s retires what has no form',
  (sense) => {
    const [old, by] = [memory('old'), memory('by', sense, 'employer')];
    expect(retired([old, by], old, by)).toEqual(['old']);
  },
);

test.each([null, 'also', 'denies', 'yields'] as const)('what has no form retires a statement that %s', (sense) => {
  const [old, by] = [memory('old', sense, 'employer'), memory('by')];
  expect(retired([old, by], old, by)).toEqual(['old']);
});

test('two without a form', () => {
  const [old, by] = [memory('old'), memory('by')];
  expect(retired([old, by], old, by)).toEqual(['old']);
});

test.each([
  { case: 'what yields', old: memory('old'), by: memory('by', 'yields', 'meeting') },
  { case: 'an end', old: memory('old', 'ends', 'employer'), by: memory('by') },
  { case: 'an end of all', old: memory('old', 'ends-all', 'employer'), by: memory('by') },
  { case: 'two attributes', old: memory('old', null, 'employer'), by: memory('by', null, 'residence') },
])('nothing is shared with $case', ({ old, by }) => {
  expect(attributesToShare(access, old, by)).toBeNull();
});

test.each(['ends', 'denies', 'ends-all'] as const)(
  'what a statement that %s retires replaced no other value',
  (sense) => {
    const [other, old] = [memory('other', null, 'employer'), memory('old')];
    const by = memory('by', sense, 'employer');
    const left = retired([other, old, by], old, by).filter((id) => id !== 'old');
    expect(left).toEqual(sense === 'ends-all' ? ['other'] : []);
  },
);
