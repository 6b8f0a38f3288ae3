import { expect, test } from 'vitest';
import { keepFitting, placeOutdatedBehind } from '../../../src/domain/memories/order-outdated.ts';

const found = (id: string, score: number, possiblyOutdatedBy: string | null = null) => ({
  id,
  score,
  possiblyOutdatedBy,
  parts: { meaning: score },
});

const [plain, other] = [found('plain', 3.5), found('other', 3.2)];
const newer = found('newer', 3);
const older = (score: number, by = 'newer') => found('older', score, by);

test.each([
  { case: 'nothing is outdated', given: [plain, other, newer], order: ['plain', 'other', 'newer'] },
  {
    case: 'the older one comes directly behind the newer',
    given: [older(4), plain, newer, found('last', 0)],
    order: ['plain', 'newer', 'older', 'last'],
  },
  { case: 'one that is behind already stays', given: [newer, plain, older(0)], order: ['newer', 'plain', 'older'] },
  {
    case: 'what outdates it is not in the answer',
    given: [older(4, 'elsewhere'), plain, newer],
    order: ['older', 'plain', 'newer'],
  },
  {
    case: 'one that is clearly less to the query stays where it was found',
    given: [older(5), plain, newer],
    order: ['older', 'plain', 'newer'],
  },
  {
    case: 'a chain goes from the newest to the oldest',
    given: [found('oldest', 5, 'older'), older(4), plain, newer],
    order: ['plain', 'newer', 'older', 'oldest'],
  },
  {
    case: 'several wait for one in their order',
    given: [found('a', 4.2, 'newer'), found('b', 4, 'newer'), newer],
    order: ['newer', 'a', 'b'],
  },
  {
    case: 'two that wait for one another stay as they were',
    given: [found('a', 5, 'b'), found('b', 4, 'a'), plain],
    order: ['plain', 'a', 'b'],
  },
])('$case', ({ given, order }) => {
  expect(placeOutdatedBehind(given).map(({ id }) => id)).toEqual(order);
});

test('the score falls to that of the newer one, and its parts tell by how much', () => {
  const [, behind] = placeOutdatedBehind([older(4), newer]);
  expect(behind).toMatchObject({ id: 'older', score: 3, parts: { meaning: 4, possiblyOutdated: -1 } });
  expect(placeOutdatedBehind([newer, older(0)])[1]).toEqual(older(0));
});

test('what does not fit takes along what it may have replaced, and makes room for the others', () => {
  const given = [newer, older(0), found('oldest', 0, 'older'), plain];
  expect(keepFitting(given, ({ id }) => id !== 'newer')).toEqual([plain]);
  expect(keepFitting(given, ({ id }) => id !== 'older')).toEqual([newer, plain]);
  expect(keepFitting(given, () => true)).toEqual(given);
});

test('where no model judged, the older one goes behind however far apart they are', () => {
  expect(placeOutdatedBehind([older(9), plain, newer], { isJudged: false }).map(({ id }) => id)).toEqual([
    'plain',
    'newer',
    'older',
  ]);
});
