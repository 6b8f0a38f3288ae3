// `accurate` over an in-memory chat, up to the ranking, with the constants that the SQL of the product uses.
import { countStems, stemsOf } from '../../dist/domain/language/stems.js';
import { termSketchOf, queryVector } from '../../dist/domain/vectors/vector-recipe.js';
import { createVectorScorer } from '../../dist/domain/vectors/similarity.js';
import { bm25, candidateLimits } from '../../dist/domain/retrieval/candidate-generation.js';
import { idfByStem } from '../../dist/domain/retrieval/retrieve.js';
import { packagedProjection } from '../../dist/adapters/onnx-embedder/onnx-embedder.js';
import { readRequestProjection } from '../../dist/adapters/onnx-embedder/request-projection.js';
import { hashed, hashOf } from './corpus.mjs';

const toAnswer = await readRequestProjection(packagedProjection);

/** What `rank` takes. */
export function findCandidates(chat, question, meaningOf) {
  const { stems, scores } = scoreAll(chat, question, meaningOf);
  const { memories, byTurn } = chat;
  const near = byScore(scores, 'nearness');
  const words = byScore(scores, 'bm25')
    .filter((at) => scores[at].bm25 > 0)
    .slice(0, candidateLimits.lexicalScores);
  const best = new Set();
  for (let rank = 0; rank < candidateLimits.nearest && best.size < candidateLimits.expanded; rank++) {
    for (const at of [near[rank], words[rank]]) if (at !== undefined) best.add(at);
  }
  const found = new Set([...near.slice(0, candidateLimits.nearest), ...words.slice(0, candidateLimits.lexical)]);
  for (const at of [...best].slice(0, candidateLimits.expanded)) {
    const { documentId, turn } = memories[at];
    for (let step = -candidateLimits.reach; step <= candidateLimits.reach; step++) {
      for (const beside of byTurn.get(`${documentId}/${turn + step}`) ?? []) found.add(beside);
    }
  }
  const preferences = near.filter((at) => memories[at].type === 'preferences');
  for (const at of preferences.slice(0, candidateLimits.preferences)) found.add(at);
  const counted = new Set(words);
  const candidates = [...found].map((at) => ({
    row: { ...memories[at], id: String(at) },
    ...scores[at],
    bm25: counted.has(at) ? scores[at].bm25 : 0,
  }));
  const lexical = words.map((at) => ({ ...memories[at], bm25: scores[at].bm25 }));
  return { stems, candidates, lexical };
}

function scoreAll({ memories, documentFrequency, averageLength }, question, meaningOf) {
  const counts = countStems(stemsOf(question.text));
  const stems = idfByStem(counts, { total: memories.length, documentFrequency });
  const weights = new Map([...stems].map(([stem, idf]) => [hashOf(stem), idf]));
  const vector = queryVector(
    termSketchOf(hashed(counts), (term) => weights.get(term) ?? 0),
    toAnswer(meaningOf(question.text)),
  );
  const score = createVectorScorer(vector);
  const scores = memories.map((memory, at) => {
    const { score: nearness, cosine: similarity } = score(String(at), memory.vector);
    return { bm25: bm25Of(stems, memory, averageLength), nearness, similarity };
  });
  return { stems, scores };
}

function bm25Of(idf, { counts, length }, averageLength) {
  const { k1, b } = bm25;
  let score = 0;
  for (const [stem, weight] of idf) {
    const count = counts.get(stem) ?? 0;
    score += (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / averageLength));
  }
  return score;
}

const byScore = (scores, name) =>
  scores.map((_, at) => at).toSorted((one, other) => scores[other][name] - scores[one][name]);
