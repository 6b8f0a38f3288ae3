import { minQuotedProbability, type Classification } from '../extraction/statement-classifier.ts';
import { isJoking } from '../extraction/small-talk.ts';
import { groupBy } from '../flow/group-by.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { endsWithQuestionMark } from '../language/sentences.ts';
import { isHumanRole } from '../language/speaker.ts';
import { moreBindingKind, type CompactionStrategy, type PinKind } from './compaction.ts';
import type { SentenceClassifications } from './classify-sentences.ts';
import { choosesOffer, isAcceptance, isCorrection } from './dialogue-acts.ts';
import { exactValuesOf, hasNameOrNumber } from './exact-values.ts';
import { isSureFact } from './memory-pins.ts';
import { pinKindOfAssistantSentence, pinKindOfHumanSentence } from './pin-rules.ts';
import {
  clauseSpansOf,
  lookUpOverlaps,
  pinSpan,
  saysSomething,
  spanText,
  subtractSpans,
  type OverlapLookup,
  type PinnedSpan,
  type TurnSpan,
} from './turn-span.ts';
import { isShortReply, type TurnSentence } from './turn-sentences.ts';

/** Finds pins by patterns, in sentences of which nothing of that kind is pinned yet. */
export async function findPatternPins(
  sentences: readonly TurnSentence[],
  {
    pinned,
    outdatedAt,
    classifications,
    strategy,
  }: {
    pinned: readonly PinnedSpan[];
    outdatedAt: OverlapLookup<TurnSpan>;
    classifications: SentenceClassifications;
    strategy: CompactionStrategy;
  },
): Promise<PinnedSpan[]> {
  const pinnedAt = lookUpOverlaps(pinned);
  const byTurn = groupBy(sentences, ({ turn }) => turn.n);
  const found = await mapYielding(sentences, (sentence): PinnedSpan[] => {
    const { turn, text, tokens } = sentence;
    if (!isShortReply(byTurn.get(turn.n)!)) return [];
    const classified = classifications(sentence);
    if (classified && classified.quoted >= minQuotedProbability) return [];
    const kindOf = isHumanRole(turn) ? pinKindOfHumanSentence : kindOfReply(sentence, byTurn);
    // A sentence may state a value that was replaced beside an order that binds: the rest of it is judged by itself.
    return subtractSpans(sentence, outdatedAt(sentence)).flatMap((part) => {
      const ofModel = classified && part === sentence ? kindOfClassified(classified, { text, strategy }) : undefined;
      const kind = kindOf(spanText(part)) ?? ofModel;
      if (!kind) return [];
      const same = pinnedAt(part).find((piece) => kindOf(spanText(piece)) === kind);
      return same
        ? { ...same, kind: moreBindingKind(kind, same.kind) }
        : pinSpan(narrowed(part, { kind, tokens, kindOf }), kind);
    });
  });
  return found.flat();
}

type KindOf = (words: string) => PinKind | undefined;

/** The rules for a sentence of a machine, between the turn that it answers and the reply to it. */
function kindOfReply(sentence: TurnSentence, byTurn: ReadonlyMap<number, readonly TurnSentence[]>): KindOf {
  const { n } = sentence.turn;
  const answered = byTurn.get(n - 1)?.[0]?.turn.content ?? '';
  const isAccepted = isTaken(sentence, byTurn.get(n + 1) ?? []);
  return (text) => pinKindOfAssistantSentence({ text, isAccepted, answered });
}

/** Whether people take what a sentence offers: all of its turn, or one of its values ("ok, the 6:22 then"). */
function isTaken({ turn, text }: TurnSentence, reply: readonly TurnSentence[]): boolean {
  const values = new Set(exactValuesOf(text));
  return reply.some(
    (next) =>
      isHumanRole(next.turn) &&
      (isAcceptance(next.text, { isAsked: endsWithQuestionMark(turn.content) }) ||
        (values.size > 0 && choosesOffer(next.text) && exactValuesOf(next.text).some((value) => values.has(value)))),
  );
}

/** The least probabilities of kinds of which the model was not sure enough to store anything. */
const unsure = { instruction: 0.25, preference: 0.3, correction: 0.2 };

/**
 * The pin kind of a sentence of which nothing was extracted, as the model classifies it: an order or a preference that
 * it was not sure enough of to store, a correction, and a fact that can be understood only where it was said.
 */
function kindOfClassified(
  { worth, kinds }: Classification,
  { text, strategy }: { text: string; strategy: CompactionStrategy },
): PinKind | undefined {
  if (isJoking(text) || endsWithQuestionMark(text) || !saysSomething(text)) return undefined;
  if (kinds.instruction >= unsure.instruction) return 'instruction';
  if (kinds.preference >= unsure.preference) return 'preference';
  if (worth >= unsure.correction && isCorrection(text)) return 'current_value';
  if (kinds.emotion >= worth / 2 && !hasNameOrNumber(text)) return undefined;
  return isSureFact(text, { probability: worth, strategy }) ? 'fact' : undefined;
}

/** A longer sentence is cut to the clauses that hold what it is kept for; an exact value needs fewer words. */
const mostTokens = { value: 20, other: 40 } as const;

/** A clause that begins so says nothing without the one before it: "it cost £42.50". */
const leaning = /^(?:and |but |so )?(?:it|its|it['’]s|that|this|they|these|those|which|he|she)\b/iu;

/** Cuts a long sentence to the clauses of the kind that it is kept for, and those that they lean on. */
function narrowed(
  sentence: TurnSpan,
  { kind, tokens, kindOf }: { kind: PinKind; tokens: number; kindOf: KindOf },
): TurnSpan {
  const isValue = kind === 'identifier' && !isCorrection(spanText(sentence));
  if (tokens <= mostTokens[isValue ? 'value' : 'other']) return sentence;
  const clauses = clauseSpansOf(sentence);
  const holds = (clause: TurnSpan) => kindOf(spanText(clause)) === kind;
  const last = clauses.findLast(holds);
  if (!last) return sentence;
  let first = clauses.findIndex(holds);
  while (first > 0 && leaning.test(spanText(clauses[first]!))) first--;
  const { turn, start } = clauses[first]!;
  const words = spanText({ turn, start, end: last.end }).replace(/[\s,;:–—]+$/u, '');
  return { turn, start, end: start + words.length };
}
