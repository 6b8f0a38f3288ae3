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

/** To be used where a JSON schema is made that models are held to. */
export function dropUnsupportedKeywords(jsonSchema: object): void {
  for (const name of refused) delete (jsonSchema as Record<string, unknown>)[name];
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

export interface ModelQuestion<T> extends ModelCallOptions {
  readonly messages: readonly ModelMessage[];
  /** JSON schema of the answer, an object. */
  readonly schema: object;
  readonly read: (text: string) => AnswerParse<T>;
  /** An invalid answer is shown to the model again, up to this many characters. */
  readonly shownChars: number;
}

/** One try, and one more with what was wrong with the first; null when neither can be used, or none came in time. */
export async function askWithRetry<T>(model: LanguageModel, question: ModelQuestion<T>): Promise<T | null> {
  const { schema, read, shownChars, signal, used } = question;
  const messages = [...question.messages];
  try {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const text = await model.answer(messages, { schema, signal, used });
      const said = read(text);
      if ('answer' in said) return said.answer;
      messages.push(
        { role: 'assistant', content: text.slice(0, shownChars) },
        { role: 'user', content: `That answer cannot be used.\n${said.wrong}\nAnswer again, with JSON of the schema.` },
      );
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof DomainError)) throw error;
  }
  return null;
}
