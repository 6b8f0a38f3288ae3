import { groupBy } from '../flow/group-by.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { endsWithQuestionMark } from '../language/sentences.ts';
import { isHumanRole } from '../language/speaker.ts';
import { stemsOf } from '../language/stems.ts';

import { isPutOff, withoutOpenWords } from './pin-rules.ts';
import { lookUpOverlaps, pinSpan, saysSomething, spanText, type PinnedSpan, type TurnSpan } from './turn-span.ts';
import { isShortReply, type TurnSentence } from './turn-sentences.ts';

/**
 * Pins the sentences that pins need beside them to say something: a question its answer, and what is put off ("I'll ask
 * and tell you") the question or the request that it puts off.
 */
export function findContextPins(sentences: readonly TurnSentence[], pins: readonly PinnedSpan[]): PinnedSpan[] {
  const byTurn = groupBy(sentences, ({ turn }) => turn.n);
  const pinsAt = lookUpOverlaps(pins);
  return pins.flatMap((pin) => {
    const words = spanText(pin);
    const around = isPutOff(words) ? requestsBefore(pin, byTurn) : isAsked(pin) ? answerTo(pin, byTurn) : [];
    // One that is pinned by itself is to be understood by itself, and so is what follows from it.
    const first = around.findLastIndex((sentence) => pinsAt(sentence).length > 0) + 1;
    return around
      .slice(first)
      .filter(({ text }) => !tellsSame(stemsOf(words), stemsOf(text)))
      .map((sentence) => pinSpan(sentence, endsWithQuestionMark(sentence.text) ? 'question' : 'fact'));
  });
}

type SentencesByTurn = ReadonlyMap<number, readonly TurnSentence[]>;

const isOpen = ({ kind }: PinnedSpan): boolean => kind === 'question';
const isAsked = (pin: PinnedSpan): boolean =>
  endsWithQuestionMark(spanText(pin)) && isHumanRole(pin.turn) && !isOpen(pin);

/**
 * Finds what people said right before a machine undertakes something, and the question that this, or people, put off.
 */
function requestsBefore({ turn }: TurnSpan, byTurn: SentencesByTurn): TurnSentence[] {
  const lastOf = (n: number) => byTurn.get(n)?.at(-1);
  const before = isHumanRole(turn) ? undefined : lastOf(turn.n - 1);
  const request = before && isHumanRole(before.turn) ? before : undefined;
  if (request && endsWithQuestionMark(request.text)) return [request];
  const from = request?.turn.n ?? turn.n;
  const question = [lastOf(from - 1), lastOf(from - 2)].find(
    (sentence) => sentence && endsWithQuestionMark(sentence.text),
  );
  return [question, request].flatMap((sentence) => (sentence && saysSomething(sentence.text) ? sentence : []));
}

/** The first words of the turn behind a question, unless they ask back, or a machine explains at length. */
function answerTo({ turn }: TurnSpan, byTurn: SentencesByTurn): TurnSentence[] {
  const reply = byTurn.get(turn.n + 1) ?? [];
  const [first] = reply;
  return first && !endsWithQuestionMark(first.text) && isShortReply(reply) ? [first] : [];
}

/** Leaves out the open questions that are answered by what was said later and is kept. */
export async function withoutAnswered(pins: readonly PinnedSpan[]): Promise<readonly PinnedSpan[]> {
  const first = pins.find(isOpen)?.turn.n ?? Infinity;
  const later = pins.filter((pin) => pin.turn.n > first && isStatement(pin));
  const answers = await mapYielding(later, (pin) => ({ n: pin.turn.n, stems: stemsOf(spanText(pin)) }));
  return pins.filter((pin) => {
    if (!isOpen(pin)) return true;
    const wanted = stemsOf(withoutOpenWords(spanText(pin)));
    return !answers.some(({ n, stems }) => n > pin.turn.n && tellsSame(stems, wanted));
  });
}

function isStatement(pin: PinnedSpan): boolean {
  const words = spanText(pin);
  return !isOpen(pin) && !endsWithQuestionMark(words) && !isPutOff(words);
}

/** The share of the stems of words that others must have to tell of the same, and how many they are at least. */
const same = { share: 2 / 3, stems: 2 };

function tellsSame(told: readonly string[], wanted: readonly string[]): boolean {
  const distinct = [...new Set(wanted)];
  const shared = distinct.filter((stem) => told.includes(stem)).length;
  return shared >= same.stems && shared >= distinct.length * same.share;
}
