import { genderOfWord, type Gender } from '../language/person-words.ts';
import { personNoun } from '../language/name-cues.ts';
import { containsName, type NameFinder, type NameMention } from '../language/names.ts';
import { findRoles, type RoleMention } from '../language/roles.ts';
import { genderedPronouns } from '../language/pronouns.ts';
import { languageOf } from '../language/sentence-language.ts';
import { isHumanRole } from '../language/speaker.ts';
import type { Turn } from './candidate.ts';
import { isSameSpeaker, type PrecedingStatement } from './preceding-statements.ts';

/** The person that a pronoun refers to, as the speaker would call them now, and the turn that names them. */
export interface PronounReferent {
  readonly called: string;
  readonly turn: number;
  /** The names of the person. */
  readonly names: readonly NameMention[];
}

const pronoun = new RegExp(
  String.raw`\b(?:${genderedPronouns.he}|${genderedPronouns.she})\b(?!['’]s\s+(?:to|and|is|was)\b)`,
  'iu',
);

/** "A carer comes at eight, she's called Joy": somebody else may be brought in by a word that we do not know. */
const bringsIn = /^(?:and |but |so |also )?(?:an?|another|one|some|someone|somebody) /iu;

/**
 * Resolves "he" or "she" in a statement that names nobody before it: to the one person of that gender in the sentence
 * before, or the one with whose name that sentence begins, else to the only one who may be meant in the last sentences.
 * Undefined where several may be meant, or somebody without a name or a role: a wrong name is worse than none.
 */
export function resolvePronoun(
  text: string,
  preceding: readonly PrecedingStatement[],
  { turn, namesOf }: { readonly turn: Turn; readonly namesOf: (turn: Turn) => NameFinder },
): PronounReferent | undefined {
  const found = pronoun.exec(text);
  if (!found || languageOf(text) !== 'en') return undefined;
  const before = text.slice(0, found.index);
  if (bringsIn.test(before) || personsIn(before, turn, turn, namesOf(turn)).length > 0) return undefined;
  const gender = genderOfPronoun(found[0]);
  const spokenOf = preceding.toReversed().map(({ by, text: statement }) => {
    const known = namesOf(by);
    const maybe = personsIn(statement, by, turn, known).filter((person) => person.gender !== other[gender]);
    return maybe.map(({ called, gender: told, isNamed }) => ({
      isTold: told !== undefined || (isNamed && statement.startsWith(called ?? '')),
      person: called === undefined ? undefined : { called, turn: by.index, names: known(called) },
    }));
  });
  // "Elliot called. He's moving. He has a job in Bath": the sentences between go on with him.
  const goesOn = preceding
    .toReversed()
    .map(({ text: statement }) => isOfPerson(statement) && genderToldIn(statement) === gender);
  const [justBefore, ...more] = spokenOf.find((persons, n) => persons.length > 0 || !goesOn[n]) ?? [];
  if (justBefore?.isTold && !more.length) return justBefore.person;
  const [person, ...others] = spokenOf.flat().map((each) => each.person);
  return person && others.every((each) => each && isSame(each, person)) ? person : undefined;
}

const ofMan = new RegExp(`^(?:${genderedPronouns.he})$`, 'iu');
const genderOfPronoun = (said: string): Gender => (ofMan.test(said) ? 'he' : 'she');

/** The gender of the first "he" or "she" in a statement in English. */
export function genderToldIn(text: string): Gender | undefined {
  const found = pronoun.exec(text);
  return found && languageOf(text) === 'en' ? genderOfPronoun(found[0]) : undefined;
}

/** The genders of those whom a sentence tells of by a role that has one. */
export const gendersOfRoles = (sentence: string): Gender[] =>
  findRoles(sentence).flatMap((role) => genderOf(role) ?? []);

/** Whether one name is a part of the other: "My boss Carla" is "my boss", and "Carla". */
const isSame = (one: PronounReferent, another: PronounReferent): boolean => {
  const [shorter, longer] = [one.called, another.called].toSorted((a, b) => a.length - b.length) as [string, string];
  return containsName(longer.toLowerCase(), shorter.toLowerCase());
};

const other: Readonly<Record<Gender, Gender>> = { he: 'she', she: 'he' };

/** A person in a sentence; without `called` it is somebody whom we cannot name. */
interface Person {
  readonly gender?: Gender;
  readonly called?: string;
  /** Whether the name is surely of a person or an animal. */
  readonly isNamed?: boolean;
}

function personsIn(sentence: string, by: Turn, speaker: Turn, known: NameFinder): Person[] {
  const roles = findRoles(sentence);
  const ofRoles = roles.map((role): Person => {
    const [gender, called] = [genderOf(role), calledBy(role, by, speaker)];
    return { ...(gender ? { gender } : {}), ...(called ? { called } : {}) };
  });
  const names = known(sentence).filter(
    ({ name, kind }) =>
      ![by.name, speaker.name].includes(name) &&
      mayBeSomebody(sentence, name, kind) &&
      !isSpeakerOrAddressed(sentence, name) &&
      !roles.some((role) => role.name?.includes(name)),
  );
  const ofNames = names.map(({ name, kind }): Person => {
    const isSomebody = kind !== 'other' || sentence.startsWith(name);
    if (!isSomebody || isOwner(sentence, name)) return {};
    const gender = genderOfTitle(sentence, name);
    return { called: name, isNamed: kind !== 'other', ...(gender ? { gender } : {}) };
  });
  const ofRoleNouns = roles.filter(({ name }) => name === undefined).length;
  const unnamed = countOfNouns(sentence) - ofRoleNouns;
  return [...ofRoles, ...ofNames, ...Array.from({ length: Math.max(0, unnamed) }, () => ({}))];
}

/** What is called so is a person or an animal, or nobody knows what: "my ex Jonas", but not "visiting from Leeds". */
const mayBeSomebody = (sentence: string, name: string, kind: NameMention['kind']): boolean =>
  kind === 'person' ||
  kind === 'animal' ||
  (kind === 'other' &&
    !/\b(?:in|from|at|to|near|on|of|for)\s+(?:the\s+)?$/iu.test(sentence.slice(0, sentence.indexOf(name))));

/** "My wife is a nurse", "Biscuit, our cat": somebody who is there already, and "our cat Biscuit" is under a name. */
const isPredicate = /(?:\b(?:is|was|be|been|became|as)|['’]s|,)\s+(?:an?|the|my|our)\s+(?:[\w-]+\s+){0,2}$/iu;
const isNamedNext = /^(?:,?\s|\s(?:is\s)?(?:called|named)\s)\p{Lu}/u;

/** How many persons the sentence has as what they are. */
const countOfNouns = (sentence: string): number =>
  [...sentence.matchAll(personNoun)].filter(
    ({ 0: noun, index }) =>
      !isPredicate.test(sentence.slice(0, index)) && !isNamedNext.test(sentence.slice(index + noun.length)),
  ).length;

function genderOf({ role, phrase }: RoleMention): Gender | undefined {
  const words = [role, phrase].map((said) =>
    said
      .replace(/[- ]in[- ]law$/u, '')
      .split(' ')
      .at(-1)!
      .toLowerCase(),
  );
  return words.map(genderOfWord).find((gender) => gender !== undefined);
}

/** The gender told by the title of a name ("Mr Lee"), whether the name includes the title or not. */
function genderOfTitle(sentence: string, name: string): Gender | undefined {
  const titled = sentence.slice(0, sentence.indexOf(name)) + name.split(' ')[0]!;
  const title = /\b(Mrs?|Ms|Miss)\.?(?:\s\p{L}+)?$/u.exec(titled)?.[1];
  return title === undefined ? undefined : genderOfWord(title.toLowerCase());
}

/** A person in this speaker's words: somebody else's "your sister" is "my sister", Ada's "my sister" "Ada's sister". */
function calledBy({ phrase, name, of }: RoleMention, by: Turn, speaker: Turn): string | undefined {
  const called = name ? `${phrase} ${name}` : phrase;
  const isOwn = isSameSpeaker(by, speaker);
  if (of === 'addressee') return isOwn ? undefined : called.replace(/^your\b/u, 'my');
  if (isOwn) return called;
  return isHumanRole(by) && by.name ? called.replace(/^(?:my|our)\b/u, `${by.name}'s`) : undefined;
}

/** Whether the name is a possessive, and not the person meant: "Anna's brother", "at St Columba's". */
const isOwner = (sentence: string, name: string): boolean => /^['’]s?(?!\p{L})/u.test(wordsBehind(sentence, name));

/** Whether the name is of who speaks or is spoken to, and not "he" or "she": "I'm Maya", "Tim, look", "Hi Maya!". */
const isSpeakerOrAddressed = (sentence: string, name: string): boolean => {
  const before = sentence.slice(0, sentence.indexOf(name));
  const isCalled = /(?:^\W*|,\s|\b(?:hi|hello|hey|thanks|thank you|dear|welcome|morning|evening)\s)$/iu.test(before);
  const isSpeaker = /\b(?:i['’]?m|i am|my name is|name['’]s|call me|this is)\s+$/iu.test(before);
  return isSpeaker || (isCalled && /^\s*(?:[,!.?…]|$)/u.test(wordsBehind(sentence, name)));
};

const wordsBehind = (sentence: string, name: string): string => sentence.slice(sentence.indexOf(name) + name.length);

/** Whether the statement is of that person: with their name it needs no question before it. */
export const isOfPerson = (words: string): boolean => pronoun.exec(words)?.index === 0;

/**
 * "He's allergic to nuts" with who is meant: "My son Tim is allergic to nuts". Later pronouns stay as they are, and so
 * does a "her" of which only its sense tells whether something is hers: "I gave her money".
 */
export function withPersonNamed(words: string, called: string): string {
  const found = pronoun.exec(words);
  if (!found) return words;
  const [said] = found;
  const [before, behind] = [words.slice(0, found.index), words.slice(found.index + said.length)];
  const isFirst = before === '';
  const named = isFirst ? called.replace(/^\p{Ll}/u, (first) => first.toUpperCase()) : called;
  if (/^his$/iu.test(said)) return `${before}${named}'s${behind}`;
  if (/^her$/iu.test(said)) {
    if (isFirst) return /^\s+(?:and|or)\b/iu.test(behind) ? words : `${named}'s${behind}`;
    return isObjectBefore.test(behind) ? before + named + behind : words;
  }
  return before + named + spelledOut(behind);
}

/** Writes out "she's 12" and "she's got". "She's moved" and "she's worried" may be "is" or "has", and stay. */
const spelledOut = (behind: string): string =>
  mayBeEither.test(behind) ? behind : behind.replace(/^['’]s(?=\s)/u, isHas.test(behind) ? ' has' : ' is');

const adverbs = String.raw`^['’]s\s+(?:(?:just|also|already|never|always|not|now|only|really)\s+)*`;
const mayBeEither = new RegExp(String.raw`${adverbs}\p{L}+(?:ed|en)\b`, 'iu');
const isHas = new RegExp(String.raw`${adverbs}(?:got|had|gone|become|lost|left|made)\b`, 'iu');

/** Matches words behind a "her" that is an object: "her to the vet", "her again", or nothing at all. */
const isObjectBefore =
  /^(?:\s+(?:to|in|on|at|for|with|from|about|of|off|up|out|by|into|and|or|but|so|if|that|when|while|because|as|again|too|back|home|there|here|now|today|tomorrow|yesterday|every|each)\b|\s*(?:[.,;:!?)–—-]|$))/iu;
