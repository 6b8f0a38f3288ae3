// Fits the weights of src/domain/anticipation/features.ts on corpus/requests, and says how well they foresee.
//
//   npm run build && node scripts/train-anticipation.mjs [--write] [--cache FILE] [--measure ../shared/data/beam-dev]
//
// Replays what each person said and asked, turn by turn, in memory: before each turn the memories that it will need are to
// be among ten. Prints the search with the previous turn, and coverage by the weights, of the persons and of the BEAM chats
// of --measure, on which nothing is fitted; --write writes src/domain/anticipation/coefficients.ts.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withoutRepeatedPassages } from '../dist/domain/anticipation/need-probability.js';
import { featureNames } from '../dist/domain/anticipation/features.js';
import { closeModels, embedAll, index, ingest } from './lab/corpus.mjs';
import { loadBeam } from './lab/data.mjs';
import { dot, fit, standardise, tableOf } from './lab/fit.mjs';
import { loadConversations } from './lab/requests.mjs';
import { inDocuments, replay, searchedTexts, shares } from './lab/replay.mjs';
import { situationsOf } from './lab/situations.mjs';

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'presage-meaning.f32') },
    measure: { type: 'string' },
  },
});
const pushed = 10;
const kinds = ['waiting', ...shares.map((share) => `${100 * share} %`)];

const problems = await problemsOf(loadConversations());
const scale = standardise(problems);
const weights = fit(problems, scale);
print('persons', problems);
if (options.measure) print('measured', await problemsOf(loadBeam(options.measure)));
if (options.write) writeFileSync(new URL('../src/domain/anticipation/coefficients.ts', import.meta.url), source());
await closeModels();

async function problemsOf(loaded) {
  const chats = [];
  for (const chat of loaded) chats.push(await ingest(inDocuments(chat)));
  const texts = chats.flatMap((chat) => [...chat.memories.map((memory) => memory.indexed), ...searchedTexts(chat)]);
  const meaningOf = await embedAll(texts, options.cache);
  const situations = chats.flatMap((chat) => situationsOf(replay(index(chat, meaningOf, { mix: true }), meaningOf)));
  process.stderr.write('\n');
  // `fit` gives both kinds a table of their own.
  return situations.map((situation) => ({ ...situation, isSecond: situation.kind > 0 }));
}

/** The memories that would be pushed. */
function chosen({ memories, rows, kind }, fitted) {
  const table = plainTable(fitted, kind > 0);
  const scored = rows.map((row, at) => ({ memory: memories[at], score: dot(row, table) }));
  return withoutRepeatedPassages(scored.toSorted((one, other) => other.score - one.score))
    .slice(0, pushed)
    .map(({ memory }) => memory);
}

function plainTable(fitted, isListening) {
  return tableOf(fitted, featureNames.length, isListening).map((weight, at) => weight / scale.spread[at]);
}

function print(label, all) {
  const figures = (choose) =>
    kinds.map((name, kind) => {
      const own = all.filter((problem) => problem.kind === kind);
      const found = own.map((problem) => new Set(choose(problem).flatMap(({ orders }) => orders)));
      const first = own.filter(({ needs }, at) => found[at].has(needs[0])).length / own.length;
      const share = own.map(({ needs }, at) => needs.filter((need) => found[at].has(need)).length / needs.length);
      return `${name} ${first.toFixed(3)} (of three ${(share.reduce((sum, each) => sum + each, 0) / own.length).toFixed(3)})`;
    });
  console.log(`${label}, previous turn: ${figures(({ previous }) => previous).join(' | ')}`);
  console.log(`${label}, by weights:    ${figures((problem) => chosen(problem, weights)).join(' | ')}`);
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
