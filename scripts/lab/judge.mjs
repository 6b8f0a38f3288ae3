// Whether what a rule found is right, by verdicts of a reader on hits of the development data. The verdicts are kept
// as hashes of place, type and words: they name no text, and hold as long as the rules still find the same there.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Hits that are read of each rule, in the order of their hashes, which is no order of the data. */
export const sampleSize = 40;

const { right, wrong } = JSON.parse(readFileSync(new URL('rule-verdicts.json', import.meta.url), 'utf8'));
const verdicts = new Map([...right.map((key) => [key, true]), ...wrong.map((key) => [key, false])]);

export const keyOf = ({ place, type, content }) =>
  createHash('sha256').update([place, type, content].join('|')).digest('hex').slice(0, 12);

/** @returns the hits that are judged of a rule, each with `isRight`, and those that are yet to be read */
export function judge(hits) {
  const sample = hits.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const judged = sample
    .filter(({ key }) => verdicts.has(key))
    .map((hit) => ({ ...hit, isRight: verdicts.get(hit.key) }));
  const unread = sample.filter(({ key }) => !verdicts.has(key)).slice(0, Math.max(0, sampleSize - judged.length));
  return { judged, unread };
}

const z = 1.96;

/** The 95 % Wilson interval of a share. */
export function wilson(hits, total) {
  if (!total) return { low: 0, high: 1 };
  const share = hits / total;
  const middle = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half = (z / (1 + (z * z) / total)) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  return { low: middle - half, high: middle + half };
}
