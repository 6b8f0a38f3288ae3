import { personNoun } from '../language/name-cues.ts';
import type { Turn } from './candidate.ts';
import { splitLeadIn, type Clause } from './clauses.ts';
import type { SelfContainedText } from './draft.ts';
import { genderToldIn, gendersOfRoles, sentencesLookedBack } from './pronoun-resolution.ts';
import { isSameSpeaker, lastSentencesOf, questionBefore } from './question-before.ts';
import { asksOfPronoun, beginsWithPronoun, isUnclearQuestion, refersBack } from './referring-words.ts';
import { isSmallTalk } from './small-talk.ts';

/** In characters: more than this is no question to be quoted with its answer. */
export const longestAntecedent = 240;

/**
 * What a statement goes on with: the sentence before it in its turn, else what somebody else asked right before. Before a
 * statement about "they", and a question that tells as little by itself ("Where do they live?", "Since when?"), stands
 * the topic: what its speaker said of whom or what it is about.
 */
export function antecedentOf(
  clause: Clause,
  earlier: readonly Clause[],
  turn: Turn,
  turnsBefore: readonly Turn[],
): SelfContainedText | undefined {
  const inTurn = (words: string): SelfContainedText => ({
    content: words.slice(0, longestAntecedent),
    turns: [turn.index],
  });
  const inSentence = earlier.at(-1)?.sentence === clause.sentence ? wordsInFront(clause) : '';
  if (inSentence) return inTurn(inSentence);
  const own = earlier
    .slice(-sentencesLookedBack)
    .filter(({ sentence }) => sentence !== clause.sentence && !isSmallTalk(sentence))
    .map(({ text }) => inTurn(text));
  const last = own.at(-1);
  const isOfPerson = beginsWithPronoun(clause.text);
  const topic = isOfPerson ? topicAmong(own, clause.text) : last;
  if (topic) return topic;
  const refers = refersBack(clause.text);
  const said = saidBefore(clause, turn, turnsBefore);
  if (said && (refers ? bringsIn.test(said.content) : !said.isUnclear)) return said;
  if (!said && !refers) return undefined;
  const before = topicAmong(sentencesBefore(turn, turnsBefore), refers ? clause.text : said!.content);
  return joined(before, said) ?? last;
}

function joined(topic?: SelfContainedText, said?: SelfContainedText): SelfContainedText | undefined {
  if (!topic || !said) return topic ?? said;
  const content = `${closed(topic.content)} ${said.content}`;
  return content.length > longestAntecedent ? said : { content, turns: [...topic.turns, ...said.turns] };
}

/** What the turn before asks at its end, or tells, where the statement goes on with it. */
function saidBefore(
  { text }: Clause,
  turn: Turn,
  turnsBefore: readonly Turn[],
): (SelfContainedText & { readonly isUnclear: boolean }) | undefined {
  const before = turnsBefore.findLast(({ content }) => !isSmallTalk(content));
  if (!before) return undefined;
  const sentences = lastSentencesOf(before);
  const asked = sentences.findLast((sentence) => sentence.endsWith('?'));
  const isOwn = isSameSpeaker(turn, before);
  const refers = refersBack(text);
  if (isOwn && refers) return undefined; // it is among the topics
  // What somebody else only told is gone on with where a word stands for it: "already paid it".
  const told = isOwn || standsForThing.test(text) ? sentences.at(-1) : undefined;
  const content = asked ?? (told && refers && tellsLittle.test(told) ? undefined : told);
  if (!content || content.length > longestAntecedent || isSmallTalk(content)) return undefined;
  return { content, turns: [before.index], isUnclear: isUnclearQuestion(content, sentences.length === 1) };
}

const standsForThing = /(?<!\p{L})(?:it|its|that|this|these|those|them|one|ones|there)(?!\p{L})/iu;

/** In words: an answer no longer than this ("in April") tells nothing without its question. */
const answerWords = 5;

/** What the speaker said in earlier turns, a short answer with its question. */
function sentencesBefore(turn: Turn, turnsBefore: readonly Turn[]): SelfContainedText[] {
  return turnsBefore.flatMap((by, place): SelfContainedText[] => {
    if (!isSameSpeaker(turn, by)) return [];
    const before = turnsBefore[place - 1];
    const question = by.content.split(/\s+/u).length <= answerWords ? questionBefore(by, before) : undefined;
    if (question && isUnclearQuestion(question, true)) return [];
    if (question && before) return [{ content: `${question} ${by.content}`, turns: [before.index, by.index] }];
    return lastSentencesOf(by).map((sentence) => ({ content: splitLeadIn(sentence).rest, turns: [by.index] }));
  });
}

/**
 * The last sentence that may be what a statement or question with a pronoun is about, with those behind it that bring in
 * somebody else: one of people for a person, and of a man or nobody knows whom for "he".
 */
function topicAmong(sentences: readonly SelfContainedText[], referring: string): SelfContainedText | undefined {
  const gender = genderToldIn(referring);
  const isOfPerson = beginsWithPronoun(referring) || asksOfPronoun(referring);
  const tells = sentences.map(({ content }) => {
    const genders = gender ? gendersOfRoles(content) : [];
    const isOfGender = gender !== undefined && genders.includes(gender);
    const isClear = !refersBack(content) && !isSmallTalk(content) && !tellsLittle.test(content);
    return {
      isOfGender,
      isTopic: isClear && (isOfGender || genders.length === 0),
      isOfPeople: tellsOfPeople.test(content),
    };
  });
  const start = [
    tells.findLastIndex(({ isTopic, isOfGender }) => isTopic && isOfGender),
    tells.findLastIndex(({ isTopic, isOfPeople }) => isTopic && isOfPerson && isOfPeople),
    tells.findLastIndex(({ isTopic }) => isTopic),
  ].find((place) => place >= 0);
  if (start === undefined) return undefined;
  const told = sentences.filter(
    ({ content }, place) =>
      place === start || (place > start && (tells[start]!.isOfGender || refersBack(content)) && bringsIn.test(content)),
  );
  if (told.length === 1) return told[0];
  const content = told.map((each) => closed(each.content)).join(' ');
  return content.length > longestAntecedent ? undefined : { content, turns: told.flatMap(({ turns }) => turns) };
}

/** "Brooks usually", "it sleeps six", and "I'm Maya.", which tells nothing of whom "she" may be. */
const tellsLittle =
  /^(?:it|its|that|these|those)(?:['’]\p{L}+)?\s|^(?:\P{Lu}\S*\s){0,2}\P{Lu}\S*$|^(?:hi,? )?(?:i['’]?m|i am|my name is|ich bin|ich heiße|me llamo|soy|je suis|je m['’]appelle)\s\S+$/iu;

const tellsOfPeople = new RegExp(
  String.raw`${personNoun.source}|\b(?:parents|family|kids|children|twins|friends|team|neighbou?rs|guests|in-laws)\b|(?<!\p{L})(?:(?:mein|unser|dein|nuestr)\p{L}+|mis?|tus?|mon|ma|mes|notre|nos|ton|ta|tes|votre|vos)\s`,
  'iu',
);

/** "Her husband is a judge", "she was replaced by Omar", "my kids love them". */
const bringsIn = new RegExp(
  String.raw`^(?:[Hh]is|[Hh]er|[Tt]heir|[Ii]hre?|[Ss]eine?|[Ss]u|[Ll]eurs?)\s|\s(?!Sie\b)\p{Lu}\p{Ll}|${tellsOfPeople.source}`,
  'u',
);

/** What stands before a clause in its sentence: "Theo's 8 and" before "Ruby's 5". */
const wordsInFront = ({ sentence, said }: Clause): string =>
  sentence.slice(0, Math.max(0, sentence.indexOf(said))).trim();

/** A sentence typed without a full stop gets one, so that the next does not run into it; "Theo's 8 and" is none. */
export const closed = (words: string): string =>
  /[\p{L}\p{N})"”’']$/u.test(words) && !/(?<!\p{L})(?:and|but|so|or|und|aber|y|et|mais|pero)$/iu.test(words)
    ? `${words}.`
    : words;
