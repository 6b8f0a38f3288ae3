import { personNoun } from '../language/name-cues.ts';
import type { NameFinder, NameMention } from '../language/names.ts';
import { findRoles, type RoleMention } from '../language/roles.ts';
import { languageOf } from '../language/sentence-language.ts';
import { splitSentences } from '../language/sentences.ts';
import { isHumanRole } from '../language/speaker.ts';
import { wordSet } from '../language/word-set.ts';
import type { Turn } from './candidate.ts';
import { isSameSpeaker } from './question-before.ts';

/** Somebody who was spoken of, as the speaker would call them now, and the turn that names them. */
export interface PersonMeant {
  readonly called: string;
  readonly turn: number;
  /** The names by which they are called. */
  readonly names: readonly NameMention[];
}

/** The words before a statement: sentences of its own turn, and the turns before that one, oldest first. */
export interface WordsBefore {
  readonly turn: Turn;
  readonly earlier: readonly { readonly text: string }[];
  readonly turnsBefore: readonly Turn[];
  readonly namesOf: (turn: Turn) => NameFinder;
}

type Gender = 'he' | 'she';

const pronoun = /\b(?:he|him|his|she|her)\b/iu;
const men = wordSet('father brother son husband boyfriend fiancé grandfather uncle nephew landlord');
const women = wordSet('mother sister daughter wife girlfriend fiancée grandmother aunt niece landlady');

/**
 * Who "he" or "she" is in a statement that names nobody before: the one person of that sex in the last sentence that names any.
 * Undefined where there are several, or somebody who is not called anything.
 */
export function personMeant(text: string, before: WordsBefore): PersonMeant | undefined {
  const { turn, namesOf } = before;
  const found = pronoun.exec(text);
  if (!found || languageOf(text) !== 'en') return undefined;
  if (personsIn(text.slice(0, found.index), turn, turn, namesOf(turn)).length > 0) return undefined;
  const gender: Gender = /^h(?:e|im|is)$/iu.test(found[0]) ? 'he' : 'she';
  for (const sentence of lastSentences(before)) {
    const known = namesOf(sentence.by);
    const persons = personsIn(sentence.text, sentence.by, turn, known);
    const [person, ...others] = persons.filter((each) => each.gender !== other[gender]);
    if (!person) continue;
    const { called } = person;
    return called === undefined || others.length
      ? undefined
      : { called, turn: sentence.by.index, names: known(called) };
  }
  return undefined;
}

/** In sentences: who was named longer ago is named again by whoever wants to be understood. */
const lookedBack = 8;
/** In characters, of each turn before. */
const readBefore = 600;

/** Last first, each with the turn that says it. */
function lastSentences({ turn, earlier, turnsBefore }: Omit<WordsBefore, 'namesOf'>): { by: Turn; text: string }[] {
  const own = earlier.slice(-lookedBack).map(({ text }) => ({ by: turn, text }));
  const others = turnsBefore.flatMap((by) =>
    splitSentences(by.content.slice(-readBefore)).map(({ text }) => ({ by, text })),
  );
  return [...others, ...own].slice(-lookedBack).toReversed();
}

const other: Readonly<Record<Gender, Gender>> = { he: 'she', she: 'he' };

/** A person in a sentence; without `called` it is somebody whom we cannot name. */
interface Person {
  readonly gender?: Gender;
  readonly called?: string;
}

function personsIn(sentence: string, by: Turn, speaker: Turn, known: NameFinder): Person[] {
  const roles = findRoles(sentence);
  const ofRoles = roles.map((role): Person => {
    const [gender, called] = [genderOf(role.role), calledBy(role, by, speaker)];
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
    return isSomebody && !isOwner(sentence, name) ? { called: name } : {};
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

function genderOf(role: string): Gender | undefined {
  const last = role
    .split(' ')
    .at(-1)!
    .replace(/-in-law$/u, '');
  return men.has(last) ? 'he' : women.has(last) ? 'she' : undefined;
}

/** "Your sister" of somebody else is "my sister" here, and "my sister" of Ada is "Ada's sister". */
function calledBy({ phrase, name, of }: RoleMention, by: Turn, speaker: Turn): string | undefined {
  const called = name ? `${phrase} ${name}` : phrase;
  const isOwn = isSameSpeaker(by, speaker);
  if (of === 'addressee') return isOwn ? undefined : called.replace(/^your\b/u, 'my');
  if (isOwn) return called;
  return isHumanRole(by) && by.name ? called.replace(/^(?:my|our)\b/u, `${by.name}'s`) : undefined;
}

/** "Anna's brother" is not Anna. */
const isOwner = (sentence: string, name: string): boolean => /^['’]s?\s/u.test(behind(sentence, name));

/** "I'm Maya", "Tim, look", "Hi Maya!": who speaks and who is spoken to is neither "he" nor "she". */
const isSpeakerOrAddressed = (sentence: string, name: string): boolean => {
  const before = sentence.slice(0, sentence.indexOf(name));
  const isCalled = /(?:^\W*|,\s|\b(?:hi|hello|hey|thanks|thank you|dear|welcome|morning|evening)\s)$/iu.test(before);
  const isSpeaker = /\b(?:i['’]?m|i am|my name is|name['’]s|call me|this is)\s+$/iu.test(before);
  return isSpeaker || (isCalled && /^\s*(?:[,!.?…]|$)/u.test(behind(sentence, name)));
};

const behind = (sentence: string, name: string): string => sentence.slice(sentence.indexOf(name) + name.length);

/** Whether the statement is of that person: with their name it needs no question before it. */
export const isOfPerson = (words: string): boolean => pronoun.exec(words)?.index === 0;

/** "He's allergic to nuts" with who is meant: "My son Tim's allergic to nuts". Later pronouns stay as they are. */
export function withPersonNamed(words: string, called: string): string {
  return words.replace(pronoun, (said, at: number) => {
    const isPossessive = /^his$/iu.test(said) || (/^her$/iu.test(said) && hasNoun.test(words.slice(at + said.length)));
    const named = isPossessive ? `${called}'s` : called;
    return at === 0 ? named.replace(/^\p{Ll}/u, (first) => first.toUpperCase()) : named;
  });
}

/** Behind "her": "her dog", but not "her to the vet", "her again" or nothing at all. */
const hasNoun =
  /^\s+(?!(?:to|in|on|at|for|with|from|about|of|off|up|out|by|into|and|or|but|so|if|that|when|while|because|as|a|an|the|my|our|again|too|back|home|there|here|now|today|tomorrow|yesterday|every|each|this|next|last|more|very|not|is|was)\b)\p{L}/iu;
