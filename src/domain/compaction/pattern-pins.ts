import { minQuotedProbability, type Classification } from '../extraction/statement-classifier.ts';
import { isJoking } from '../extraction/small-talk.ts';
import { groupBy } from '../flow/group-by.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { isHumanRole } from '../language/speaker.ts';
import { spansOverlap } from '../language/text-span.ts';
import type { CompactionStrategy, PinKind } from './compaction.ts';
import type { SentenceClassifications } from './classify-sentences.ts';
import { isSureFact, pinRank, type PinnedSpan, type MemoryQuoteSpan } from './memory-pins.ts';
import {
  exactValuesOf,
  hasNameOrNumber,
  isQuestion,
  isAcceptance,
  isCorrection,
  choosesOffer,
  pinKindOfAssistantSentence,
  pinKindOfHumanSentence,
} from './pin-patterns.ts';
import { groupByTurn, clauseSpansOf, saysSomething, spanText, subtractSpans, type TurnSpan } from './turn-span.ts';
import { isShortReply, type TurnSentence } from './turn-sentences.ts';

/** A longer sentence is cut to the clauses that hold what it is kept for: an exact value needs fewer words around it. */
const mostTokens = { value: 20, other: 40 } as const;

/** Finds pins by patterns, in sentences of which nothing of that kind is pinned yet. */
export async function findPatternPins(
  sentences: readonly TurnSentence[],
  {
    pieces,
    outdated,
    judgements,
    strategy,
  }: {
    pieces: readonly PinnedSpan[];
    outdated: readonly MemoryQuoteSpan[];
    judgements: SentenceClassifications;
    strategy: CompactionStrategy;
  },
): Promise<PinnedSpan[]> {
  const [keptIn, outdatedIn] = [groupByTurn(pieces), groupByTurn(outdated)];
  const spoken = groupBy(sentences, ({ turn }) => turn);
  const asking = new Set(sentences.flatMap(({ turn }) => (isQuestion(turn.content) ? [turn.n] : [])));
  const acceptedTurns = new Set(
    sentences.flatMap(({ turn, text }) =>
      isHumanRole(turn) && isAcceptance(text, { isAsked: asking.has(turn.n - 1) }) ? [turn.n - 1] : [],
    ),
  );
  const takenByTurn = takenValuesByTurn(sentences);
  const contents = new Map(sentences.map(({ turn }) => [turn.n, turn.content]));
  const found = await mapYielding(sentences, (sentence): PinnedSpan[] => {
    const { turn, start, text, tokens } = sentence;
    const ofPeople = isHumanRole(turn);
    if (!isShortReply(spoken.get(turn)!)) return [];
    const taken = takenByTurn.get(turn.n);
    const isAccepted = acceptedTurns.has(turn.n) || (taken && exactValuesOf(text).some((value) => taken.has(value)));
    const kindOf = ofPeople
      ? pinKindOfHumanSentence
      : (words: string) =>
          pinKindOfAssistantSentence(words, { isAccepted: isAccepted ?? false, answered: contents.get(turn.n - 1) });
    const judged = judgements(sentence);
    if (judged && judged.quoted >= minQuotedProbability) return [];
    const whole = { turn, start, end: start + text.length };
    // A sentence may state a value that was replaced beside an order that binds: the rest of it is judged by itself.
    return subtractSpans(whole, outdatedIn.get(turn.n) ?? []).flatMap((part): PinnedSpan[] => {
      const ofModel = judged && part === whole ? kindOfJudged(judged, { text, strategy }) : undefined;
      const kind = kindOf(spanText(part)) ?? ofModel;
      if (!kind) return [];
      const isSame = (piece: PinnedSpan) => spansOverlap(part, piece) && kindOf(spanText(piece)) === kind;
      const same = keptIn.get(turn.n)?.find(isSame);
      if (same) return [{ ...same, kind: pinRank(same.kind) < pinRank(kind) ? same.kind : kind }];
      return [{ ...narrowed(part, { kind, tokens, kindOf }), kind, memoryId: null, asked: null }];
    });
  });
  return found.flat();
}

/** By the number of a turn, the exact values that people took in the next one: "ok, the 6:22 then" takes what has it. */
function takenValuesByTurn(sentences: readonly TurnSentence[]): ReadonlyMap<number, ReadonlySet<string>> {
  const taken = new Map<number, Set<string>>();
  for (const { turn, text } of sentences) {
    const values = isHumanRole(turn) && choosesOffer(text) ? exactValuesOf(text) : [];
    if (values.length) taken.set(turn.n - 1, new Set([...(taken.get(turn.n - 1) ?? []), ...values]));
  }
  return taken;
}

/**
 * The pin kind of a sentence of which nothing was extracted, as the model judges it: an order or a preference that it was
 * not sure enough of to store, what corrects something, and a fact that can be understood only where it was said.
 */
function kindOfJudged(
  { worth, kinds }: Classification,
  { text, strategy }: { text: string; strategy: CompactionStrategy },
): PinKind | undefined {
  if (isJoking(text) || isQuestion(text) || !saysSomething(text)) return undefined;
  if (kinds.instruction >= unsure.instruction) return 'instruction';
  if (kinds.preference >= unsure.preference) return 'preference';
  if (worth >= unsure.correction && isCorrection(text)) return 'current_value';
  if (kinds.emotion >= worth / 2 && !hasNameOrNumber(text)) return undefined;
  return isSureFact(text, { probability: worth, strategy }) ? 'fact' : undefined;
}
const unsure = { instruction: 0.25, preference: 0.3, correction: 0.2 };

/** A clause that begins so says nothing without the one before it: "it cost £42.50". */
const leaning = /^(?:and |but |so )?(?:it|its|it['’]s|that|this|they|these|those|which|he|she)\b/iu;

/** Instructions and limits need their sentence, and so does what corrects; an exact value in a long one only its clauses. */
function narrowed(
  sentence: TurnSpan,
  { kind, tokens, kindOf }: { kind: PinKind; tokens: number; kindOf: (text: string) => PinKind | undefined },
): TurnSpan {
  const isValue = kind === 'identifier' && !isCorrection(spanText(sentence));
  if (tokens <= mostTokens[isValue ? 'value' : 'other']) return sentence;
  const clauses = clauseSpansOf(sentence);
  const holds = (clause: TurnSpan) => kindOf(spanText(clause)) === kind;
  const last = clauses.findLast(holds);
  if (!last) return sentence;
  let first = clauses.findIndex(holds);
  while (first > 0 && leaning.test(spanText(clauses[first]!))) first--;
  const { start } = clauses[first]!;
  return {
    ...sentence,
    start,
    end: start + sentence.turn.content.slice(start, last.end).replace(/[\s,;:–—]+$/u, '').length,
  };
}
