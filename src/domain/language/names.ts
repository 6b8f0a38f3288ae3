import {
  personApposition,
  calendarWords,
  capitalisedSpan,
  isPersonalMonth,
  nonProsePattern,
  organizationNouns,
  personStateAfter,
  personVerbAfter,
  placeNouns,
} from './name-cues.ts';
import {
  affiliationKind,
  isAffiliation,
  isColleague,
  isInNameList,
  inferNameKind,
  type NameContext,
  type NameKind,
} from './name-kinds.ts';
import { findGermanNames } from './german-names.ts';
import { distinctLanguageOf, languageOf } from './sentence-language.ts';
import { splitSentences } from './sentences.ts';
import { sentenceOpeners, stopWords } from './stop-words.ts';

/** A name as it is written in the text, without a possessive ending. */
export interface NameMention {
  name: string;
  kind: NameKind;
}

/** Each name once, whatever its case: the last spelling of it. */
export const uniqueNames = (names: readonly NameMention[]): NameMention[] => [
  ...new Map(names.map((each) => [each.name.toLowerCase(), each])).values(),
];

interface FoundName extends NameMention {
  isSure: boolean;
  isLone: boolean;
}

const isFullName = ({ name, kind }: NameMention): boolean => kind === 'person' && name.includes(' ');
const firstNameOf = ({ name }: NameMention): string => name.slice(0, name.indexOf(' '));

/** Names found around a text, such as the speakers', in the forms in which they are looked up. */
export interface KnownNames {
  readonly byName: ReadonlyMap<string, NameMention>;
  /** Each word of each name. */
  readonly words: ReadonlySet<string>;
  /** Persons with a first and another name, by the first. */
  readonly fullNames: ReadonlyMap<string, NameMention>;
}

/** Looks names up in both forms; where several have one name, or one first name, the first counts. */
export const knownNames = (names: readonly NameMention[]): KnownNames => ({
  byName: firstByKey(names, ({ name }) => name),
  words: new Set(names.flatMap(({ name }) => name.split(' '))),
  fullNames: firstByKey(names.filter(isFullName), firstNameOf),
});

const nobody = knownNames([]);

/**
 * The names in a text: capitalised spans, without what is capitalised for another reason (the head of a sentence,
 * weekdays, languages, acronyms; in German every noun, so that only what stands beside a word makes it a name). A
 * single word that opens a sentence counts when it is capitalised elsewhere too or does what only people do.
 */
export function findNames(text: string, existing: KnownNames = nobody): NameMention[] {
  const inLanguage = languageOf(text) === 'de' ? germanOrOther : namesOf;
  const found = splitSentences(text.replace(nonProsePattern, '\n\n')).flatMap((sentence) => inLanguage(sentence.text));
  const sure = knownNames(found.filter((name) => name.isSure));
  const names = new Map<string, NameMention>();
  for (const candidate of found) {
    if (!candidate.isSure && !sure.words.has(candidate.name) && !existing.words.has(candidate.name)) continue;
    // "Yumara" is the "Yumara Felk" of the same text: one person, under the longer name.
    const full = candidate.isLone
      ? (sure.fullNames.get(candidate.name) ?? existing.fullNames.get(candidate.name))
      : undefined;
    const { name, kind } = existing.byName.get(candidate.name) ?? full ?? candidate;
    const before = names.get(name.toLowerCase());
    if (!before || before.kind === 'other') names.set(name.toLowerCase(), { name, kind });
  }
  return [...names.values()];
}

const germanOrOther = (sentence: string): FoundName[] =>
  (distinctLanguageOf(sentence) ?? 'de') === 'de'
    ? findGermanNames(sentence).map((each) => ({ ...each, isLone: !each.name.includes(' ') }))
    : namesOf(sentence);

/**
 * Words at the head of a sentence that somebody may be called by: "Jorun, wait", "Jorun!". Most are no names
 * ("Honestly, yes"): only who knows the name can tell.
 */
export function findNicknames(text: string): string[] {
  const heads = splitSentences(text.replace(nonProsePattern, '\n\n')).flatMap(
    ({ text: sentence }) => callHead.exec(sentence)?.[1] ?? [],
  );
  return [...new Set(heads.filter((word) => !isEmpty(word, true, false)))];
}

const callHead = /^\W*(\p{Lu}\p{Ll}{2,15})(?:[,!?…]|\.\.|\.?\W*$)/u;

function firstByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item> {
  return new Map(items.toReversed().map((item) => [keyOf(item), item]));
}

/** Finds which of the given names occur in a text, in the order given. */
export type NameFinder = (text: string) => NameMention[];

/** A first name that more people bear than this tells nobody which of them is meant. */
const mostNamesakes = 4;

/**
 * Finds names as words of their own, and persons by their first name alone too. The names are looked up by the places
 * where one may begin, so that a text costs its own length and not the number of names.
 */
export function nameFinder(names: readonly NameMention[]): NameFinder {
  const places = new Map<string, number[]>();
  const note = (words: string, place: number) => places.set(words, [...(places.get(words) ?? []), place]);
  const bearers = new Map<string, number[]>();
  for (const [place, name] of names.entries()) {
    note(name.name, place);
    if (!isFullName(name)) continue;
    const first = firstNameOf(name);
    const existing = bearers.get(first) ?? [];
    if (existing.length <= mostNamesakes) bearers.set(first, [...existing, place]);
  }
  for (const [first, known] of bearers)
    if (known.length <= mostNamesakes) for (const place of known) note(first, place);
  const lengths = new Map<string, Set<number>>();
  for (const words of places.keys()) {
    const initial = words.slice(0, 1);
    lengths.set(initial, (lengths.get(initial) ?? new Set()).add(words.length));
  }
  return (text) => {
    const found = new Set<number>();
    if (places.size) {
      for (const { index } of text.matchAll(wordStart)) {
        for (const length of lengths.get(text.charAt(index)) ?? []) {
          const existing = places.get(text.slice(index, index + length));
          if (existing && !continuesWord(text, index + length)) for (const place of existing) found.add(place);
        }
      }
    }
    return [...found].toSorted((one, other) => one - other).map((place) => names[place]!);
  };
}

const wordStart = /(?<![\p{L}\p{N}])\S/gu;
const continuesWord = (text: string, at: number): boolean => /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2));

/** Whether the text has the name, as words of its own. */
export function containsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) && !continuesWord(text, at + name.length))
      return true;
  }
  return false;
}

const longestName = 120; // characters of a span; beyond it is no text but a list or an attack
const cueReach = 100; // characters around a name in which its cues are looked for

interface NamePiece {
  readonly name: string;
  readonly start: number;
}

/** A name, the words around it, and its kind as far as it is known. */
interface NameInContext extends NamePiece, NameContext {
  kind: NameKind | undefined;
}

function namesOf(sentence: string): FoundName[] {
  const names = [...sentence.matchAll(capitalisedSpan)]
    .filter((match) => match[0].length <= longestName)
    .flatMap((match) => piecesOf(match[0], match.index, sentence))
    .map((piece) => inContext(piece, sentence));
  for (const [n, right] of names.entries()) {
    const left = names[n - 1];
    if (!left) continue;
    const pair = { left, right, between: sentence.slice(left.start + left.name.length, right.start) };
    left.kind ??= colleagueKind(pair);
    right.kind ??= listedKind(pair);
    right.kind = affiliatedKind(pair);
  }
  return names.map(({ name, kind, ...context }) => ({
    name,
    kind: kind ?? likelyKind(name, context.before),
    isSure: isSure(name, context),
    isLone: !name.includes(' '),
  }));
}

function inContext({ name, start }: NamePiece, sentence: string): NameInContext {
  const before = sentence.slice(Math.max(0, start - cueReach), start);
  const rest = sentence.slice(start + name.length).slice(0, cueReach);
  const context = { before, rest, isFirst: opens(before, before.length) };
  return { name, start, ...context, kind: inferNameKind(name, context) };
}

/** Two names that follow each other, and the words between them. */
interface AdjacentNames {
  readonly left: NameInContext;
  readonly right: NameInContext;
  readonly between: string;
}

/** The kind of a colleague's name, before that of a firm: "I work with Jon at Globex". */
const colleagueKind = ({ left, between }: AdjacentNames): NameKind | undefined =>
  isAffiliation(between) && isColleague(left.before) ? 'person' : undefined;

/** The kind of a name in a list: that of the name before it. */
const listedKind = ({ left, right, between }: AdjacentNames): NameKind | undefined =>
  isInNameList(between, right.rest) ? left.kind : undefined;

/**
 * The kind of the right name where the left one is a person who is at, from or of it. The words behind it then tell
 * nothing of it, since the person does what they say: "Odile Brandt of Quillon called".
 */
function affiliatedKind({ left, right, between }: AdjacentNames): NameKind | undefined {
  const { name, rest } = right;
  const isPersons = isAffiliation(between) && (left.kind ?? likelyKind(left.name, left.before)) === 'person';
  if (!isPersons || inferNameKind(name, { ...right, rest: '' })) return right.kind;
  return affiliationKind(name, { between, before: left.before, rest });
}

/** Without any cue, two words are most often a first and a last name. */
const likelyKind = (name: string, before: string): NameKind =>
  name.split(' ').length === 2 && !/(?:\bthe|['’]s)\s+$/iu.test(before) ? 'person' : 'other';

/** A span without the words at its head and tail that are capitalised for another reason; "of" joins only heads. */
function piecesOf(raw: string, at: number, sentence: string): NamePiece[] {
  const cut = /^(.*?)\s(?:of|&)\s(?:the\s)?(.*)$/u.exec(raw);
  if (cut && !isHead(lastWord(cut[1] ?? '')) && !raw.includes('&')) {
    const [, left = '', right = ''] = cut;
    return [...piecesOf(left, at, sentence), ...piecesOf(right, at + raw.length - right.length, sentence)];
  }
  const parts = raw.split(' ');
  const around = { before: sentence.slice(Math.max(0, at - cueReach), at), rest: sentence.slice(at + raw.length) };
  if (isPersonalMonth(parts[0]!, { ...around, rest: parts.length > 1 ? '' : around.rest }))
    return [{ name: raw, start: at }];
  let [from, to] = [0, parts.length];
  while (from < to && isEmpty(parts[from] ?? '', from === 0 && opens(sentence, at), to - from > 1)) from += 1;
  while (to > from && isEmpty(parts[to - 1] ?? '', false, to - from > 1)) to -= 1;
  const name = parts.slice(from, to).join(' ');
  return name ? [{ name, start: at + parts.slice(0, from).join(' ').length + (from ? 1 : 0) }] : [];
}

const opens = (sentence: string, at: number): boolean =>
  /^\W*$|[:"“—(]\s?$/u.test(sentence.slice(Math.max(0, at - cueReach), at));
const lastWord = (text: string): string => text.slice(text.lastIndexOf(' ') + 1);
const isHead = (text: string): boolean =>
  organizationNouns.has(text.toLowerCase()) || placeNouns.has(text.toLowerCase());

function isEmpty(part: string, isFirst: boolean, hasMore: boolean): boolean {
  const lower = part.toLowerCase();
  if (/^\p{Lu}$/u.test(part) || calendarWords.has(lower) || stopWords.has(lower.replace(/['’].*$/u, ''))) return true;
  if (/^\p{Lu}[\p{Lu}\p{N}o]*[\p{Lu}\p{N}]s?$/u.test(part) && !hasMore) return true; // an acronym alone
  if (
    /-(?:based|related|driven|friendly|style|like|born|level|specific|time|powered|free|ready|only|first)$/u.test(part)
  )
    return true;
  if (/\p{Ll}{3}ish$/u.test(part) && !hasMore) return true; // a language or a people
  if (isFirst && /ing$|\p{L}{7}ly$/u.test(lower)) return true; // "Seeing Jon", "Thankfully"
  return sentenceOpeners.has(lower) && (isFirst || !hasMore);
}

function isSure(name: string, { rest, isFirst }: { rest: string; isFirst: boolean }): boolean {
  if (!isFirst) return true;
  if (name.includes(' ')) return true;
  return (
    personVerbAfter.test(rest) ||
    personStateAfter.test(rest) ||
    personApposition.test(rest) ||
    (/^['’]s\s\p{L}/u.test(rest) && !/ing$|thing$/u.test(name))
  );
}
