import { z } from 'zod';
import { DomainError } from '../errors.ts';
import type { LanguageModel, ModelCallOptions, ModelMessage } from './language-model.ts';

/** Keywords of JSON Schema that providers refuse in a schema for models; `parseAnswer` checks the answer for them. */
const refused = [
  '$schema',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'pattern',
  'default',
];

/** An instruction to a model, and the schema that its answer is held to. */
export interface ModelQuestion<Answer extends z.ZodType> {
  readonly answer: Answer;
  /** JSON schema of the answer, an object. */
  readonly schema: object;
  readonly instructions: string;
  /** An invalid answer is shown to the model again, up to this many characters. */
  readonly shownChars: number;
}

/** A question whose instructions end with the schema of the answer. */
export function defineQuestion<Answer extends z.ZodType>({
  answer,
  instructions,
  shownChars,
}: Omit<ModelQuestion<Answer>, 'schema'>): ModelQuestion<Answer> {
  const schema = z.toJSONSchema(answer, {
    override({ jsonSchema }) {
      for (const name of refused) delete (jsonSchema as Record<string, unknown>)[name];
    },
  });
  const ending = `Answer with JSON of this schema and nothing else:\n${JSON.stringify(schema)}`;
  return { answer, schema, instructions: `${instructions}\n\n${ending}`, shownChars };
}

/** A model's parsed answer, or what is wrong with it in words for the model. */
export type AnswerParse<T> = { readonly answer: T } | { readonly wrong: string };

const errorChars = 2_000;

export function parseAnswer<S extends z.ZodType>(schema: S, text: string): AnswerParse<z.output<S>> {
  let json: unknown;
  try {
    json = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)); // some put it into prose or a fence
  } catch {
    return { wrong: 'It is not JSON.' };
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { answer: parsed.data } : { wrong: z.prettifyError(parsed.error).slice(0, errorChars) };
}

/** How a question is asked about one text, and what else is checked of an answer that fits the schema. */
export interface Asking<Answer, T> extends ModelCallOptions {
  readonly text: string;
  readonly check: (answer: Answer) => AnswerParse<T>;
}

/** Null where there is no answer that can be used; `isRefused`: one came. */
export interface ModelReply<T> {
  readonly answer: T | null;
  readonly isRefused: boolean;
}

/** One try, and one more with what was wrong with the first, unless none comes in time. */
export async function askWithRetry<Answer extends z.ZodType, T>(
  model: LanguageModel,
  { answer, schema, instructions, shownChars }: ModelQuestion<Answer>,
  { text, check, signal, used }: Asking<z.output<Answer>, T>,
): Promise<ModelReply<T>> {
  const messages: ModelMessage[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: text },
  ];
  let isRefused = false;
  try {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const told = await model.answer(messages, { schema, signal, used });
      const parsed = parseAnswer(answer, told);
      const said = 'answer' in parsed ? check(parsed.answer) : parsed;
      if ('answer' in said) return { answer: said.answer, isRefused: false };
      isRefused = true;
      messages.push(
        { role: 'assistant', content: told.slice(0, shownChars) },
        { role: 'user', content: `That answer cannot be used.\n${said.wrong}\nAnswer again, with JSON of the schema.` },
      );
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof DomainError)) throw error;
  }
  return { answer: null, isRefused };
}
