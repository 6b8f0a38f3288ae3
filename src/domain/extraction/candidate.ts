import type { BuiltInCategory, MemoryType } from '../memory-types.ts';
import type { SaidAt, TimeSpan } from '../dates/calendar.ts';
import type { NameMention } from '../language/names.ts';

/** One message of a document, or what one speaker says in a text that names its speakers. */
export interface Turn extends SaidAt {
  /** Its place among the turns as they are read, from 0. */
  index: number;
  /** The turn of the document as it was sent that holds it; a plain string is turn 0. Default: `index`. */
  sent?: number;
  role: string;
  name?: string;
  content: string;
  /** The heading above it, such as the subject of a mail. */
  heading?: string;
}

/**
 * How a statement bears on its attribute, where it does not give the one value that holds from then on:
 * - `yields`: it gives the value and replaces no other: "My meeting with Lee is on Friday".
 * - `also`: it gives one of several values: "You can use emojis again".
 * - `denies`: the value does not hold, until it is given again: "I do not live in Leeds".
 * - `ends`: the value is over, which stays true: "I quit my job at Airbus".
 * - `ends-all`: whatever value there was is over: "I lost my job".
 */
export type StatementSense = 'yields' | 'also' | 'denies' | 'ends' | 'ends-all';

/** A property of a subject, of one value at a time, or of several that are denied one by one; all in lower case. */
export interface Attribute {
  /** `user` for the speaker of a chat with an assistant, else the speaker's name. */
  subject: string;
  name: string;
  value: string;
  /** Undefined for a statement that gives the one value which holds from then on. */
  sense?: StatementSense;
  /** The time from which on nothing replaces the value. */
  until?: Date;
}

/** Something worth remembering, before it is stored: what is said, how sure we are, and the turns that say it. */
export interface Candidate {
  type: MemoryType;
  category: BuiltInCategory;
  content: string;
  /** The share, from 0 to 1, of such candidates that are worth keeping; 1 for an episode. */
  confidence: number;
  /** By their `index`. */
  turns: number[];
  /** Verbatim words of the (first) turn. */
  quote: string;
  /** The speaker's own words, where the content adds a name or a question to them. */
  asSaid?: string;
  /** The text that was said right before it; none for an episode. */
  before?: string;
  event?: TimeSpan;
  /** When a commitment or a deadline falls due. */
  dueAt?: Date;
  attribute?: Attribute;
  /** Whether an episode says nothing but attributes, so that it goes when they are superseded. */
  statesOnly?: boolean;
  entities: NameMention[];
}

/** Why a turn is left out, or a part of it: a statement of which nobody is sure, a field that is too long. */
export type DiscardReason = 'empty' | 'small-talk' | 'repeat' | 'echo' | 'excluded' | 'below-threshold' | 'too-long';

export interface DiscardedTurn {
  turn: number;
  reason: DiscardReason;
}

/** Whether the rest of the turn is read all the same. */
export const isPartialDiscard = ({ reason }: DiscardedTurn): boolean =>
  reason === 'below-threshold' || reason === 'too-long';

export interface Extraction {
  candidates: Candidate[];
  discarded: DiscardedTurn[];
}
