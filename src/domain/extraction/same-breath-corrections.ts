import { stopWords, unaskedWords } from '../language/stop-words.ts';
import { tokensOf } from '../language/stems.ts';

/** Words by which somebody takes back what was said right before, in English, German, Spanish and French. */
const takingBack = [
  'no|nah|nope|oh|oops|wait|hang on|sorry|my mistake|actually|rather|or rather|i mean|i meant|i tell a lie|correction',
  "scratch that|strike that|on second thoughts?|make (?:it|that)|(?:i was|i am|that is|i[’']m|that[’']s) wrong",
  'nein|nee|warte|moment|quatsch|ich meine?|besser gesagt|espera|perd[oó]n|mejor dicho|digo|quiero decir',
  'non|attends|pardon|je veux dire|enfin',
].join('|');
const gap = String.raw`[\s,:;.!…—–-]+`;
const atBeginning = new RegExp(`^(?:(?:${takingBack})${gap})+`, 'iu');
/** Within a sentence, where "rather" or "no" alone take nothing back. */
const inside = new RegExp(
  String.raw`(?:,|;|…|\.{3}|\s[—–-])?\s+(?:(?:oh )?no,? wait|wait,? no|no,? sorry|sorry(?=,)|or rather|scratch that|strike that|correction|i mean(?=,? (?:the |at |on )?[\d\p{Lu}])|nee,? warte|nein,? warte|quatsch|no,? perd[oó]n|non,? pardon|non,? attends)${gap}`,
  'iu',
);

const month = String.raw`(?:jan(?:uary?|uar)?|feb(?:ruary?|ruar)?|mar(?:ch|zo|s)?|märz|apr(?:il)?|abril|avril|may|mai|mayo|june?|juni[o]?|juin|july?|juli[o]?|juillet|aug(?:ust)?|agosto|août|sept?(?:ember|iembre|embre)?|o[ck]t(?:ober|ubre|obre)?|nov(?:ember|iembre|embre)?|de[czs](?:ember|embre)?|dic(?:iembre)?|janvier|enero|février|febrero|jänner|déc(?:embre)?)`;
const ordinal = String.raw`\d{1,2}(?:st|nd|rd|th|er|\.(?=\s\p{L}))?`;
const link = String.raw`(?: of| de)?`;
const dayOfMonth = `(?:${month} ${ordinal}|${ordinal}${link} ${month})`;
const weekday = String.raw`(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)`;
const clock = String.raw`\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\b|uhr|o['’]clock|h\b)|\d{1,2}:\d{2}`;
const number = String.raw`\d(?:[\d.,]*\d)?`;
const amount = String.raw`(?:[$€£¥]\s?)?${number}(?:\s?(?:%|[$€£¥]|(?!(?:of|at|in|on|to|and|de|del|a|y|am|um|im|und|et|à)\b)\p{L}+))?`;

const bounded = (source: string, flags = '') =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, `iug${flags}`);

/** What a correction may give, and which words of what was said it takes the place of: the first that fits both. */
const values: readonly { readonly given: RegExp; readonly replaced: RegExp }[] = [
  { given: bounded(dayOfMonth), replaced: bounded(dayOfMonth) },
  { given: bounded(weekday), replaced: bounded(weekday) },
  { given: bounded(clock), replaced: bounded(clock) },
  // "the 11th" behind "December 9" is a day of that month.
  {
    given: bounded(ordinal),
    replaced: bounded(String.raw`(?<=${month} )${ordinal}|${ordinal}(?=${link} ${month})|\d{1,2}(?:st|nd|rd|th|er)`),
  },
  { given: bounded(amount), replaced: bounded(amount) },
  { given: bounded(number), replaced: bounded(number) },
];
const name = /(?<=^|\s)\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*/gu;

/** A correction gives a value, and few words beside it that only build the sentence. */
const wordsBeside = 4;
const isEmpty = (word: string): boolean =>
  stopWords.has(word) || Object.values(unaskedWords).some((words) => words.has(word));

/**
 * A statement that its speaker corrected at once, as it holds: "Dentist is on December 9" and "Wait, no, the 11th." give
 * "Dentist is on December 11th". Undefined where the second gives no value of a kind that the first has.
 */
export function withCorrection(said: string, correction: string): string | undefined {
  const rest = correction.replace(atBeginning, '');
  return rest === correction ? undefined : withValueOf(rest, said.replace(/(?:…|\.{3})$/u, '.'));
}

/** The same for a statement that is corrected within itself: "am 14., nee warte, am 16.". */
export function correctedWithin(said: string): string | undefined {
  const found = inside.exec(said);
  return found ? withValueOf(said.slice(found.index + found[0].length), said.slice(0, found.index)) : undefined;
}

function withValueOf(correction: string, said: string): string | undefined {
  for (const { given, replaced } of values) {
    const value = onlyMatch(given, correction);
    const former = value && [...said.matchAll(replaced)].at(-1);
    if (former && isOneValue(correction, value)) return replacedAt(said, former, value);
  }
  const value = onlyMatch(name, correction);
  if (value === undefined || !isOneValue(correction, value)) return undefined;
  // "to Köln" takes the place of "to Bonn", and not of another name.
  const preposition = /(\p{Ll}+) $/u.exec(correction.slice(0, correction.indexOf(value)))?.[1];
  const names = [...said.matchAll(name)].filter(({ index }) => index > 0);
  const framed = names.findLast(({ index }) => preposition && said.slice(0, index).endsWith(` ${preposition} `));
  const former = framed ?? names.at(-1);
  return former && replacedAt(said, former, value);
}

function onlyMatch(pattern: RegExp, text: string): string | undefined {
  const [first, ...others] = text.matchAll(pattern);
  return others.length ? undefined : first?.[0];
}

function isOneValue(correction: string, value: string): boolean {
  const beside = tokensOf(correction.replace(value, ' '));
  return beside.length <= wordsBeside && beside.every(isEmpty);
}

const replacedAt = (said: string, { 0: former, index }: RegExpExecArray, value: string): string =>
  said.slice(0, index) + value + (former.endsWith('.') ? '.' : '') + said.slice(index + former.length);
