import { expect, test } from 'vitest';
import { stemsOf } from '../../../src/domain/language/stems.ts';
import { createStemFinder } from '../../../src/domain/retrieval/find-stems.ts';
import { readWording } from '../../../src/domain/retrieval/wording.ts';

const texts = [
  'The ponies carried our supplies happily',
  'A pony-ride: 12,500 steps, then happiness!',
  'PONIES. Supply/demand; unhappy',
  'Naïve ponies',
  "Mr O'Brien called",
  'The pony’s ride with O’Brien’s sister',
  'nothing of it',
  '',
];

test.each(['happy ponies supplies', '12500 steps', 'ride', '東京 pony', "O'Brien", 'Brien pony'])(
  'finding «%s» agrees with stemming all of the text',
  (query) => {
    const idf = new Map(stemsOf(query).map((stem, n) => [stem, n + 1]));
    const { find, share } = createStemFinder(idf);
    const mass = [...idf.values()].reduce((sum, weight) => sum + weight, 0);
    for (const text of texts) {
      const present = [...idf].filter(([stem]) => stemsOf(text).includes(stem));
      expect(share(find(text, readWording(text)))).toBeCloseTo(
        present.reduce((sum, [, weight]) => sum + weight, 0) / mass,
      );
    }
  },
);

test('of a very long query the rarest words count', () => {
  const idf = new Map(Array.from({ length: 60 }, (_, n) => [`word${n}`, n + 1]));
  const { find, share } = createStemFinder(idf);
  const plain = { isAccented: false, hasThousands: false };
  expect(share(find('word59 word58', plain))).toBeGreaterThan(0);
  expect(find('word0', plain)).toBe(0);
});
