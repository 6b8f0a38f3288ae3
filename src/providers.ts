import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { EndpointSettings } from './adapters/openai-compatible/endpoint.ts';
import { builtInProviders } from './domain/configurations/configuration.ts';

/** Stored with every vector, so not of any length. */
export const modelNameSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');

const Provider = z.strictObject({
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  api_key: z.string().min(1).optional(),
  model: modelNameSchema,
  timeout_seconds: z.number().positive().max(600).optional(),
});
const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be a word in lower case')
  .refine((value) => !(builtInProviders as readonly string[]).includes(value), 'is taken');
const ProvidersFile = z.strictObject({
  extraction: z.record(name, Provider).default({}),
  embedding: z.record(name, Provider).default({}),
});

/** The endpoints of a deployment, by the names that configurations use. */
export interface Providers {
  readonly extraction: ReadonlyMap<string, EndpointSettings>;
  readonly embedding: ReadonlyMap<string, EndpointSettings>;
}

/** `default` is what LLM_ and EMBEDDING_ say, others stand in PROVIDERS_FILE. Throws with the field at fault. */
export function readProviders(environment: {
  readonly [variable in `${'LLM' | 'EMBEDDING'}_${'BASE_URL' | 'API_KEY' | 'MODEL'}` | 'PROVIDERS_FILE']?:
    | string
    | undefined;
}): Providers {
  const file = environment.PROVIDERS_FILE ? readFile(environment.PROVIDERS_FILE) : { extraction: {}, embedding: {} };
  const of = (kind: 'LLM' | 'EMBEDDING', named: Record<string, z.infer<typeof Provider>>) => {
    const [baseUrl, model] = [environment[`${kind}_BASE_URL`], environment[`${kind}_MODEL`]];
    const usual = baseUrl && model ? [['default', { baseUrl, model, apiKey: environment[`${kind}_API_KEY`] }]] : [];
    const others = Object.entries(named).map(([each, provider]) => [each, settingsOf(provider)]);
    return new Map([...usual, ...others] as [string, EndpointSettings][]);
  };
  return { extraction: of('LLM', file.extraction), embedding: of('EMBEDDING', file.embedding) };
}

const settingsOf = (provider: z.infer<typeof Provider>): EndpointSettings => ({
  baseUrl: provider.base_url,
  apiKey: provider.api_key,
  model: provider.model,
  timeoutMs: provider.timeout_seconds && provider.timeout_seconds * 1_000,
});

function readFile(path: string): z.infer<typeof ProvidersFile> {
  const parsed = ProvidersFile.safeParse(jsonOf(path));
  if (!parsed.success) throw new Error(`the environment is wrong:\nPROVIDERS_FILE: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Parses a JSON file. Errors leave out the parser's message, which would quote the file, and with it a key. */
function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error('the environment is wrong:\nPROVIDERS_FILE: must name a file of JSON');
  }
}
