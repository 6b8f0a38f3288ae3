import { isUnnamedMachine } from '../language/speaker.ts';
import type { DiscardReason, Turn } from './candidate.ts';
import { beginsWithYesOrNo } from './confirmed-question.ts';
import { datedContentKey } from './content-key.ts';
import { withoutEchoPhrases, isEcho, EarlierStatements } from './echoes.ts';
import { questionBefore } from './preceding-statements.ts';
import { isSmallTalk, withoutAddressee } from './small-talk.ts';

/** The most words of a turn that is compared together with the question before it. */
const fewWords = 6;

/** Why a turn is left out. */
interface Refusal {
  reason: DiscardReason;
  /** The turn that said it before. */
  repeats?: number;
}

/**
 * Decides turn by turn, in their order, what says nothing new: why it is left out, or undefined to keep it.
 * `isNews(turn)` tells that words said before have become news again ("I live in Leeds" after "I live in York").
 */
export function noveltyFilter(
  isNews: (turn: Turn) => boolean,
  isTalkOfSeveral: boolean,
): (turn: Turn, before: Turn | undefined) => Refusal | undefined {
  const keys = new Map<string, number>();
  const statements = new EarlierStatements();
  return (turn, before) => {
    if (!/[\p{L}\p{N}]/u.test(turn.content)) return { reason: 'empty' };
    const smallTalk = isSmallTalk(turn.content) || (!isTalkOfSeveral && greetsAssistant(turn, before));
    if (smallTalk && !isAnswer(turn, before)) return { reason: 'small-talk' };
    const key = datedContentKey(inItsContext(turn, before), turn.at);
    const repeats = smallTalk ? undefined : keys.get(key);
    if (repeats !== undefined && !isNews(turn)) return { reason: 'repeat', repeats };
    if (isUnnamedMachine(turn) && isEcho(turn.content, statements)) return { reason: 'echo' };
    keys.set(key, turn.index);
    if (!isUnnamedMachine(turn)) statements.add(withoutEchoPhrases(turn.content));
    return undefined;
  };
}

/**
 * "Hallo Jonas!" to an assistant, who is not somebody to remember; whom one greets among several is there. "Hey Jude"
 * may be an answer.
 */
const greetsAssistant = (turn: Turn, before: Turn | undefined): boolean =>
  isSmallTalk(withoutAddressee(turn.content)) && questionBefore(turn, before) === undefined;

/** "Yes." is something after a question of substance: the two together say a thing. */
function isAnswer(turn: Turn, before: Turn | undefined): boolean {
  const question = isUnnamedMachine(turn) ? undefined : questionBefore(turn, before);
  return (
    beginsWithYesOrNo(turn.content) &&
    question !== undefined &&
    !isSmallTalk(question) &&
    withoutEchoPhrases(question.slice(0, -1)).size >= 2
  );
}

/** A short turn with the question that it answers: "not really" says another thing after each question. */
function inItsContext(turn: Turn, before: Turn | undefined): string {
  const isShort = turn.content.trim().split(/\s+/u).length <= fewWords;
  const question = isShort ? questionBefore(turn, before) : undefined;
  return question ? `${question} ${turn.content}` : turn.content;
}
