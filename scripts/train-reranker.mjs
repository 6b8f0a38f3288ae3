// Fits the weights of src/domain/retrieval/rerank.ts and says how well both modes of a fetch find evidence.
//
//   npm run build && node scripts/train-reranker.mjs ../shared/data [--write] [--mix] [--cache FILE]
//
// Prints fast, accurate with every chat left out once (the honest figure) and accurate as shipped; --write writes
// src/domain/retrieval/coefficients.ts. --mix adds each turn's neighbours to its vector. Data is read, never kept.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { featureNames, featuresOf } from '../dist/domain/retrieval/features.js';
import { poolOf } from '../dist/domain/retrieval/pool.js';
import { embedAll, index, ingest } from './lab/corpus.mjs';
import { loadAll } from './lab/data.mjs';
import { dot, fit, standardise, tableOf } from './lab/fit.mjs';
import { scoreQuestion, summary } from './lab/measure.mjs';
import { citedTurns, findCandidates, searchFast } from './lab/search.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    mix: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'presage-meaning.f32') },
  },
});
const print = (label, text) => process.stdout.write(`${label.padEnd(10)} ${text}\n`);

const chats = await Promise.all(loadAll(positionals[0] ?? '../shared/data').map(ingest));
const texts = chats.flatMap(({ memories, questions }) => [
  ...memories.map((m) => m.indexed),
  ...questions.map((q) => q.text),
]);
const meaningOf = await embedAll(texts, options.cache);
const indexed = chats.map((chat) => index(chat, meaningOf, options));
const questions = indexed.flatMap((chat) => chat.questions.map((question) => prepare(chat, question)));

print(
  'fast',
  summary(questions.map(({ fast, ...question }) => ({ ...question, scores: scoreQuestion(fast, question.gold) }))),
);
const scale = standardise(questions);
const weights = fit(questions, scale);
print('left out', summary(chats.flatMap(({ name }) => leftOut(name))));
print('shipped', summary(questions.map((question) => answer(question, weights))));
print('ceiling', ceiling());
if (options.write) writeFileSync(new URL('../src/domain/retrieval/coefficients.ts', import.meta.url), source());

function prepare(chat, question) {
  const { query, candidates, lexical } = findCandidates(chat, question, meaningOf);
  const pool = poolOf(query, candidates, lexical);
  const gold = new Set(question.gold);
  return {
    chat: chat.name,
    set: chat.set,
    ...question,
    fast: searchFast(chat, question, meaningOf),
    candidates,
    rows: pool.readings.map((reading) => featuresOf(reading, pool)),
    assisted: candidates.map(({ documentId }) => Number(pool.assisted.has(documentId))),
    evidence: candidates.map(({ cites }) => cites.find((turn) => gold.has(turn))),
  };
}

function leftOut(name) {
  const others = fit(
    questions.filter(({ chat }) => chat !== name),
    scale,
    weights,
  );
  return questions.filter(({ chat }) => chat === name).map((question) => answer(question, others));
}

function answer({ set, category, gold, candidates, rows, assisted }, fitted) {
  const tables = [plainTable(fitted, false), plainTable(fitted, true)];
  const scores = rows.map((row, at) => dot(row, tables[assisted[at]]));
  const ranked = candidates.map((_, at) => at).toSorted((one, other) => scores[other] - scores[one]);
  const turns = citedTurns(ranked.slice(0, 100).map((at) => candidates[at]));
  return { set, category, scores: scoreQuestion(turns, gold) };
}

/** Weights for features as they are, not standardised. */
function plainTable(fitted, isAssisted) {
  return tableOf(fitted, featureNames.length, isAssisted).map((weight, at) => weight / scale.spread[at]);
}

/** Makes the scores of a kind of conversation log-odds: over its candidates they sum to the evidence there is. */
function baseOf(table, isAssisted) {
  const scores = [];
  let evidence = 0;
  for (const { rows, assisted, evidence: held } of questions) {
    for (const [at, row] of rows.entries()) {
      if (Boolean(assisted[at]) !== isAssisted) continue;
      scores.push(dot(row, table));
      evidence += Number(held[at] !== undefined);
    }
  }
  let [low, high] = [-100, 100];
  for (let round = 0; round < 60; round++) {
    const base = (low + high) / 2;
    const expected = scores.reduce((sum, score) => sum + 1 / (1 + Math.exp(-score - base)), 0);
    if (expected > evidence) high = base;
    else low = base;
  }
  return low;
}

/** How much of a question's evidence is among its candidates. */
function shareOf({ gold, evidence }) {
  return new Set(evidence.filter(Boolean)).size / gold.length;
}

function ceiling() {
  return ['locomo', 'beam']
    .map((set) => {
      const own = questions.filter((question) => question.set === set);
      return `${set}: ${(own.reduce((sum, question) => sum + shareOf(question), 0) / own.length).toFixed(3)} of the evidence is among the candidates`;
    })
    .join(' | ');
}

function tableSource(isAssisted) {
  const values = plainTable(weights, isAssisted);
  const entries = featureNames.map((name, at) => `    ${name}: ${Number(values[at].toFixed(3))},`);
  return [`    base: ${Number(baseOf(values, isAssisted).toFixed(3))},`, ...entries].join('\n');
}

function source() {
  return `// Written by scripts/train-reranker.mjs${options.mix ? ' --mix' : ''}; do not edit. Conditional logit with L2 over ${questions.length} questions.
import type { FeatureName } from './features.ts';

export type Coefficients = Readonly<Record<FeatureName | 'base', number>>;

/** What each feature adds to a score, for one unit of it; \`base\` makes the sum log-odds. */
export const coefficients: Readonly<Record<'between' | 'assisted', Coefficients>> = {
  /** Talk between people. */
  between: {
${tableSource(false)}
  },
  /** Work with an assistant. */
  assisted: {
${tableSource(true)}
  },
};
`;
}
