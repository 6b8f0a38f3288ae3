import { setImmediate } from 'node:timers/promises';
import { sumTokens } from '../language/count-tokens.ts';
import { endsWithQuestionMark } from '../language/sentences.ts';
import { isHumanRole } from '../language/speaker.ts';
import { lexRankCentralityOf, sentenceVectorsOf, type SentenceVectors } from './lexrank.ts';
import type { TurnSentence } from './turn-sentences.ts';

/** A sentence that a narrative may hold. */
export interface CandidateSentence extends TurnSentence {
  /** The probability that it is worth remembering, as far as it is known; 0 where it is not. */
  readonly worth: number;
  /** A memory was made of it. */
  readonly isExtracted: boolean;
}

/** Sentences that are compared with each other at most: what is said hours apart is hardly the same. */
const comparedAtOnce = 1_500;
const weighing = {
  /** The weight of centrality, beside that of words that no chosen sentence has. */
  central: 0.5,
  /** The weight of being worth remembering: more than centrality ever has. */
  worth: 4,
  /** The weight of sentences that machines say, which are long and touch every topic. */
  ofMachines: 0.3,
  /** The weight of questions: their answers tell what was asked. */
  ofQuestions: 0.3,
} as const;
/** The exponent of a sentence's length in its cost: at 1 it pays for each token, at 0 for none. */
const costExponent = 0.7;

/**
 * Selects the sentences with the most value per token within the budget, in their order: by centrality, worth, and
 * words that no chosen one has. `told`: turns that already have a line; another line costs `overhead`. Yields to
 * other work on the thread between parts.
 */
export async function selectSentences(
  candidates: readonly CandidateSentence[],
  { budget, overhead, told }: { budget: number; overhead: number; told: ReadonlySet<number> },
): Promise<CandidateSentence[]> {
  const chosen = new Set<CandidateSentence>();
  let remaining = budget;
  const parts = partsOf(candidates);
  for (const [k, part] of parts.entries()) {
    const own = sumTokens(part);
    const rest = parts.slice(k).reduce((sum, each) => sum + sumTokens(each), 0);
    remaining -= choose(part, { budget: (remaining * own) / rest, overhead, told, chosen });
    await setImmediate();
  }
  return candidates.filter((candidate) => chosen.has(candidate));
}

function partsOf(candidates: readonly CandidateSentence[]): CandidateSentence[][] {
  const count = Math.ceil(candidates.length / comparedAtOnce);
  const size = Math.ceil(candidates.length / count);
  return Array.from({ length: count }, (_, k) => candidates.slice(k * size, (k + 1) * size));
}

/** Adds to `chosen`; returns the tokens that these cost. */
function choose(
  part: readonly CandidateSentence[],
  options: { budget: number; overhead: number; told: ReadonlySet<number>; chosen: Set<CandidateSentence> },
): number {
  const { budget, overhead, chosen } = options;
  const vectors = sentenceVectorsOf(part.map(({ text }) => text));
  const centrality = lexRankCentralityOf(vectors);
  const weights = part.map(weightOf);
  const said = new Set<SentenceVectors[number][number][0]>();
  const turns = new Set(options.told);
  const open = new Set(part.keys());
  let spent = 0;
  for (;;) {
    let best = -1;
    let bestValue = 0;
    let bestCost = 0;
    for (const n of open) {
      const { turn, tokens, worth } = part[n]!;
      const cost = tokens + (turns.has(turn.n) ? 0 : overhead);
      if (spent + cost > budget) {
        if (spent + tokens > budget) open.delete(n);
        continue;
      }
      const fresh = vectors[n]!.reduce((sum, [stem, weight]) => sum + (said.has(stem) ? 0 : weight), 0);
      const salience = (fresh + weighing.central * centrality[n]!) * weights[n]!;
      const value = (salience + weighing.worth * worth) / cost ** costExponent;
      if (value > bestValue) [best, bestValue, bestCost] = [n, value, cost];
    }
    if (best < 0) return spent;
    open.delete(best);
    chosen.add(part[best]!);
    turns.add(part[best]!.turn.n);
    spent += bestCost;
    for (const [stem] of vectors[best]!) said.add(stem);
  }
}

/** Matches a question that asks for something to be done, and not for an answer. */
const request =
  /^(?:(?:and|so|ok|okay|please|also),? )?(?:can|could|would|will) (?:you|someone|somebody) (?!(?:please )?(?:tell|explain|say|help|recommend|suggest)\b)/iu;

/** The weight of a sentence's centrality and novelty, by its speaker and form. */
const weightOf = ({ turn, text }: CandidateSentence): number => {
  const isQuestion = endsWithQuestionMark(text) && !request.test(text);
  return (isHumanRole(turn) ? 1 : weighing.ofMachines) * (isQuestion ? weighing.ofQuestions : 1);
};
