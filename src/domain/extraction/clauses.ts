import { codeBlockSource } from '../language/code-blocks.ts';
import { capitalisePlaces } from '../language/known-places.ts';
import { splitSentences, type Sentence } from '../language/sentences.ts';
import { splitDiscourseMarkers } from './discourse-markers.ts';
import { lastingOrderIn } from './indirect-requests.ts';
import { normalizeClause } from './normalize-clause.ts';
import { createQuotedTest } from './quoted-speech/quoted-words.ts';
import { withoutRequestToRemember } from './requests-to-remember.ts';
import { splitClauses, splitQuestion, splitRunOn } from './split-clauses.ts';

/** A statement or question of one sentence. */
export interface Clause {
  /** The words that a memory keeps: with the "I" that they leave out, and without discourse markers. */
  readonly text: string;
  /** The text with its discourse markers, of which "No wait, ..." takes back what was said before. */
  readonly withMarkers: string;
  /** The text that patterns match, as `normalizeClause` writes it. */
  readonly normalized: string;
  /** The whole sentence, verbatim, which a memory cites. */
  readonly sentence: string;
  readonly isQuestion: boolean;
  /** Whether the sentence has no other clause. */
  readonly isWhole: boolean;
  /** Whether its speaker asks for it to be remembered: "Remember that ...". */
  readonly isAskedToRemember: boolean;
}

/** The longest sentence, in characters: a longer one was dictated, or is a list or pasted data. */
const longestSentence = 500;
const noProse = new RegExp(String.raw`${codeBlockSource}|^(?: {4}|\t|>|\||#{1,6} ).*$`, 'gmu');

/** Matches the sheet of a character in a role-playing game: "STR 8, DEX 17, CON 12". */
const characterSheet =
  /(?:(?<!\p{L})(?:STR|DEX|CON|INT|WIS|CHA|HP|AC|MU|KL|GE|KK|FUE|FOR|SAG)\W{0,2}\d{1,3}(?!\d)\W*){2}/iu;

/** Replaces each character that is left out, so that every sentence keeps its place. */
const blank = '\0';

/** Splits a text into sentences, and each of these into clauses. Code and quoted words are left out. */
export function clausesOf(text: string): Clause[] {
  const prose = text.replace(noProse, (words) =>
    `\n${blank.repeat(Math.max(0, words.length - 2))}\n`.slice(-words.length),
  );
  const isQuoted = createQuotedTest(prose);
  return splitSentences(prose)
    .flatMap((sentence) => (sentence.text.length > longestSentence ? splitRunOn(sentence) : [sentence]))
    .filter((sentence) => isProse(sentence) && !isQuoted(sentence.start))
    .flatMap(({ text: sentence, start }) => clausesOfSentence(sentence, (at) => isQuoted(start + at)));
}

const isProse = ({ text }: Sentence): boolean =>
  text.length <= longestSentence && !/[{}<>=|\\]{2}|https?:\/\/\S+$/u.test(text) && !characterSheet.test(text);

function clausesOfSentence(sentence: string, isQuoted: (at: number) => boolean): Clause[] {
  const aside = /^\(*/u.exec(sentence)![0];
  const { markers: unbracketed, rest } = splitDiscourseMarkers(withoutClosingBrackets(sentence.slice(aside.length)));
  const markers = aside + unbracketed;
  if (isQuoted(markers.length)) return [];
  const { text: content, cutBefore, isAskedToRemember } = withoutRequestToRemember(rest);
  const { statement = '', question } = splitStatementAndQuestion(content);
  const whole = withSubject(statement);
  const start = markers.length + cutBefore - (whole.length - statement.length);
  const statements = statement ? splitClauses(whole, (at) => isQuoted(start + at)) : [];
  const texts = question ? [...statements, question] : statements;
  return texts.map((text, place) => ({
    text,
    withMarkers: place === 0 ? markers + text : text,
    normalized: normalizeClause(text),
    sentence,
    isQuestion: place === statements.length,
    isWhole: texts.length === 1,
    isAskedToRemember,
  }));
}

/** The words of an aside without the brackets that close it and were opened in front of them; ":)" closes nothing. */
function withoutClosingBrackets(words: string): string {
  const unopened = words.split(')').length - words.split('(').length;
  const closing = /(?<![:;=^-])(?<mark>[.!?]*)(?<brackets>\)+)(?<after>[.!?]*)$/u.exec(words);
  const { mark = '', brackets = '', after = '' } = closing?.groups ?? {};
  return closing && brackets.length <= unopened ? words.slice(0, closing.index) + (mark || after) : words;
}

function splitStatementAndQuestion(sentence: string): { statement?: string; question?: string } {
  if (!/\?["')\]]*$/u.test(sentence)) return { statement: sentence };
  const order = lastingOrderIn(sentence);
  return order === undefined ? splitQuestion(sentence) : { statement: order };
}

// "Just moved to York!", "Can't eat gluten": whoever says so speaks of himself.
const unsaid =
  /^(?:(?:[Jj]ust|[Rr]ecently|[Ff]inally|[Aa]lso|have) )*(?:(?:[Mm]oved|[Rr]elocated) (?:(?:back|house|home|over) )*(?:from \p{L}+ )?to \p{Lu}|[Cc]an(?:['’]?t|not) (?:eat|drink|have|tolerate|digest|stand|bear) |[Tt]urned \d\d\b)/u;

/** The clause with the "I" that it leaves out. */
const withSubject = (text: string): string =>
  unsaid.test(capitalisePlaces(text)) ? text.replace(/^./u, (first) => `I ${first.toLowerCase()}`) : text;
