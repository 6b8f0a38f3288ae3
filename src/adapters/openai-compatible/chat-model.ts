import { z } from 'zod';
import type { LanguageModel } from '../../domain/extraction/language-model.ts';
import { withTraceSpan, type SpanAttributes } from '../../tracing.ts';
import { unavailableError } from '../../domain/errors.ts';
import { callSpanAttributes, Endpoint, EndpointRefusal, type EndpointSettings } from './endpoint.ts';

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z
    .object({
      prompt_tokens: z.number().int().nonnegative().default(0),
      completion_tokens: z.number().int().nonnegative().default(0),
    })
    .nullish(),
});

const withinMs = 60_000;

/** The ways of asking a server for JSON, strictest first. */
const formats = ['schema', 'object', 'plain'] as const;

/** A model behind `/chat/completions`; what its server refuses of the request is left out from then on. */
export function chatModel(settings: EndpointSettings): LanguageModel {
  const endpoint = new Endpoint(settings);
  const limitMs = settings.timeoutMs ?? withinMs;
  let taken = { format: 0, temperature: true };

  async function ask(
    messages: Parameters<LanguageModel['answer']>[0],
    schema: object,
    signal: AbortSignal,
    trying = taken,
  ): Promise<unknown> {
    const format = formats[trying.format]!;
    const body = {
      model: settings.model,
      messages,
      ...(trying.temperature ? { temperature: 0 } : {}),
      ...(format === 'schema' ? { response_format: schemaFormat(schema) } : {}),
      ...(format === 'object' ? { response_format: { type: 'json_object' } } : {}),
    };
    try {
      const answer = await endpoint.post('chat/completions', body, { withinMs: limitMs, signal });
      taken = trying;
      return answer;
    } catch (error) {
      if (!(error instanceof EndpointRefusal)) throw error;
      const less = without(error, trying);
      if (!less) throw unavailableError(error.message);
      return ask(messages, schema, signal, less);
    }
  }

  return {
    model: settings.model,
    async answer(messages, { schema, signal, used }) {
      const { choices, usage } = await withTraceSpan(
        `chat ${settings.model}`,
        { kind: 'client', attributes: () => callSpanAttributes('chat', settings), resultAttributes: usageOf },
        async () => {
          const parsed = Completion.safeParse(await ask(messages, schema, signal));
          if (parsed.success) return parsed.data;
          throw unavailableError('the provider answered with something else than a completion');
        },
      );
      if (usage) used({ input: usage.prompt_tokens, output: usage.completion_tokens });
      return choices[0]!.message.content ?? '';
    },
  };
}

const usageOf = ({ usage }: z.output<typeof Completion>): SpanAttributes =>
  usage
    ? { 'gen_ai.usage.input_tokens': usage.prompt_tokens, 'gen_ai.usage.output_tokens': usage.completion_tokens }
    : {};

const schemaFormat = (schema: object) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', strict: true, schema },
});

/** The next try, without the parameter that was refused, else the strictest format; null when nothing is left. */
function without({ status, about }: EndpointRefusal, tried: { format: number; temperature: boolean }) {
  if (![400, 404, 415, 422].includes(status)) return null;
  if (tried.temperature && /temperature/i.test(about)) return { ...tried, temperature: false };
  return tried.format + 1 < formats.length ? { ...tried, format: tried.format + 1 } : null;
}
