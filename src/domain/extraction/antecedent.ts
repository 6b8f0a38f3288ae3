import { personNoun } from '../language/name-cues.ts';
import { participantPossessives, inanimatePronouns } from '../language/pronouns.ts';
import { distinctLanguageOf, type Language } from '../language/sentence-language.ts';
import { endsWithQuestionMark } from '../language/sentences.ts';
import type { Turn } from './candidate.ts';
import type { Clause } from './clauses.ts';
import { splitDiscourseMarkers } from './discourse-markers.ts';
import type { SelfContainedText } from './draft.ts';
import { genderToldIn, gendersOfRoles } from './pronoun-resolution.ts';
import {
  isSameSpeaker,
  languageAround,
  lastSentencesOf,
  questionBefore,
  type PrecedingStatement,
  type TurnContext,
} from './preceding-statements.ts';
import {
  asksAboutPronoun,
  beginsWithPossessive,
  beginsWithPronoun,
  isUnclearQuestion,
  mentionsInanimatePronoun,
  refersBack,
} from './referring-words.ts';
import { isSmallTalk } from './small-talk.ts';

/** The longest antecedent, in characters: a longer question is not quoted with its answer. */
export const longestAntecedent = 240;

/** The turn of a statement, and its language, or that of the words around it where it is too short to tell. */
interface StatementContext extends TurnContext {
  readonly language: Language;
}

/**
 * Finds the words that a statement goes on from: those before it in its sentence, else a sentence before it in its
 * turn, else one of the turns before. Without any, a statement about "they" goes on from the sentence before it.
 */
export function antecedentOf(
  clause: Clause,
  preceding: readonly PrecedingStatement[],
  context: TurnContext,
): SelfContainedText | undefined {
  const own = preceding.filter(({ by }) => by === context.turn);
  const inSentence = inSameSentence(clause, own.at(-1), context.turn);
  if (inSentence) return inSentence;
  const inLanguage = { ...context, language: distinctLanguageOf(clause.text) ?? languageAround(context) };
  const inTurn = own
    .filter(({ sentence }) => sentence !== clause.sentence && !isSmallTalk(sentence))
    .map(({ text }) => quoteOf(text, context.turn));
  return inSameTurn(clause, inTurn, inLanguage) ?? inTurnsBefore(clause, inLanguage) ?? inTurn.at(-1);
}

const quoteOf = (words: string, turn: Turn): SelfContainedText => ({
  content: words.slice(0, longestAntecedent),
  turns: [turn.index],
});

/** Finds the words before a statement in its sentence: "Theo's 8 and" before "Ruby's 5". */
function inSameSentence(
  { sentence, withMarkers }: Clause,
  before: PrecedingStatement | undefined,
  turn: Turn,
): SelfContainedText | undefined {
  if (before?.sentence !== sentence) return undefined;
  const words = sentence.slice(0, Math.max(0, sentence.indexOf(withMarkers))).trim();
  return words ? quoteOf(words, turn) : undefined;
}

/** The sentence before; before a statement about "they", the topic: what its speaker said of whom it is about. */
const inSameTurn = (
  { text }: Clause,
  sentences: readonly SelfContainedText[],
  { language }: StatementContext,
): SelfContainedText | undefined =>
  beginsWithPronoun(text, language) ? topicAmong(sentences, text, language) : sentences.at(-1);

/**
 * Finds the question that somebody else asked right before. The topic is put in front of it where the statement is
 * about "they", and where the question tells as little by itself ("Where do they live?", "Since when?").
 */
function inTurnsBefore({ text }: Clause, context: StatementContext): SelfContainedText | undefined {
  const refers = refersBack(text, context.language);
  const said = saidBefore(text, context);
  const isClear = said && (refers ? introducesPerson(said.content, context.language) : !said.isUnclear);
  const referring = refers ? text : said?.content;
  if (isClear || referring === undefined) return said;
  return joined(topicAmong(sentencesBefore(context), referring, context.language), said);
}

function joined(topic?: SelfContainedText, said?: SelfContainedText): SelfContainedText | undefined {
  if (!topic || said?.content.includes(topic.content)) return said;
  if (!said || topic.content.includes(said.content)) return topic;
  const content = `${withFullStop(topic.content)} ${said.content}`;
  return content.length > longestAntecedent ? said : { content, turns: [...topic.turns, ...said.turns] };
}

/** The question or statement at the end of the turn before, where the statement goes on with it. */
function saidBefore(
  text: string,
  { turn, turnsBefore, language }: StatementContext,
): (SelfContainedText & { readonly isUnclear: boolean }) | undefined {
  const before = turnsBefore.findLast(({ content }) => !isSmallTalk(content));
  if (!before) return undefined;
  const sentences = lastSentencesOf(before);
  const question = sentences.findLast(endsWithQuestionMark);
  const isOwn = isSameSpeaker(turn, before);
  const refers = refersBack(text, language);
  if (isOwn && refers) return undefined; // it is among the topics
  // A statement of somebody else is an antecedent only where a word stands for it: "already paid it".
  const statement = isOwn || mentionsInanimatePronoun(text) ? sentences.at(-1) : undefined;
  const content = question ?? (statement && refers && uninformative.test(statement) ? undefined : statement);
  if (!content || content.length > longestAntecedent || isSmallTalk(content)) return undefined;
  return { content, turns: [before.index], isUnclear: isUnclearQuestion(content, sentences.length === 1, language) };
}

/** The most words of an answer that tells nothing without its question: "in April". */
const answerWords = 5;

/** The sentences of the speaker's earlier turns. A short answer comes with its question. */
function sentencesBefore({ turn, turnsBefore, language }: StatementContext): SelfContainedText[] {
  return turnsBefore.flatMap((by, place): SelfContainedText[] => {
    if (!isSameSpeaker(turn, by)) return [];
    const before = turnsBefore[place - 1];
    const question = by.content.split(/\s+/u).length <= answerWords ? questionBefore(by, before) : undefined;
    if (question && isUnclearQuestion(question, true, language)) return [];
    if (question && before) return [{ content: `${question} ${by.content}`, turns: [before.index, by.index] }];
    return lastSentencesOf(by).map((sentence) => ({
      content: splitDiscourseMarkers(sentence).rest,
      turns: [by.index],
    }));
  });
}

/**
 * The last sentence that may be what a statement or question with a pronoun is about, with those behind it that bring
 * in somebody else: one of people for a person, and of a man or nobody knows whom for "he".
 */
function topicAmong(
  sentences: readonly SelfContainedText[],
  referring: string,
  language: Language,
): SelfContainedText | undefined {
  const gender = genderToldIn(referring);
  const isOfPerson = beginsWithPronoun(referring, language) || asksAboutPronoun(referring, language);
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
      (place > start && (isOfGender || refersBack(content, language)) && introducesPerson(content, language)),
  );
  if (chosen.length === 1) return chosen[0];
  const content = chosen.map((each) => withFullStop(each.content)).join(' ');
  return content.length > longestAntecedent ? undefined : { content, turns: chosen.flatMap(({ turns }) => turns) };
}

/** "Brooks usually", "it sleeps six", and "I'm Maya.", which tells nothing of whom "she" may be. */
const uninformative = new RegExp(
  String.raw`^(?:${inanimatePronouns})(?:['’]\p{L}+)?\s|^(?:\P{Lu}\S*\s){0,2}\P{Lu}\S*$|^(?:hi,? )?(?:i['’]?m|i am|my name is|ich bin|ich heiße|me llamo|soy|je suis|je m['’]appelle)\s\S+$`,
  'iu',
);

const ofParticipants = Object.values(participantPossessives).join('|');
const mentionsPeople = new RegExp(
  String.raw`${personNoun.source}|\b(?:parents|family|kids|children|twins|friends|team|neighbou?rs|guests|in-laws)\b|(?<!\p{L})(?:${ofParticipants})\s`,
  'iu',
);
const namesSomebody = new RegExp(String.raw`\s(?!Sie\b)\p{Lu}\p{Ll}|${mentionsPeople.source}`, 'u');

/** Whether a statement brings in somebody: "Her husband is a judge", "she was replaced by Omar". */
const introducesPerson = (statement: string, language: Language): boolean =>
  beginsWithPossessive(statement, language) || namesSomebody.test(statement);

/** A sentence typed without a full stop gets one, so that the next does not run into it; "Theo's 8 and" is none. */
export const withFullStop = (words: string): string =>
  /[\p{L}\p{N})"”’']$/u.test(words) && !/(?<!\p{L})(?:and|but|so|or|und|aber|y|et|mais|pero)$/iu.test(words)
    ? `${words}.`
    : words;
