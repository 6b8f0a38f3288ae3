import { anyMonthSource, anyWeekdaySource } from '../language/calendar-names.ts';
import { languageOf } from '../language/sentence-language.ts';
import { stopWords } from '../language/stop-words.ts';
import { tokensOf } from '../language/stems.ts';
import { wordSet } from '../language/word-set.ts';

/** Markers that take back what was said right before, whatever stands behind them. */
const strongMarkers =
  "wait|hang on|scratch that|strike that|my mistake|i tell a lie|correction|or rather|make (?:it|that)|i mean|i meant|on second thoughts?|(?:i was|that is|that['’]s) wrong|warte|quatsch|ich meine?|besser gesagt|perd[oó]n|mejor dicho|quiero decir|attends|pardon|je veux dire";
/** Markers that take something back only before a comma, a full stop or a dash: "No Fridays" and "Oh God" do not. */
const weakMarkers = 'no|nah|nope|oh|ah|sorry|actually|nein|nee|non|espera';
const pause = String.raw`\s*[,:;.!…—–-][\s,:;.!…—–-]*`;
const markers = String.raw`(?:(?:(?:${weakMarkers})[\s,]+)*(?:${strongMarkers})(?:${pause}|\s+)|(?:(?:${weakMarkers})\s+)*(?:${weakMarkers})${pause})+`;
const markersAtStart = new RegExp(`^${markers}`, 'iu');
const markersInside = new RegExp(
  String.raw`(?:(?:,|;|…|\.{3}|\s[—–-])\s*|\s+(?=no,? wait|wait,? no|nee,? warte|no,? perd[oó]n))${markers}`,
  'iu',
);

const dayNumber = String.raw`\d{1,2}(?:st|nd|rd|th|er|\.(?=\s\p{L}))?`;
const linkingWord = String.raw`(?: of| de)?`;
const dayOfMonth = `(?:(?:${anyMonthSource}) ${dayNumber}|${dayNumber}${linkingWord} (?:${anyMonthSource}))`;
const clockTime = String.raw`\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\b|uhr|o['’]clock|h\b)|\d{1,2}:\d{2}`;
const number = String.raw`\d(?:[\d.,]*\d)?`;

const wholeWords = (source: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, 'iug');

/** The values of a kind: as a correction gives them, and the words of the statement that they take the place of. */
interface ValueKind {
  readonly given: RegExp;
  readonly former: RegExp;
}

const ofOnePattern = (source: string): ValueKind => {
  const pattern = wholeWords(source);
  return { given: pattern, former: pattern };
};

/** The kinds of values in the order in which they are tried: "May 5" is a date before it is a number. */
const valueKinds: readonly ValueKind[] = [
  // "From the 12th to the 19th. No, the 10th to the 17th"
  ofOnePattern(String.raw`${dayNumber}\s?(?:(?:to|till|until|bis|al?|au|-|–)\s?)(?:the |le |zum )?${dayNumber}`),
  ofOnePattern(dayOfMonth),
  ofOnePattern(`(?:${anyWeekdaySource})s?`),
  ofOnePattern(clockTime),
  // "the 11th" behind "December 9" is a day of that month.
  {
    given: wholeWords(String.raw`\d{1,2}(?:st|nd|rd|th|er)|(?<=(?:the|am|den|der|dem|el|le|al|au|du) )\d{1,2}`),
    former: wholeWords(
      String.raw`(?<=(?:${anyMonthSource}) )${dayNumber}|${dayNumber}(?=${linkingWord} (?:${anyMonthSource}))|\d{1,2}(?:st|nd|rd|th|er)`,
    ),
  },
];
const amountWithUnit = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<currency>[$€£¥])?\s?${number}\s?(?<unit>[%$€£¥]|\p{L}+)?`,
  'gu',
);
const bareNumber = wholeWords(number);
const properName = /(?<=^|\s)\p{Lu}\p{Ll}[\p{L}'’-]*(?: \p{Lu}\p{Ll}[\p{L}'’-]*)*/gu;

/**
 * Words that may stand beside the value of a correction, in English, German, Spanish and French: articles, prepositions
 * and "it is". With a word like "and" or "not", or with another subject, it says something else.
 */
const wordsBesideValue = wordSet(`
  the a an on at in to for by from it its is was that thats be
  vom von am im um auf den der dem das die ein eine zum zur nach bis es ist
  el la los las un una al de del en era para le les l au du c est pour chez
`);
const mostWordsBeside = 3;

/**
 * A statement that its speaker corrected in the next one, as it holds: "Dentist is on December 9." and "Wait, no, the
 * 11th." give "Dentist is on December 11th." Undefined where the second says more than one value of a kind that the
 * first has.
 */
export function withCorrection(said: string, correction: string): string | undefined {
  const marker = markersAtStart.exec(correction)?.[0];
  if (!marker) return undefined;
  const statement = said.replace(/(?:…|\.{3})$/u, '.');
  const words = correction.slice(marker.length);
  return withValue(statement, marker, words) ?? withValue(statement, marker, words.replace(aside, ''));
}

/** A few words behind the value, which tell why: "Sorry no, 3.0, wrong van". */
const aside = /,\s+[\p{L}\p{N}'’]+(?:\s[\p{L}\p{N}'’]+){0,3}\s?[.!]*$/u;

/** A word and what its speaker says they meant: "the roses, no, peonies I mean, need water". */
const meantWord =
  /\p{L}+,\s+(?:no|nee|nein|non),?\s+(?<meant>\p{L}+),?\s+(?:I mean|mein(?:te?)? ich|quiero decir|je veux dire)(?!\p{L}),?/iu;

/** A statement as its speaker corrected it before its end: "am 14. Mai, nee warte, am 16." is "am 16. Mai". */
export function withInlineCorrection(said: string): string | undefined {
  if (meantWord.test(said)) return said.replace(meantWord, '$<meant>');
  const found = markersInside.exec(said);
  return found ? withValue(said.slice(0, found.index), found[0], said.slice(found.index + found[0].length)) : undefined;
}

function withValue(said: string, marker: string, correction: string): string | undefined {
  for (const { given, former } of valueKinds) {
    const value = onlyValue(correction, given);
    const place = value && [...said.matchAll(former)].at(-1);
    if (place) return replacedAt(said, place, value);
  }
  return (
    withAmount(said, correction) ??
    withNumber(said, correction) ??
    withName(said, marker, correction) ??
    withWord(said, marker, correction)
  );
}

/** Corrects the amount that has the same unit: "Sorry, 20 mg". */
function withAmount(said: string, correction: string): string | undefined {
  const [given, ...others] = correction.matchAll(amountWithUnit);
  const unit = given && unitOf(given);
  if (!unit || others.length || !isOnlyValue(correction, given[0])) return undefined;
  const place = [...said.matchAll(amountWithUnit)].findLast((amount) => unitOf(amount) === unit);
  return place && replacedAt(said, place, given[0].trim());
}

const unitOf = ({ groups }: RegExpMatchArray): string | undefined => {
  const unit = groups?.['currency'] ?? groups?.['unit']?.toLowerCase();
  return unit && !wordsBesideValue.has(unit) ? unit : undefined;
};

/** Corrects the only number, or the one behind the preposition that the correction repeats: "Actually no, 700". */
function withNumber(said: string, correction: string): string | undefined {
  const value = onlyValue(correction, bareNumber);
  if (value === undefined) return undefined;
  const numbers = [...said.matchAll(bareNumber)].filter(([former]) => Math.abs(former.length - value.length) < 2);
  const place =
    behindPreposition(said, numbers, prepositionOf(correction, value)) ??
    (numbers.length === 1 ? numbers[0] : undefined);
  return place && replacedAt(said, place, value);
}

/** Corrects the name behind the same preposition, "No wait, to York", or the only name behind "I meant". */
function withName(said: string, marker: string, correction: string): string | undefined {
  const value = onlyValue(correction, properName);
  if (value === undefined) return undefined;
  const names = [...said.matchAll(properName)].filter(({ index }) => index > 0);
  const preposition = prepositionOf(correction, value);
  const isMeant = /\bi meant?\b/iu.test(marker) && languageOf(said) === 'en' && names.length === 1;
  const place = preposition ? behindPreposition(said, names, preposition) : isMeant ? names[0] : undefined;
  return place && replacedAt(said, place, value);
}

const strongMarker = wholeWords(strongMarkers);
const lastWord = /(?<=\s(?:is|are|ist|sind|es|son|est|sont)\s(?:the |el |la |le )?)\p{Ll}+(?=[.!]*$)/u;

/** Corrects the only word behind "is": "My favourite colour is green. No wait, blue.". */
function withWord(said: string, marker: string, correction: string): string | undefined {
  const words = tokensOf(correction);
  const [value, ...others] = words.filter((word) => !wordsBesideValue.has(word));
  const place = lastWord.exec(said);
  const isValue = value && !others.length && words.length <= mostWordsBeside && !stopWords.has(value);
  return place && isValue && correction.includes(value) && marker.search(strongMarker) >= 0
    ? replacedAt(said, place, value)
    : undefined;
}

const prepositionOf = (correction: string, value: string): string | undefined =>
  /(\p{Ll}+) $/u.exec(correction.slice(0, correction.indexOf(value)))?.[1];

const behindPreposition = (said: string, places: readonly RegExpExecArray[], preposition: string | undefined) =>
  places.findLast(({ index }) => preposition && said.slice(0, index).endsWith(` ${preposition} `));

function onlyValue(correction: string, pattern: RegExp): string | undefined {
  const [value, ...others] = correction.matchAll(pattern);
  return value && !others.length && isOnlyValue(correction, value[0]) ? value[0] : undefined;
}

function isOnlyValue(correction: string, value: string): boolean {
  const beside = tokensOf(correction.replace(value, ' '));
  return beside.length <= mostWordsBeside && beside.every((word) => wordsBesideValue.has(word));
}

const replacedAt = (said: string, { 0: former, index }: RegExpExecArray, value: string): string =>
  said.slice(0, index) + value + (former.endsWith('.') ? '.' : '') + said.slice(index + former.length);
