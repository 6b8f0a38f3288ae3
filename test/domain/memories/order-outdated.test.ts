import { expect, test } from 'vitest';
import { keepFitting, placeSuccessorsBefore } from '../../../src/domain/memories/order-outdated.ts';

const found = (id: string, score: number, possiblyOutdatedBy: string | null = null, confidence = 0.3) => ({
  id,
  score,
  possiblyOutdatedBy,
  possiblyOutdatedConfidence: possiblyOutdatedBy === null ? null : confidence,
  parts: { meaning: score },
});

const [plain, other] = [found('plain', 3.5), found('other', 3.2)];
const newer = found('newer', 3);
const older = (score: number, by = 'newer') => found('older', score, by);

test.each([
  { case: 'nothing is outdated', given: [plain, other, newer], order: ['plain', 'other', 'newer'] },
  {
    case: 'the newer one is raised to directly before the older',
    given: [older(4), plain, newer, found('last', 0)],
    order: ['newer', 'older', 'plain', 'last'],
  },
  { case: 'one that is behind already stays', given: [newer, plain, older(0)], order: ['newer', 'plain', 'older'] },
  {
    case: 'what outdates it is not in the answer',
    given: [older(4, 'elsewhere'), plain, newer],
    order: ['older', 'plain', 'newer'],
  },
  {
    case: 'one that is clearly less to the query, and hardly replaced the older, stays where it was found',
    given: [older(5), plain, newer],
    order: ['older', 'plain', 'newer'],
  },
  {
    case: 'one that likely replaced the older is raised from further below',
    given: [found('older', 5, 'newer', 0.5), plain, newer],
    order: ['newer', 'older', 'plain'],
  },
  {
    case: 'one that likely replaced a part of the older stays where the query is about the rest',
    given: [found('older', 9, 'newer', 0.5), plain, newer],
    order: ['older', 'plain', 'newer'],
  },
  {
    case: 'a chain goes from the newest to the oldest',
    given: [found('oldest', 5, 'older'), older(4), plain, newer],
    order: ['newer', 'older', 'oldest', 'plain'],
  },
  {
    case: 'several stay behind one in their order',
    given: [found('a', 4.2, 'newer'), found('b', 4, 'newer'), newer],
    order: ['newer', 'a', 'b'],
  },
  {
    case: 'of two that may each have replaced the other, the first stays behind',
    given: [found('a', 5, 'b'), found('b', 4, 'a'), plain],
    order: ['b', 'a', 'plain'],
  },
])('$case', ({ given, order }) => {
  expect(placeSuccessorsBefore(given).map(({ id }) => id)).toEqual(order);
});

test('the score of the newer one rises to that of the older, and its parts tell by how much', () => {
  const [first] = placeSuccessorsBefore([older(4), newer]);
  expect(first).toMatchObject({ id: 'newer', score: 4, parts: { meaning: 3, mayReplace: 1 } });
  expect(placeSuccessorsBefore([newer, older(0)])[1]).toEqual(older(0));
});

test('what does not fit takes along what it may have replaced, and makes room for the others', () => {
  const given = [newer, older(0), found('oldest', 0, 'older'), plain];
  expect(keepFitting(given, ({ id }) => id !== 'newer')).toEqual([plain]);
  expect(keepFitting(given, ({ id }) => id !== 'older')).toEqual([newer, plain]);
  expect(keepFitting(given, () => true)).toEqual(given);
});
