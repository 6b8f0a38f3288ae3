import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import type { StatementSense } from '../../../src/domain/extraction/candidate.ts';
import { attributeTimelines, type AttributeStatement } from '../../../src/domain/memories/attribute-timeline.ts';

const saying = (dayOfMonth: number, turn: number, documentId: string, isTrusted = true) => ({
  at: new Date(Date.UTC(2026, 0, dayOfMonth)),
  documentId,
  turn,
  isTrusted,
});
const said = (id: string, value: string, dayOfMonth: number, isPassage = false): AttributeStatement => ({
  id,
  attributeKey: 'user/residence',
  value,
  said: [saying(dayOfMonth, 0, id)],
  isPassage,
});
/** By a tool, a document or an assistant. */
const heard = (id: string, value: string, dayOfMonth: number): AttributeStatement => ({
  ...said(id, value, dayOfMonth),
  said: [saying(dayOfMonth, 0, id, false)],
});

test.each([
  { case: 'a single statement holds', statements: [said('a', 'leeds', 1)], holding: ['a'] },
  { case: 'a later value replaces', statements: [said('a', 'leeds', 1), said('b', 'york', 9)], holding: ['b'] },
  {
    case: 'order of arrival does not matter',
    statements: [said('b', 'york', 9), said('a', 'leeds', 1)],
    holding: ['b'],
  },
  {
    case: 'the same value again replaces nothing',
    statements: [said('a', 'york', 1), said('b', 'york', 9)],
    holding: ['a', 'b'],
  },
  {
    case: 'a passage goes with the statement it repeats',
    statements: [said('a', 'leeds', 1), said('p', 'leeds', 1, true), said('b', 'york', 9)],
    holding: ['b'],
  },
  {
    case: 'a return to the first value holds anew',
    statements: [said('a', 'leeds', 1), said('b', 'york', 9), said('c', 'leeds', 20)],
    holding: ['c'],
  },
  {
    case: 'two values of one moment both hold',
    statements: [said('a', 'leeds', 1), said('b', 'york', 1)],
    holding: ['a', 'b'],
  },
  {
    case: 'what is said last in one document holds',
    statements: [
      { ...said('a', 'leeds', 1), said: [saying(1, 0, 'd')] },
      { ...said('b', 'york', 1), said: [saying(1, 2, 'd')] },
    ],
    holding: ['b'],
  },
  {
    case: 'a value said again after another holds, although it was known before',
    statements: [{ ...said('a', 'leeds', 1), said: [saying(1, 0, 'd'), saying(20, 0, 'e')] }, said('b', 'york', 9)],
    holding: ['a'],
  },
  {
    case: 'what was said not to replace it does not, and the next does',
    statements: [{ ...said('a', 'leeds', 1), neverReplacedBy: new Set(['b']) }, said('b', 'york', 9)],
    holding: ['a', 'b'],
  },
  {
    case: 'a denied value does not hold',
    statements: [said('a', 'leeds', 1), { ...said('b', 'leeds', 9), sense: 'denies' }],
    holding: ['b'],
  },
  {
    case: 'a denial says nothing of other values',
    statements: [said('a', 'york', 1), { ...said('b', 'leeds', 9), sense: 'denies' }],
    holding: ['a', 'b'],
  },
  {
    case: 'nor does another value end a denial',
    statements: [{ ...said('a', 'leeds', 1), sense: 'denies' }, said('b', 'york', 9)],
    holding: ['a', 'b'],
  },
  {
    case: 'the value itself ends it',
    statements: [{ ...said('a', 'leeds', 1), sense: 'denies' }, said('b', 'leeds', 9)],
    holding: ['b'],
  },
  {
    case: 'what is over stays over',
    statements: [{ ...said('a', 'leeds', 1), sense: 'ends' }, said('b', 'leeds', 9), said('c', 'york', 20)],
    holding: ['a', 'c'],
  },
  {
    case: 'an end ends its own value',
    statements: [said('a', 'leeds', 1), { ...said('b', 'leeds', 9), sense: 'ends' }],
    holding: ['b'],
  },
  {
    case: 'and no other',
    statements: [said('a', 'york', 1), { ...said('b', 'leeds', 9), sense: 'ends' }],
    holding: ['a', 'b'],
  },
  {
    case: 'the end of all ends any, also one of several',
    statements: [
      said('a', 'york', 1),
      { ...said('b', 'hull', 2), sense: 'also' },
      { ...said('c', '', 9), sense: 'ends-all' },
    ],
    holding: ['c'],
  },
  {
    case: 'one of several stands beside the others',
    statements: [said('a', 'york', 1), { ...said('b', 'hull', 2), sense: 'also' }, said('c', 'york', 9)],
    holding: ['a', 'b', 'c'],
  },
  {
    case: 'one of several ends its denial',
    statements: [
      { ...said('a', 'hull', 1), sense: 'denies' },
      { ...said('b', 'hull', 2), sense: 'also' },
    ],
    holding: ['b'],
  },
  {
    case: 'what yields replaces no other of its kind',
    statements: [
      { ...said('a', 'friday', 1), sense: 'yields' },
      { ...said('b', 'monday', 2), sense: 'yields' },
    ],
    holding: ['a', 'b'],
  },
  {
    case: 'what yields is replaced',
    statements: [{ ...said('a', 'friday', 1), sense: 'yields' }, said('b', 'monday', 2)],
    holding: ['b'],
  },
  {
    case: 'what a tool repeats after the user said otherwise replaces nothing',
    statements: [
      { ...said('a', 'leeds', 1), said: [saying(1, 0, 'd'), saying(20, 0, 'e', false)] },
      said('b', 'york', 9),
    ],
    holding: ['b'],
  },
  {
    case: 'a statement that is nothing but such an echo does not hold',
    statements: [said('a', 'leeds', 1), said('b', 'york', 9), heard('c', 'leeds', 20), heard('d', 'leeds', 21)],
    holding: ['b'],
  },
  {
    case: 'an echo is one whoever said it first',
    statements: [heard('a', 'leeds', 1), said('b', 'york', 9), heard('c', 'leeds', 20)],
    holding: ['b'],
  },
  {
    case: 'what a tool is the first to say replaces',
    statements: [said('a', 'leeds', 1), heard('b', 'york', 9)],
    holding: ['b'],
  },
  {
    case: 'among tools the last counts',
    statements: [heard('a', 'leeds', 1), heard('b', 'york', 9), heard('c', 'leeds', 20)],
    holding: ['c'],
  },
  {
    case: 'what the user says again holds, whoever repeated it before',
    statements: [said('a', 'leeds', 1), said('b', 'york', 9), heard('c', 'leeds', 20), said('d', 'leeds', 25)],
    holding: ['d'],
  },
  {
    case: 'nothing replaces what has happened',
    statements: [{ ...said('a', 'friday', 1), until: new Date(Date.UTC(2026, 0, 5)) }, said('b', 'monday', 9)],
    holding: ['a', 'b'],
  },
] satisfies { case: string; statements: AttributeStatement[]; holding: string[] }[])(
  '$case',
  ({ statements, holding }) => {
    const statementValidities = attributeTimelines(statements);
    const current = statements.filter(({ id }) => !statementValidities.get(id)!.supersededBy).map(({ id }) => id);
    expect(current.toSorted()).toEqual(holding);
  },
);

test('an echo never held', () => {
  const statementValidities = attributeTimelines([
    said('a', 'leeds', 1),
    said('b', 'york', 9),
    heard('c', 'leeds', 20),
  ]);
  expect(statementValidities.get('c')).toEqual({ validUntil: new Date(Date.UTC(2026, 0, 20)), supersededBy: 'b' });
});

test('a value holds until the first statement of another', () => {
  const statementValidities = attributeTimelines([said('a', 'leeds', 1), said('b', 'york', 9), said('c', 'hull', 20)]);
  expect(statementValidities.get('a')).toEqual({ validUntil: new Date(Date.UTC(2026, 0, 9)), supersededBy: 'b' });
});

test('statements of other attributes do not meet', () => {
  const employer = { ...said('w', 'acme', 9), attributeKey: 'user/employer' };
  expect(attributeTimelines([said('a', 'leeds', 1), employer]).get('a')!.supersededBy).toBeNull();
});

/** In milliseconds of the processor, which others cannot take. */
function timeOf(work: () => void): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1_000;
}

test.each([
  { case: 'twenty thousand values of one turn', statementOf: (n: number) => ({ value: `v${n}`, turn: 0 }) },
  { case: 'twenty thousand values, turn by turn', statementOf: (n: number) => ({ value: `v${n}`, turn: n }) },
  { case: 'twenty thousand statements of one value', statementOf: (n: number) => ({ value: 'v', turn: n }) },
  { case: 'as many of two values, by turns', statementOf: (n: number) => ({ value: `v${n % 2}`, turn: n >> 8 }) },
])('$case are laid out before anybody waits for long', ({ statementOf }) => {
  for (const isTrusted of [true, false]) {
    const statements = Array.from({ length: 20_000 }, (_, n): AttributeStatement => {
      const { value, turn } = statementOf(n);
      return { ...said(`s${n}`, value, 1), said: [saying(1, turn, 'd', isTrusted)] };
    });
    expect(timeOf(() => attributeTimelines(statements))).toBeLessThan(1_500);
  }
});

/** Who replaces whom, by a look at every pair, as the rules say it. */
function replacedByDefinition(statements: readonly AttributeStatement[]): Map<string, string | null> {
  const order = (one: AttributeStatement, other: AttributeStatement) => {
    const [a, b] = [one.said[0]!, other.said[0]!];
    return a.at.getTime() - b.at.getTime() || (a.documentId === b.documentId ? a.turn - b.turn : 0);
  };
  const replaces = (next: AttributeStatement, own: AttributeStatement) => {
    if (own.sense === 'ends' || own.sense === 'ends-all') return false;
    if (next.sense === 'ends-all') return own.sense !== 'denies';
    const isDenied = next.sense === 'denies' || next.sense === 'ends';
    if (next.value === own.value) return isDenied !== (own.sense === 'denies');
    return !next.sense && (!own.sense || own.sense === 'yields');
  };
  const found = statements.map((own): [string, string | null] => {
    const later = statements.filter(
      (next) =>
        order(next, own) > 0 &&
        replaces(next, own) &&
        !(own.until && next.said[0]!.at >= own.until) &&
        !own.neverReplacedBy?.has(next.id),
    );
    const [first] = later.toSorted((one, other) => {
      const [a, b] = [one.said[0]!, other.said[0]!];
      return (
        a.at.getTime() - b.at.getTime() ||
        a.documentId.localeCompare(b.documentId) ||
        a.turn - b.turn ||
        Number(one.isPassage) - Number(other.isPassage) ||
        one.id.localeCompare(other.id)
      );
    });
    return [own.id, first?.id ?? null];
  });
  return new Map(found);
}

const senses: readonly (StatementSense | null)[] = [null, null, null, 'yields', 'also', 'denies', 'ends', 'ends-all'];

test('each statement is replaced by the first that replaces it, whatever lies between', () => {
  const statement = record({
    value: constantFrom('leeds', 'york', 'hull'),
    sense: constantFrom(...senses),
    until: constantFrom(null, null, new Date(Date.UTC(2026, 0, 2))),
    isPassage: boolean(),
    day: integer({ min: 1, max: 3 }),
    turn: integer({ min: 0, max: 2 }),
    documentId: constantFrom('d', 'e'),
    beside: integer({ min: 0, max: 12 }),
  });
  assert(
    property(array(statement, { minLength: 1, maxLength: 12 }), (drawn) => {
      const statements = drawn.map(
        ({ value, sense, until, isPassage, day, turn, documentId, beside }, n): AttributeStatement => ({
          ...said(`s${String(n).padStart(2, '0')}`, value, day, isPassage),
          sense,
          until,
          said: [saying(day, turn, documentId)],
          neverReplacedBy: new Set([`s${String(beside).padStart(2, '0')}`]),
        }),
      );
      const statementValidities = attributeTimelines(statements);
      const replaced = statements.map(({ id }): [string, string | null] => [
        id,
        statementValidities.get(id)!.supersededBy,
      ]);
      expect(new Map(replaced)).toEqual(replacedByDefinition(statements));
    }),
    { seed: 20_261_124, numRuns: 2_000 },
  );
});
