import type { DiscardReason, Turn } from './candidate.ts';
import { contentKey } from './content-key.ts';
import { contentOf, isEcho } from './echoes.ts';
import { smallTalkKind } from './small-talk.ts';

/** Whether the turn is the assistant's own, and not a person's. */
export const isAssistant = ({ role, name }: Turn): boolean =>
  /^(?:assistant|system|tool|bot|ai|agent|function)$/iu.test(role) && !name;

const yesOrNo =
  /^\W*(?:yes|yeah|yep|yup|no|nope|nah|correct|exactly|right|absolutely|definitely|sure|of course|not really)\b/iu;

/**
 * Decides turn by turn, in their order, what says nothing new: why it is left out, or undefined to keep it.
 * `isNews(turn)` tells that words said before have become news again ("I live in Leeds" after "I live in York").
 */
export function writeGate(
  isNews: (turn: Turn) => boolean,
): (turn: Turn, before: Turn | undefined) => DiscardReason | undefined {
  const keys = new Set<string>();
  const statements: Set<string>[] = [];
  return (turn, before) => {
    if (!/[\p{L}\p{N}]/u.test(turn.content)) return 'empty';
    const smallTalk = smallTalkKind(turn.content);
    if (smallTalk && !isAnswer(turn, before)) return smallTalk;
    const key = contentKey(turn.content);
    if (!smallTalk && keys.has(key) && !isNews(turn)) return 'repeat';
    if (isAssistant(turn) && isEcho(turn.content, statements)) return 'echo';
    keys.add(key);
    if (!isAssistant(turn)) statements.push(contentOf(turn.content));
    return undefined;
  };
}

/** "Yes." is something after a question of substance: the two together say a thing. */
function isAnswer(turn: Turn, before: Turn | undefined): boolean {
  if (!before || isAssistant(turn) || (before.role === turn.role && before.name === turn.name)) return false;
  const question =
    before.content
      .trim()
      .split(/(?<=[.!?])\s+/u)
      .at(-1) ?? '';
  return (
    yesOrNo.test(turn.content) &&
    question.endsWith('?') &&
    !smallTalkKind(question) &&
    contentOf(question.slice(0, -1)).size >= 2
  );
}
