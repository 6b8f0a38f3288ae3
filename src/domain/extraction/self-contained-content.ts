import { languageOf } from '../language/sentence-language.ts';
import { endsWithQuestionMark } from '../language/sentences.ts';
import { withFullStop } from './antecedent.ts';
import type { Turn } from './candidate.ts';
import type { SelfContainedText, StatementDraft } from './draft.ts';
import { trimToClassifiedSpan } from './trim-to-classified-span.ts';
import { isOfPerson, withPersonNamed } from './pronoun-resolution.ts';
import { beginsWithInanimatePronoun, refersBack } from './referring-words.ts';
import { beforeQuestion } from './split-clauses.ts';
import type { Classification } from './statement-classifier.ts';
import { toThirdPerson } from './third-person.ts';

/** From this probability on, a statement is shown with what it needs to be understood. */
export const dependentLeast = 0.4;
/** The least for one that begins with "it": "It's hard for me to sleep" is below it, "it's due on the 14th" above. */
const referringLeast = 0.05;
/** The most words of a statement that is mostly an answer, for which `answerLeast` is enough. */
const fewWords = 3;
const answerLeast = 0.15;

/**
 * The words of a statement as somebody understands them who has not read what was said before: without discourse
 * markers, with the speaker's name, an answer with its question, "she" by name. Undefined when what it needs is not
 * known.
 */
export function selfContainedContent(
  statement: StatementDraft,
  found: Classification | undefined,
  { index }: Turn,
  { name, keepsI }: { readonly name?: string; readonly keepsI: boolean },
): SelfContainedText | undefined {
  const words = keptWords(statement, found?.span);
  const { antecedent, stated, confirms, person } = statement;
  const count = words.split(/\s+/u).length;
  const isAnswer = count <= fewWords && antecedent !== undefined && endsWithQuestionMark(antecedent.content);
  const min = isAnswer || count === 1 ? answerLeast : dependentLeast;
  const isNamed = person !== undefined && isOfPerson(words);
  const dependent = found === undefined || stated || isNamed ? 0 : found.dependent;
  const named = person ? withPersonNamed(words, person.called) : words;
  const isUnnamed =
    antecedent !== undefined && !stated && named === words && refersBack(words, languageOf(antecedent.content));
  const isDependent =
    isUnnamed || dependent >= (antecedent && beginsWithInanimatePronoun(words) ? Math.min(min, referringLeast) : min);
  const turns = confirms === undefined ? [index] : [confirms, index];
  const asHeard = (text: string) => (name && !keepsI ? toThirdPerson(text, name) : text);
  const fromWords = (content: string, citing: readonly number[]): SelfContainedText => ({
    content,
    turns: [...new Set(citing)],
    ...(content === words ? {} : { asSaid: words }),
  });
  if (!isDependent) return fromWords(asHeard(named), person && named !== words ? [...turns, person.turn] : turns);
  if (!antecedent) return undefined;
  // An answer mostly stands at the start, in front of what is said with it: "Eight, I have taken evening shifts".
  const reply = found && endsWithQuestionMark(antecedent.content) ? keptWords(statement, [0, found.span[1]]) : words;
  const answer = name && !reply.includes(name) ? `${name}: ${reply}` : reply;
  return fromWords(`${withFullStop(antecedent.content)} ${answer}`, [index, ...antecedent.turns]);
}

function keptWords(statement: StatementDraft, span: Classification['span'] | undefined): string {
  const kept = span ? trimToClassifiedSpan(statement, { span }) : statement.text;
  return endsWithQuestionMark(kept) ? beforeQuestion(kept) : kept;
}
