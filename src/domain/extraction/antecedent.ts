import { personNoun } from '../language/name-cues.ts';
import { distinctLanguageOf, languageOf, type Language } from '../language/sentence-language.ts';
import type { Turn } from './candidate.ts';
import { splitLeadIn, type Clause } from './clauses.ts';
import type { SelfContainedText } from './draft.ts';
import { genderToldIn, gendersOfRoles, sentencesLookedBack } from './pronoun-resolution.ts';
import { isSameSpeaker, lastSentencesOf, questionBefore } from './question-before.ts';
import { asksOfPronoun, beginsWithPronoun, isUnclearQuestion, refersBack } from './referring-words.ts';
import { isSmallTalk } from './small-talk.ts';

/** In characters: more than this is no question to be quoted with its answer. */
export const longestAntecedent = 240;

/** The words before a statement, from near to far: sentences of its own turn, and the turns before that one. */
interface StatementContext {
  readonly earlier: readonly Clause[];
  readonly turn: Turn;
  readonly turnsBefore: readonly Turn[];
  /** The language of the statement, or of the words around it where the statement is too short to tell. */
  readonly language: Language;
}

/**
 * What a statement goes on with: the words before it in its sentence, else a sentence before it in its turn, else what was
 * said in the turns before. A statement about "they" whose topic is in none of them goes on with the sentence before it.
 */
export function antecedentOf(
  clause: Clause,
  earlier: readonly Clause[],
  turn: Turn,
  turnsBefore: readonly Turn[],
): SelfContainedText | undefined {
  const inSentence = inSameSentence(clause, earlier, turn);
  if (inSentence) return inSentence;
  const context = {
    earlier,
    turn,
    turnsBefore,
    language: distinctLanguageOf(clause.text) ?? languageAround(turn, turnsBefore),
  };
  const inTurn = sentencesOfTurn(clause, context);
  return inSameTurn(clause, inTurn, context) ?? inTurnsBefore(clause, context) ?? inTurn.at(-1);
}

/** In characters, of a turn and of the one before it: enough to tell a language. */
const readForLanguage = 400;

const languageAround = ({ content }: Turn, turnsBefore: readonly Turn[]): Language =>
  languageOf(`${turnsBefore.at(-1)?.content.slice(-readForLanguage) ?? ''} ${content.slice(0, readForLanguage)}`);

const quoteOf = (words: string, turn: Turn): SelfContainedText => ({
  content: words.slice(0, longestAntecedent),
  turns: [turn.index],
});

/** "Theo's 8 and" before "Ruby's 5". */
function inSameSentence(
  { sentence, said }: Clause,
  earlier: readonly Clause[],
  turn: Turn,
): SelfContainedText | undefined {
  if (earlier.at(-1)?.sentence !== sentence) return undefined;
  const words = sentence.slice(0, Math.max(0, sentence.indexOf(said))).trim();
  return words ? quoteOf(words, turn) : undefined;
}

const sentencesOfTurn = (clause: Clause, { earlier, turn }: StatementContext): SelfContainedText[] =>
  earlier
    .slice(-sentencesLookedBack)
    .filter(({ sentence }) => sentence !== clause.sentence && !isSmallTalk(sentence))
    .map(({ text }) => quoteOf(text, turn));

/** The sentence before; before a statement about "they", the topic: what its speaker said of whom it is about. */
const inSameTurn = (
  { text }: Clause,
  sentences: readonly SelfContainedText[],
  { language }: StatementContext,
): SelfContainedText | undefined =>
  beginsWithPronoun(text, language) ? topicAmong(sentences, text, language) : sentences.at(-1);

/**
 * What somebody else asked right before. Before a statement about "they", and a question that tells as little by itself
 * ("Where do they live?", "Since when?"), stands the topic.
 */
function inTurnsBefore({ text }: Clause, context: StatementContext): SelfContainedText | undefined {
  const refers = refersBack(text, context.language);
  const said = saidBefore(text, context);
  const isClear = said && (refers ? introducesPerson.test(said.content) : !said.isUnclear);
  const referring = refers ? text : said?.content;
  if (isClear || referring === undefined) return said;
  return joined(topicAmong(sentencesBefore(context), referring, context.language), said);
}

function joined(topic?: SelfContainedText, said?: SelfContainedText): SelfContainedText | undefined {
  if (!topic || !said) return topic ?? said;
  const content = `${withFullStop(topic.content)} ${said.content}`;
  return content.length > longestAntecedent ? said : { content, turns: [...topic.turns, ...said.turns] };
}

/** What the turn before asks at its end, or tells, where the statement goes on with it. */
function saidBefore(
  text: string,
  { turn, turnsBefore, language }: StatementContext,
): (SelfContainedText & { readonly isUnclear: boolean }) | undefined {
  const before = turnsBefore.findLast(({ content }) => !isSmallTalk(content));
  if (!before) return undefined;
  const sentences = lastSentencesOf(before);
  const question = sentences.findLast((sentence) => sentence.endsWith('?'));
  const isOwn = isSameSpeaker(turn, before);
  const refers = refersBack(text, language);
  if (isOwn && refers) return undefined; // it is among the topics
  // What somebody else only told is gone on with where a word stands for it: "already paid it".
  const statement = isOwn || standsForThing.test(text) ? sentences.at(-1) : undefined;
  const content = question ?? (statement && refers && uninformative.test(statement) ? undefined : statement);
  if (!content || content.length > longestAntecedent || isSmallTalk(content)) return undefined;
  return { content, turns: [before.index], isUnclear: isUnclearQuestion(content, sentences.length === 1, language) };
}

const standsForThing = /(?<!\p{L})(?:it|its|that|this|these|those|them|one|ones|there)(?!\p{L})/iu;

/** In words: an answer no longer than this ("in April") tells nothing without its question. */
const answerWords = 5;

/** What the speaker said in earlier turns, a short answer with its question. */
function sentencesBefore({ turn, turnsBefore, language }: StatementContext): SelfContainedText[] {
  return turnsBefore.flatMap((by, place): SelfContainedText[] => {
    if (!isSameSpeaker(turn, by)) return [];
    const before = turnsBefore[place - 1];
    const question = by.content.split(/\s+/u).length <= answerWords ? questionBefore(by, before) : undefined;
    if (question && isUnclearQuestion(question, true, language)) return [];
    if (question && before) return [{ content: `${question} ${by.content}`, turns: [before.index, by.index] }];
    return lastSentencesOf(by).map((sentence) => ({ content: splitLeadIn(sentence).rest, turns: [by.index] }));
  });
}

/**
 * The last sentence that may be what a statement or question with a pronoun is about, with those behind it that bring in
 * somebody else: one of people for a person, and of a man or nobody knows whom for "he".
 */
function topicAmong(
  sentences: readonly SelfContainedText[],
  referring: string,
  language: Language,
): SelfContainedText | undefined {
  const gender = genderToldIn(referring);
  const isOfPerson = beginsWithPronoun(referring, language) || asksOfPronoun(referring, language);
  const described = sentences.map(({ content }) => {
    const genders = gender ? gendersOfRoles(content) : [];
    const isOfGender = gender !== undefined && genders.includes(gender);
    const isClear = !refersBack(content, language) && !isSmallTalk(content) && !uninformative.test(content);
    return {
      isOfGender,
      isTopic: isClear && (isOfGender || genders.length === 0),
      isOfPeople: mentionsPeople.test(content),
    };
  });
  const start = [
    described.findLastIndex(({ isTopic, isOfGender }) => isTopic && isOfGender),
    described.findLastIndex(({ isTopic, isOfPeople }) => isTopic && isOfPerson && isOfPeople),
    described.findLastIndex(({ isTopic }) => isTopic),
  ].find((place) => place >= 0);
  if (start === undefined) return undefined;
  const isOfGender = described[start]?.isOfGender === true;
  const chosen = sentences.filter(
    ({ content }, place) =>
      place === start ||
      (place > start && (isOfGender || refersBack(content, language)) && introducesPerson.test(content)),
  );
  if (chosen.length === 1) return chosen[0];
  const content = chosen.map((each) => withFullStop(each.content)).join(' ');
  return content.length > longestAntecedent ? undefined : { content, turns: chosen.flatMap(({ turns }) => turns) };
}

/** "Brooks usually", "it sleeps six", and "I'm Maya.", which tells nothing of whom "she" may be. */
const uninformative =
  /^(?:it|its|that|these|those)(?:['’]\p{L}+)?\s|^(?:\P{Lu}\S*\s){0,2}\P{Lu}\S*$|^(?:hi,? )?(?:i['’]?m|i am|my name is|ich bin|ich heiße|me llamo|soy|je suis|je m['’]appelle)\s\S+$/iu;

const mentionsPeople = new RegExp(
  String.raw`${personNoun.source}|\b(?:parents|family|kids|children|twins|friends|team|neighbou?rs|guests|in-laws)\b|(?<!\p{L})(?:(?:mein|unser|dein|nuestr)\p{L}+|mis?|tus?|mon|ma|mes|notre|nos|ton|ta|tes|votre|vos)\s`,
  'iu',
);

/** "Her husband is a judge", "she was replaced by Omar", "my kids love them". */
const introducesPerson = new RegExp(
  String.raw`^(?:[Hh]is|[Hh]er|[Tt]heir|[Ii]hre?|[Ss]eine?|[Ss]u|[Ll]eurs?)\s|\s(?!Sie\b)\p{Lu}\p{Ll}|${mentionsPeople.source}`,
  'u',
);

/** A sentence typed without a full stop gets one, so that the next does not run into it; "Theo's 8 and" is none. */
export const withFullStop = (words: string): string =>
  /[\p{L}\p{N})"”’']$/u.test(words) && !/(?<!\p{L})(?:and|but|so|or|und|aber|y|et|mais|pero)$/iu.test(words)
    ? `${words}.`
    : words;
