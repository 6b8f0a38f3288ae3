import { lexRankCentralityOf, sentenceVectorsOf } from '../../../dist/domain/compaction/lexrank.js';
import { splitTurnsIntoSentences } from '../../../dist/domain/compaction/turn-sentences.js';
import { countTokens } from '../../../dist/domain/language/count-tokens.js';

const lineOf = ({ role, name, content }) => `${name ?? role}: ${content}`;

/** The last turns that so many tokens hold; the first of them may be cut. */
export function lastTurns(turns, tokens) {
  const kept = [];
  let left = tokens;
  for (const turn of turns.toReversed()) {
    const line = lineOf(turn);
    const cost = countTokens(line);
    if (cost > left) {
      kept.unshift(line.slice(-Math.floor((line.length * left) / cost)));
      break;
    }
    kept.unshift(line);
    left -= cost;
  }
  return kept.join('\n');
}

/** The first turns in half of the tokens, and the last in the other. */
export function firstAndLastTurns(turns, tokens) {
  const kept = [];
  let left = Math.floor(tokens / 2);
  for (const turn of turns) {
    const line = lineOf(turn);
    const cost = countTokens(line);
    kept.push(cost > left ? line.slice(0, Math.floor((line.length * left) / cost)) : line);
    if (cost > left) break;
    left -= cost;
  }
  return `${kept.join('\n')}\n${lastTurns(turns, Math.ceil(tokens / 2))}`;
}

/** Sentences that are compared with each other, as the service does it. */
const comparedAtOnce = 1_500;
const rankings = new WeakMap();

/** All sentences of the turns, and their numbers from the most central one on. */
async function rankingOf(turns) {
  const known = rankings.get(turns);
  if (known) return known;
  const sentences = await splitTurnsIntoSentences(turns.map((turn, n) => ({ n, name: null, ...turn })));
  const centrality = [];
  for (let at = 0; at < sentences.length; at += comparedAtOnce)
    centrality.push(
      ...lexRankCentralityOf(sentenceVectorsOf(sentences.slice(at, at + comparedAtOnce).map(({ text }) => text))),
    );
  const ranked = [...sentences.keys()].toSorted((one, other) => centrality[other] - centrality[one]);
  const ranking = { sentences, ranked };
  rankings.set(turns, ranking);
  return ranking;
}

/** The most central sentences of all that so many tokens hold, in their order: LexRank and nothing else. */
export async function lexrank(turns, tokens) {
  const { sentences, ranked } = await rankingOf(turns);
  const chosen = new Set();
  let left = tokens;
  for (const n of ranked) {
    if (sentences[n].tokens > left) continue;
    chosen.add(n);
    left -= sentences[n].tokens;
  }
  return sentences.flatMap(({ text }, n) => (chosen.has(n) ? text : [])).join('\n');
}

export const baselines = { truncation: lastTurns, edges: firstAndLastTurns, lexrank };
