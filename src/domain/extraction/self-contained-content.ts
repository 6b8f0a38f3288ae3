import type { Turn } from './candidate.ts';
import { withoutLeadIn } from './clauses.ts';
import type { SelfContainedText, StatementDraft } from './draft.ts';
import { beforeQuestion } from './split-sentences.ts';
import type { Classification } from './statement-classifier.ts';
import { toThirdPerson } from './third-person.ts';

/** From this probability on, a statement is shown with what it needs to be understood. */
export const dependentLeast = 0.4;
/** So few words behind a question are mostly its answer, and say little by themselves: for them less is enough. */
const fewWords = 3;
const answerLeast = 0.15;

/**
 * The words of a statement as somebody understands them who has not read what was said before: without a lead-in, with
 * the speaker's name, an answer with its question. Undefined when what it needs is not known.
 */
export function selfContainedContent(
  statement: StatementDraft,
  found: Classification | undefined,
  { index }: Turn,
  { name, keepsI }: { readonly name?: string; readonly keepsI: boolean },
): SelfContainedText | undefined {
  const kept = found ? keptWords(statement, found) : statement.text;
  const words = kept.endsWith('?') ? beforeQuestion(kept) : kept;
  const { antecedent, stated, confirms } = statement;
  const count = words.split(/\s+/u).length;
  const isAnswer = count <= fewWords && antecedent?.content.endsWith('?') === true;
  const least = isAnswer || count === 1 ? answerLeast : dependentLeast;
  const isDependent = found !== undefined && !stated && found.dependent >= least;
  const turns = confirms === undefined ? [index] : [confirms, index];
  if (!isDependent) return { content: name && !keepsI ? toThirdPerson(words, name) : words, turns };
  if (!antecedent) return undefined;
  const answer = name && !words.includes(name) ? `${name}: ${words}` : words;
  return { content: `${antecedent.content} ${answer}`, turns: [...new Set([index, ...antecedent.turns])] };
}

/** The span that the model keeps; all of the clause where that is nearly the same. */
function keptWords(
  { utterance, nameWords, text, stated }: StatementDraft,
  { span: [from, to] }: Classification,
): string {
  const words = utterance.text.split(/\s+/u).filter(Boolean);
  const own = text.split(/\s+/u).filter(Boolean);
  const kept = words.slice(...withNegation(words, Math.max(from, nameWords), to));
  // A form was read from the whole clause, and so was what it says.
  if (stated || kept.length === 0 || kept.length >= own.length) return text;
  return trimmed(kept.join(' ')) || text;
}

/** Without a mark behind it: "No, I love them" answers, and "No me gusta" denies. */
const denying = /^(?:no|not|never|nunca|jamás|tampoco|nicht|nie|niemals|kein\p{L}*|ne)$/iu;
/** At the end of what is said: "Ich mag Koriander nicht", "Je n'en veux plus". */
const denyingLast = /^(?:nicht|nie|niemals|pas|plus|jamais)[.!]*$/iu;
/** "no i love them": an answer all the same. */
const subject = /^(?:i|we|you|he|she|it|they|my|our|the|im|ive)\b/iu;

/** The places of a span, and of a word beside it that denies what it says. */
function withNegation(words: readonly string[], from: number, to: number): [number, number] {
  const [before = '', first = '', last = '', after = ''] = [words[from - 1], words[from], words[to - 1], words[to]];
  const isDeniedBefore = denying.test(before) && !subject.test(first);
  const isDeniedLast = to === words.length - 1 && denyingLast.test(after) && !/[.,;:!?]$/u.test(last);
  return [isDeniedBefore ? from - 1 : from, isDeniedLast ? to + 1 : to];
}

const trimmed = (words: string): string =>
  withoutLeadIn(words.replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/gu, '').replace(/^(?:and|but|so|because|that)\s+/iu, '')).rest;
