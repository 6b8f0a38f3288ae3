import { endsWithQuestionMark } from '../language/sentences.ts';
import { splitDiscourseMarkers } from './discourse-markers.ts';

const yesWords = 'yes|yeah|yep|yup|ye|sure|correct|exactly|right|absolutely|definitely|of course|indeed';
const noWords = 'no|nope|nah|not (?:really|at all)|never(?! mind)';
const answerOf = (words: string, further: string): RegExp =>
  new RegExp(
    String.raw`^(?:(?:oh|ah|hm+|well)[, ]+)?(?:${words})(?:[, ]+(?:${further}|thanks|thank you))*\s*[.!]*$`,
    'iu',
  );

/** Matches a bare yes or no: "yes", "Yes please!", "yeah that's right", "no I don't". */
const yes = answerOf(
  `${yesWords}|i (?:do|am|have)|that['’]?s (?:right|correct|it)`,
  "please|i (?:do|am|have|can|would)|we (?:do|are|have)|that['’]?s (?:right|correct|it)|exactly|indeed|sure|very much so",
);
const no = answerOf(
  `${noWords}|i (?:don['’]?t|do not)|i(?:['’]m| am) not`,
  "i (?:don['’]?t|do not|haven['’]?t|can['’]?t)|i(?:['’]m| am) not|we (?:don['’]?t|do not)|not (?:really|at all)|never",
);
const opening = new RegExp(String.raw`^\W*(?:${yesWords}|${noWords})\b`, 'iu');

/** Whether an answer begins with a yes or a no, whatever it goes on to say. */
export const beginsWithYesOrNo = (answer: string): boolean => opening.test(answer);

const tag =
  /,? (?:right|correct|yes|is that (?:right|correct)|am i right|(?:are|do|have|is|does)n['’]?t (?:you|it|they))$/iu;
/** Matches a question in the form of a statement: "You are allergic to latex", "You've got two cats". */
const told = /^you(?:(?<am>['’]?re| are)|(?<have>['’]?ve| have))?(?<rest> .+)$/iu;
/** Matches a question to be answered by yes or no: "Are you allergic to latex", "Can you eat nuts". */
const asked = /^(?:(?<am>are)|(?<do>do)|(?<have>have)|(?<can>can)) you(?<rest> .+)$/iu;
/** Matches an offer: "Shall I remind you the evening before", "Would you like me to answer in French from now on". */
const offered =
  /^(?:(?:shall|should) i|(?:do you want|would you like|do you (?:prefer|need)) (?:me )?to|want me to) (?<rest>.+)$/iu;

/**
 * Writes out the statement or order that a bare yes or no makes of a question in English: "I am allergic to latex" for
 * "So you're allergic to latex?" - "yes". Undefined for an answer of more words, which is a statement by itself, and
 * where the question asks for more than a yes or a no, or is of somebody else.
 */
export function confirmedStatement(question: string, answer: string): string | undefined {
  const isYes = yes.test(answer.trim());
  if (!endsWithQuestionMark(question) || !(isYes || no.test(answer.trim()))) return undefined;
  const { rest: plain } = splitDiscourseMarkers(question.slice(0, -1).trim());
  const sentence = plain.replace(/^(?:so|and|just to confirm)[,:]? /iu, '').replace(tag, '');
  if (/,|\bor\b/iu.test(sentence)) return undefined; // one of two, or two in one
  const order = offered.exec(sentence)?.groups?.['rest'];
  if (order) return isYes ? capitalised(ownWords(order)) : undefined;
  const groups = (told.exec(sentence) ?? asked.exec(sentence))?.groups;
  return groups && ['I', verbOf(groups, isYes), ownWords(restOf(groups['rest']!, isYes))].filter(Boolean).join(' ');
}

/** The auxiliary, with its negation, to write before the rest; empty where the rest has a verb and is not denied. */
function verbOf({ am, have, can, rest = '' }: Record<string, string | undefined>, isYes: boolean): string {
  const verb = am ? 'am' : can ? 'can' : have ? 'have' : '';
  if (isYes) return verb;
  if (rest.startsWith(' still ')) return [verb, 'no longer'].filter(Boolean).join(' ');
  if (verb === 'can') return 'cannot';
  // "I have not got a car", "I do not have a car"
  const isPossession = verb === 'have' && /^ (?:an?|any|the|your|\d+|two|three|children|kids|pets)\b/iu.test(rest);
  if (verb && !isPossession) return `${verb} not`;
  return verb ? `do not ${verb}` : 'do not';
}

/** The rest without "still", which a denial replaces: "I no longer smoke" denies "Do you still smoke?". */
const restOf = (rest: string, isYes: boolean): string => (isYes ? rest : rest.replace(/^ still /u, '')).trim();

/** Turns the words of the asker into those of whom was asked: "you" becomes "I" or "me". */
const ownWords = (words: string): string =>
  words
    .replace(/\byou['’]re\b/giu, "I'm")
    .replace(/\byour\b/giu, 'my')
    .replace(/\byourself\b/giu, 'myself')
    .replace(/\byou (?=(?:are|have|can|will|want|need|like|said|get|go|take)\b)/giu, 'I ')
    .replace(/\byou\b/giu, 'me');

const capitalised = (text: string): string => text.replace(/^./u, (first) => first.toUpperCase());
