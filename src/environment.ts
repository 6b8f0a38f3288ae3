import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { modelName, readProviders, type Providers } from './providers.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const optional = z.string().min(1).optional();
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, such as http://127.0.0.1:11434/v1' })
  .optional();
const serverUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, such as http://127.0.0.1:8080' })
  .optional();

const Environment = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    GRPC_PORT: port.default(50_051),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    PRESAGE_ENV: z.enum(['development', 'production']).default('development'),
    REGION: z.enum(['us-east', 'eu-west']).default('us-east'),
    PRESAGE_DATA_DIR: z.string().min(1).default('.presage'),
    PRESAGE_API_KEY: optional,
    PRESAGE_ADMIN_TOKEN: z.string().min(16, 'must have 16 characters or more').optional(),
    API_KEY_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9]{1,15}$/, 'must be a short lower-case word')
      .default('presage'),
    MASTER_KEY: optional,
    MASTER_KEY_FILE: optional,
    WEAVIATE_URL: serverUrl,
    WEAVIATE_GRPC_URL: serverUrl,
    WEAVIATE_API_KEY: optional,
    LLM_BASE_URL: baseUrl,
    LLM_API_KEY: optional,
    LLM_MODEL: modelName.optional(),
    EMBEDDING_BASE_URL: baseUrl,
    EMBEDDING_API_KEY: optional,
    EMBEDDING_MODEL: modelName.optional(),
    PROVIDERS_FILE: optional,
  })
  .superRefine((environment, context) => {
    const key = environment.PRESAGE_API_KEY;
    if (key !== undefined && !keyShape(environment.API_KEY_PREFIX).test(key)) {
      const message = `must have the form ${environment.API_KEY_PREFIX}_<43 letters or digits>`;
      context.addIssue({ code: 'custom', path: ['PRESAGE_API_KEY'], message });
    }
    if (environment.MASTER_KEY && environment.MASTER_KEY_FILE) {
      context.addIssue({ code: 'custom', path: ['MASTER_KEY'], message: 'set this or MASTER_KEY_FILE, not both' });
    }
    for (const name of ['WEAVIATE_GRPC_URL', 'WEAVIATE_API_KEY'] as const) {
      if (environment[name] === undefined || environment.WEAVIATE_URL !== undefined) continue;
      const message = `is needed too: ${name} says more about it`;
      context.addIssue({ code: 'custom', path: ['WEAVIATE_URL'], message });
    }
    for (const kind of ['LLM', 'EMBEDDING'] as const) {
      const [url, model] = [`${kind}_BASE_URL`, `${kind}_MODEL`] as const;
      const isOn = environment[url] ?? environment[model] ?? environment[`${kind}_API_KEY`];
      for (const name of [url, model]) {
        if (isOn === undefined || environment[name] !== undefined) continue;
        const message = `is needed too: ${url} and ${model} go together`;
        context.addIssue({ code: 'custom', path: [name], message });
      }
    }
  });

/** The process settings, parsed once; everyone else receives the slice they need. */
export type Environment = z.infer<typeof Environment> & {
  /** Where the embedded default keeps what it made for its user (key, admin token, master key), outside the data. */
  readonly ownFolder: string;
  readonly providers: Providers;
};

/** What an API key looks like. */
export const keyShape = (prefix: string) => new RegExp(`^${prefix}_[0-9A-Za-z]{43}$`);

/** Throws one error that lists every mistake. Empty variables count as unset. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) throw new Error(`the environment is wrong:\n${z.prettifyError(parsed.error)}`);
  const { data } = parsed;
  return { ...data, ownFolder: ownFolderOf(data.PRESAGE_DATA_DIR), providers: readProviders(data) };
}

/** One folder for each data folder, in the user's own configuration folder. */
export function ownFolderOf(dataFolder: string): string {
  const path = resolve(dataFolder);
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return join(envPaths('presage', { suffix: '' }).config, `${basename(path).replace(/^\.+/, '')}-${mark}`);
}
