// Fits the log-odds of src/domain/retrieval/relevance.ts on the requests of corpus/ that the model was not trained on.
//
//   npm run build && node scripts/fit-relevance.mjs [--cache FILE]
//
// Each person is a store of their own. Prints the constants, and how well calibrated they are, for copying.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OnnxClassifier } from '../dist/adapters/onnx-classifier/onnx-classifier.js';
import { indexedText } from '../dist/domain/vectors/vector-recipe.js';
import { rankCandidates } from '../dist/domain/retrieval/rank.js';
import { judgedText } from '../dist/domain/retrieval/relevance.js';
import { embedAll, index } from './lab/corpus.mjs';
import { fitLogistic } from './lab/logistic.mjs';
import { loadRequests } from './lab/requests.mjs';
import { findCandidates } from './lab/search.mjs';

const { values: options } = parseArgs({
  options: { cache: { type: 'string', default: join(tmpdir(), 'presage-meaning.f32') } },
});
/** How much a unit of each part of the rank counts beside a unit of the logit of need: measured, see docs/experiments.md. */
const besideNeed = { similarity: 3, assistant: 40, isBareQuestion: 50, others: 7 };

/** In `fast`, how much a unit of these parts counts beside one of similarity. */
const besideSimilarity = { words: 0.5, assistant: 3 };

const persons = loadRequests();
const texts = persons.flatMap(({ memories, requests }) => [
  ...memories.map(({ text }) => indexedText(text)),
  ...requests.map(({ text }) => text),
]);
const meaningOf = await embedAll(texts, options.cache);
const classifier = new OnnxClassifier();
const rows = [];
for (const person of persons) rows.push(...(await rowsOf(person)));
await classifier.close();

report(
  'judged',
  ({ need, similarity, assistant, isBareQuestion, others }) => [
    need +
      besideNeed.similarity * similarity +
      besideNeed.assistant * assistant +
      besideNeed.isBareQuestion * isBareQuestion +
      besideNeed.others * others,
  ],
  ['need'],
);
report('ranked', ({ rank: place }) => [place], ['rank']);
report(
  'similar',
  ({ isBareQuestion, similarity, typed, covered, coveredAround, assistant }) => [
    isBareQuestion,
    similarity + typed + besideSimilarity.words * (covered + coveredAround) + besideSimilarity.assistant * assistant,
  ],
  ['isBareQuestion', 'others'],
);

async function rowsOf({ memories, requests }) {
  const at = new Date();
  const chat = index(
    {
      memories: memories.map(({ id, role, text }) => ({
        documentId: id,
        turn: 0,
        passage: 0,
        role,
        type: 'facts',
        text,
        at,
        cites: [id],
        indexed: indexedText(text),
      })),
    },
    meaningOf,
  );
  const found = [];
  for (const request of requests) {
    const { stems, candidates, lexical } = findCandidates(chat, request, meaningOf);
    const ranked = rankCandidates(stems, candidates, lexical);
    const needs = await classifier.needs(
      request.text,
      ranked.map(({ candidate }) => judgedText(candidate.row)),
    );
    for (const [n, { candidate, rank: place, parts }] of ranked.entries()) {
      const isNeeded = request.needs.get(candidate.row.documentId);
      if (isNeeded === undefined) continue; // replaced by one that is needed: no example of what does not matter
      const features = Object.fromEntries(parts);
      const { similarity, assistant, isBareQuestion } = features;
      const others = place - similarity - assistant - isBareQuestion;
      found.push({ ...features, need: logit(needs[n]), rank: place, others, isNeeded });
    }
  }
  return found;
}

function report(name, featuresOf, labels) {
  const inputs = rows.map(featuresOf);
  const { weights, constant, probabilities } = fitLogistic(
    inputs,
    rows.map(({ isNeeded }) => isNeeded),
  );
  const shown = labels.map((label, n) => `${label} ${weights[n].toFixed(2)}`).join(', ');
  console.log(
    `${name}: ${shown}, constant ${constant.toFixed(2)}; ${rows.length} pairs, calibration error ${calibrationError(probabilities).toFixed(3)}`,
  );
}

function calibrationError(probabilities, bins = 10) {
  const sums = Array.from({ length: bins }, () => ({ count: 0, told: 0, held: 0 }));
  for (const [n, probability] of probabilities.entries()) {
    const bin = sums[Math.min(bins - 1, Math.floor(probability * bins))];
    bin.count += 1;
    bin.told += probability;
    bin.held += rows[n].isNeeded;
  }
  return sums.reduce((sum, { told, held }) => sum + Math.abs(told - held), 0) / probabilities.length;
}

function logit(probability) {
  const p = Math.min(1 - 1e-4, Math.max(1e-4, probability));
  return Math.log(p / (1 - p));
}
