import { mapYielding } from '../flow/map-yielding.ts';
import { codeBlockSource } from '../language/code-blocks.ts';
import { countTokens, sumTokens } from '../language/count-tokens.ts';
import { splitSentences } from '../language/sentences.ts';
import { isHumanRole } from '../language/speaker.ts';
import type { CompactionTurn } from './compaction.ts';
import type { TurnSpan } from './turn-span.ts';

/** A sentence of a turn, with its place. */
export interface TurnSentence extends TurnSpan {
  readonly text: string;
  readonly tokens: number;
}

/** Longer passages without an end of a sentence, such as logs, are nothing that anybody would read in a summary. */
const longestChars = 1_000;

/** A machine's reply of more tokens explains; a shorter one tells of the case at hand. */
const shortReplyTokens = 60;

/** Whether these sentences of one turn are no more than people say, or a machine of the case at hand. */
export const isShortReply = (sentences: readonly TurnSentence[]): boolean =>
  sentences.every(({ turn }) => isHumanRole(turn)) || sumTokens(sentences) <= shortReplyTokens;

/** The sentences of turns, in order. Fenced code holds none. */
export async function splitTurnsIntoSentences(turns: readonly CompactionTurn[]): Promise<TurnSentence[]> {
  const sentences = await mapYielding(turns, (turn) =>
    splitSentences(withoutCode(turn.content))
      .filter(({ text }) => text.length <= longestChars)
      .map(({ text, start }) => ({ turn, start, end: start + text.length, text, tokens: countTokens(text) })),
  );
  return sentences.flat();
}

const codeBlock = new RegExp(codeBlockSource, 'gmu');
/** Code becomes blank lines of its own length, so that places stay what they are. */
const withoutCode = (text: string): string => text.replaceAll(codeBlock, (code) => '\n'.repeat(code.length));
