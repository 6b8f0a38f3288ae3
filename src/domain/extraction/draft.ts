import type { TimeSpan } from '../dates/calendar.ts';
import type { NameMention } from '../language/names.ts';
import type { StatedAttribute } from './attributes/stated-attributes.ts';
import type { Candidate, DiscardedTurn, Turn } from './candidate.ts';
import type { PronounReferent } from './pronoun-resolution.ts';
import type { Utterance } from './statement-classifier.ts';

/** A clause as the rules see it, before a model says whether it is worth keeping. It can be sent to threads. */
export interface StatementDraft {
  readonly utterance: Utterance;
  /** How many words at the head of the utterance only name who speaks. */
  readonly nameWords: number;
  /** The text of the clause. */
  readonly text: string;
  /** The whole sentence, verbatim. */
  readonly quote: string;
  readonly stated?: StatedAttribute;
  /** The first time that it names. */
  readonly event?: TimeSpan;
  /** Whether that time is of a named day that lies ahead. */
  readonly isAhead: boolean;
  /** Whether something has to be done by that time. */
  readonly isDue: boolean;
  /** Whether its speaker asks to be reminded at that time. */
  readonly isReminder: boolean;
  /** Whether its speaker asks for it to be remembered. */
  readonly isAskedToRemember: boolean;
  /** The names in it. */
  readonly entities: readonly NameMention[];
  /** The context that an answer needs: the question or the sentence before it, with its turns. */
  readonly antecedent?: SelfContainedText;
  /** The person that "he" or "she" stands for in it. */
  readonly person?: PronounReferent;
  /** Whether the question right before was small talk ("How can I help you?"), so that no answer needs it. */
  readonly followsSmallTalk?: boolean;
  /** The index of the turn whose question it confirms or denies: a bare "yes", read as what it says. */
  readonly confirms?: number;
}

/** Words that are understood by themselves, and the turns that they are from. */
export interface SelfContainedText {
  readonly content: string;
  readonly turns: number[];
  /** The speaker's own words, where the content adds a name or a question to them. */
  readonly asSaid?: string;
}

/** The speaker, where the words name them. */
export interface Speaker {
  /** `user`, or the speaker's name in lower case; absent when "I" may be anyone. */
  readonly subject?: string;
  /** The speaker's name as it is written, when known. */
  readonly name?: string;
}

/** A turn that says something: its passages, and what each of its statements may come to. */
export interface TurnDraft {
  readonly turn: Turn;
  readonly speaker: Speaker;
  readonly passages: readonly Candidate[];
  readonly statements: readonly StatementDraft[];
  /** Later turns that say the same. */
  readonly repeatedIn: number[];
}

/** The statements of a document, turn by turn, which a model is to be asked about. */
export interface StatedDraft {
  readonly turns: readonly { readonly statements: readonly Pick<StatementDraft, 'utterance'>[] }[];
  /** Whether time ran out, or there were too many statements, so that the rest was only cut into passages. */
  readonly isCutShort: boolean;
}

/** A document as rules read it. */
export interface DocumentDraft extends StatedDraft {
  readonly turns: readonly TurnDraft[];
  readonly discarded: readonly DiscardedTurn[];
}

/** The words of a turn from one of its quotes to another; the first where the other is not behind it. */
export function quoteFrom(first: string, last: string, said: string): string {
  const start = said.indexOf(first);
  const end = said.indexOf(last, start + first.length);
  return start < 0 || end < 0 ? first : said.slice(start, end + last.length);
}
