import { oncePer } from '../flow/once-per.ts';
import { languageOf, type Language } from '../language/sentence-language.ts';
import { endsWithQuestionMark, splitSentences } from '../language/sentences.ts';
import type { Turn } from './candidate.ts';
import type { Clause } from './clauses.ts';

/** A turn, and the turns before it that it may go on with, oldest first. */
export interface TurnContext {
  readonly turn: Turn;
  readonly turnsBefore: readonly Turn[];
}

/** A statement in front of another one, the sentence that it is a part of, and the turn that says it. */
export interface PrecedingStatement extends Pick<Clause, 'text' | 'sentence'> {
  readonly by: Turn;
}

/** A speaker who means somebody named longer ago than this says the name again, to be understood. */
export const statementsLookedBack = 8;

/** The last statements in front of one, oldest first: of the turns before, and the clauses `earlier` in its section. */
export function precedingStatements(
  earlier: readonly Clause[],
  { turn, turnsBefore }: TurnContext,
): readonly PrecedingStatement[] {
  const own = earlier.map(({ text, sentence }) => ({ text, sentence, by: turn }));
  const others = turnsBefore.flatMap((by) => lastSentencesOf(by).map((text) => ({ text, sentence: text, by })));
  return [...others, ...own].slice(-statementsLookedBack);
}

/** How many characters at the end of a turn are read: the next turn goes on with what stands there. */
const readBefore = 600;

/** The sentences at the end of a turn; one that begins before what is read of it is left out. */
export const lastSentencesOf = oncePer(({ content }: Turn): readonly string[] => {
  const sentences = splitSentences(content.slice(-readBefore)).map(({ text }) => text);
  return content.length > readBefore ? sentences.slice(1) : sentences;
});

/** The question that somebody else asked at the end of the turn before. */
export function questionBefore(turn: Turn, before: Turn | undefined): string | undefined {
  if (!before || isSameSpeaker(turn, before)) return undefined;
  const last = lastSentencesOf(before).at(-1);
  return last && endsWithQuestionMark(last) ? last : undefined;
}

/** How many characters of a turn, and of the one before it, are enough to tell the language. */
const readForLanguage = 400;

/** The language of the words around a statement, for one that is too short to tell its own. */
export const languageAround = oncePer(({ turn, turnsBefore }: TurnContext): Language =>
  languageOf(`${turnsBefore.at(-1)?.content.slice(-readForLanguage) ?? ''} ${turn.content.slice(0, readForLanguage)}`),
);

/** A key that all turns of one speaker share. */
export const speakerKey = ({ role, name }: Turn): string => `${role}\n${name ?? ''}`;

export const isSameSpeaker = (one: Turn, other: Turn): boolean => speakerKey(one) === speakerKey(other);
