// Fits the weights of src/domain/anticipation/features.ts and says how well they foresee.
//
//   npm run build && node scripts/train-anticipation.mjs ../shared/data/beam-dev [--write] [--cache FILE]
//
// Replays each chat turn by turn in memory: before each turn the memories that it will need are to be among ten. Prints
// the search with the previous turn, and coverage with every chat left out once (the honest figure); --write writes
// src/domain/anticipation/coefficients.ts. Data is read, never kept.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { onePerTurn } from '../dist/domain/anticipation/activation.js';
import { featureNames } from '../dist/domain/anticipation/features.js';
import { embedAll, index, ingest } from './lab/corpus.mjs';
import { loadBeam } from './lab/data.mjs';
import { dot, fit, standardise, tableOf } from './lab/fit.mjs';
import { inDocuments, replay, searchedTexts, shares } from './lab/replay.mjs';
import { situationsOf } from './lab/situations.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'presage-meaning.f32') },
  },
});
const pushed = 10;
const kinds = ['waiting', ...shares.map((share) => `${100 * share} %`)];

const loaded = loadBeam(positionals[0] ?? '../shared/data/beam-dev');
const chats = await Promise.all(loaded.map((chat) => ingest(inDocuments(chat))));
const texts = chats.flatMap((chat) => [...chat.memories.map((memory) => memory.indexed), ...searchedTexts(chat)]);
const meaningOf = await embedAll(texts, options.cache);
const situations = chats.flatMap((chat) => situationsOf(replay(index(chat, meaningOf, { mix: true }), meaningOf)));
process.stderr.write('\n');

const problems = situations.map((situation) => ({
  ...situation,
  set: 'beam',
  assisted: situation.rows.map(() => Number(situation.kind > 0)), // `fit` gives both kinds a table of their own
}));
const scale = standardise(problems);
const weights = fit(problems, scale);
print('previous turn', problems, ({ previous }) => previous);
print('left out', problems, byWeightsWithout());
print('shipped', problems, (problem) => chosen(problem, weights));
if (options.write) writeFileSync(new URL('../src/domain/anticipation/coefficients.ts', import.meta.url), source());

/** Weights that never saw the chat that they are tested on. */
function byWeightsWithout() {
  const names = [...new Set(problems.map(({ chat }) => chat))];
  const fitted = new Map(
    names.map((name) => [
      name,
      fit(
        problems.filter(({ chat }) => chat !== name),
        scale,
        weights,
      ),
    ]),
  );
  return (problem) => chosen(problem, fitted.get(problem.chat));
}

/** The memories that would be pushed. */
function chosen({ memories, rows, kind }, fitted) {
  const table = plainTable(fitted, kind > 0);
  const scored = rows.map((row, at) => ({ memory: memories[at], score: dot(row, table) }));
  return onePerTurn(scored.toSorted((one, other) => other.score - one.score))
    .slice(0, pushed)
    .map(({ memory }) => memory);
}

function plainTable(fitted, isListening) {
  return tableOf(fitted, featureNames.length, isListening).map((weight, at) => weight / scale.spread[at]);
}

function print(label, all, choose) {
  const figures = kinds.map((name, kind) => {
    const own = all.filter((problem) => problem.kind === kind);
    const found = own.map((problem) => new Set(choose(problem).flatMap(({ orders }) => orders)));
    const first = own.filter(({ needs }, at) => found[at].has(needs[0])).length / own.length;
    const share = own.map(({ needs }, at) => needs.filter((need) => found[at].has(need)).length / needs.length);
    return `${name} ${first.toFixed(3)} (of three ${(share.reduce((sum, each) => sum + each, 0) / own.length).toFixed(3)})`;
  });
  process.stdout.write(`${label.padEnd(14)} ${figures.join(' | ')}\n`);
}

/** Makes the scores log-odds: over all memories they sum to the needs there were. */
function interceptOf(table, isListening) {
  const own = problems.filter(({ kind }) => kind > 0 === isListening);
  const scores = own.flatMap(({ rows }) => rows.map((row) => dot(row, table)));
  const needed = own.reduce(
    (sum, { evidence }) => sum + new Set(evidence.filter((each) => each !== undefined)).size,
    0,
  );
  let [low, high] = [-100, 100];
  for (let round = 0; round < 60; round++) {
    const intercept = (low + high) / 2;
    const expected = scores.reduce((sum, score) => sum + 1 / (1 + Math.exp(-score - intercept)), 0);
    if (expected > needed) high = intercept;
    else low = intercept;
  }
  return low;
}

function tableSource(isListening) {
  const values = plainTable(weights, isListening);
  const entries = featureNames.map((name, at) => `    ${name}: ${Number(values[at].toFixed(3))},`);
  return [`    intercept: ${Number(interceptOf(values, isListening).toFixed(3))},`, ...entries].join('\n');
}

function source() {
  return `// Written by scripts/train-anticipation.mjs; do not edit. Conditional logit with L2 over ${problems.length} situations.
import type { FeatureName } from './features.ts';

export type Coefficients = Readonly<Record<FeatureName | 'intercept', number>>;

/** What each feature adds to the log-odds that a memory will be needed, for one unit of it. */
export const coefficients: Readonly<Record<'waiting' | 'listening', Coefficients>> = {
  /** Before a word of the next turn is known. */
  waiting: {
${tableSource(false)}
  },
  /** While it is said, and until it is answered. */
  listening: {
${tableSource(true)}
  },
};
`;
}
