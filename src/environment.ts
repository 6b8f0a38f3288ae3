import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { readOpenTelemetrySettings, type OpenTelemetrySettings } from './adapters/opentelemetry/settings.ts';
import { parseMasterKey, parseNewMasterKey } from './adapters/key-vault/master-key.ts';
import { defaultRates } from './domain/tenancy/rate.ts';
import { modelNameSchema, readProviders, type Providers } from './providers.ts';

const number = z.coerce.number({ error: 'must be a number' });
const port = number.int().min(0).max(65_535);
const rate = number.int().min(1).max(1_000_000);
const optional = z.string().min(1).optional();
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
/** A refinement: the value is absent, or `parse` accepts it without throwing. */
const is = (parse: (value: string) => unknown) => (value: string | undefined) => {
  try {
    return value === undefined || Boolean(parse(value));
  } catch {
    return false;
  }
};
/** Scheme, host and port, as a browser sends them. */
const isOrigin = (text: string) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
const newMasterKey = 'must be 32 random bytes in base64 or hex, such as `openssl rand -base64 32` gives';
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
    METRICS_PORT: port.optional(),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    PRESAGE_ENV: z.enum(['development', 'production']).default('development'),
    REGION: z.enum(['us-east', 'eu-west']).default('us-east'),
    DATABASE_URL: z
      .url({ protocol: /^postgres(?:ql)?$/, error: 'must be an address such as postgres://presage@127.0.0.1/presage' })
      .optional(),
    DATABASE_POOL_SIZE: number.int().min(2).max(500).default(10),
    DATABASE_STATEMENT_TIMEOUT_SECONDS: number.int().min(5).max(600).default(30),
    COMPAT: z
      .enum(['on', 'off'])
      .default('on')
      .transform((value) => value === 'on'),
    CORS_ORIGINS: z
      .string()
      .default('')
      .transform((list) => list.split(/[\s,]+/).filter(Boolean))
      .refine(
        (origins) => origins.every(isOrigin),
        'must be origins such as https://app.example.com, with commas between',
      ),
    PRESAGE_DATA_DIR: z.string().min(1).default('.presage'),
    PRESAGE_API_KEY: optional,
    PRESAGE_ADMIN_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{16,200}$/, 'must have 16 to 200 characters of ASCII, without spaces')
      .optional(),
    API_KEY_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9]{1,15}$/, 'must be a short lower-case word')
      .default('presage'),
    MASTER_KEY: optional.refine(is(parseNewMasterKey), newMasterKey),
    MASTER_KEY_FILE: optional,
    MASTER_KEY_KMS: optional,
    MASTER_KEY_PREVIOUS: optional.refine(is(parseMasterKey), 'must be 32 bytes in base64 or hex'),
    MASTER_KEY_PREVIOUS_FILE: optional,
    MASTER_KEY_PREVIOUS_KMS: optional,
    REQUESTS_PER_MINUTE: rate.default(defaultRates.key.perMinute),
    REQUEST_BURST: rate.default(defaultRates.key.burst),
    BROWSER_REQUESTS_PER_MINUTE: rate.default(defaultRates.browserToken.perMinute),
    BROWSER_REQUEST_BURST: rate.default(defaultRates.browserToken.burst),
    STREAMS_PER_KEY: rate.default(defaultRates.streamsPerKey),
    TLS_CERT_FILE: optional,
    TLS_KEY_FILE: optional,
    TLS_TERMINATED_UPSTREAM: flag,
    WEBHOOK_ALLOW_PRIVATE: flag,
    WEAVIATE_URL: serverUrl,
    WEAVIATE_GRPC_URL: serverUrl,
    WEAVIATE_API_KEY: optional,
    LLM_BASE_URL: baseUrl,
    LLM_API_KEY: optional,
    LLM_MODEL: modelNameSchema.optional(),
    EMBEDDING_BASE_URL: baseUrl,
    EMBEDDING_API_KEY: optional,
    EMBEDDING_MODEL: modelNameSchema.optional(),
    PROVIDERS_FILE: optional,
  })
  .superRefine((environment, context) => {
    for (const [name, message] of mistakesIn(environment)) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

/** Settings that are unsafe or contradict each other; in production also defaults that leave something open. */
function* mistakesIn(environment: z.infer<typeof Environment>): Generator<readonly [name: string, message: string]> {
  const key = environment.PRESAGE_API_KEY;
  if (key !== undefined && !keyShape(environment.API_KEY_PREFIX).test(key)) {
    yield ['PRESAGE_API_KEY', `must have the form ${environment.API_KEY_PREFIX}_<43 letters or digits>`];
  }
  const input = (names: readonly (keyof typeof environment)[]) => names.filter((name) => environment[name]);
  const masterKeys = ['MASTER_KEY', 'MASTER_KEY_FILE', 'MASTER_KEY_KMS'] as const;
  const [now, before] = [
    input(masterKeys),
    input(['MASTER_KEY_PREVIOUS', 'MASTER_KEY_PREVIOUS_FILE', 'MASTER_KEY_PREVIOUS_KMS']),
  ];
  for (const [first, second] of [now, before]) {
    if (first && second) yield [first, `set this or ${second}, not both`];
  }
  const tls = input(['TLS_CERT_FILE', 'TLS_KEY_FILE']);
  if (tls.length === 1) {
    const lacking = tls[0] === 'TLS_CERT_FILE' ? 'TLS_KEY_FILE' : 'TLS_CERT_FILE';
    yield [lacking, 'is needed too: TLS_CERT_FILE and TLS_KEY_FILE go together'];
  }
  const isProduction = environment.PRESAGE_ENV === 'production';
  if (isProduction && !tls.length && !environment.TLS_TERMINATED_UPSTREAM) {
    yield [
      'TLS_CERT_FILE',
      'is needed in production, or TLS_TERMINATED_UPSTREAM=true where a proxy before this speaks TLS',
    ];
  }
  if (isProduction && !now.length) {
    yield ['MASTER_KEY', 'is needed in production, or MASTER_KEY_FILE or MASTER_KEY_KMS: none is made up there'];
  }
  if (environment.DATABASE_URL && !now.length) {
    const names = masterKeys.join(', ');
    yield ['MASTER_KEY', `one of ${names} is needed beside DATABASE_URL: every process on it opens the same data`];
  }
  for (const name of ['WEAVIATE_GRPC_URL', 'WEAVIATE_API_KEY'] as const) {
    if (environment[name] === undefined || environment.WEAVIATE_URL !== undefined) continue;
    yield ['WEAVIATE_URL', `is needed too: ${name} says more about it`];
  }
  for (const kind of ['LLM', 'EMBEDDING'] as const) {
    const [url, model] = [`${kind}_BASE_URL`, `${kind}_MODEL`] as const;
    const isOn = environment[url] ?? environment[model] ?? environment[`${kind}_API_KEY`];
    for (const name of [url, model]) {
      if (isOn === undefined || environment[name] !== undefined) continue;
      yield [name, `is needed too: ${url} and ${model} go together`];
    }
  }
}

/** The process settings, parsed once; everyone else receives the slice they need. */
export type Environment = z.infer<typeof Environment> & {
  /**
   * The folder of the embedded default for what it made for its user (key, admin token, master key), outside the data.
   */
  readonly ownFolder: string;
  readonly providers: Providers;
  /** Null: no traces are recorded, and no metrics are sent. */
  readonly openTelemetry: OpenTelemetrySettings | null;
};

/** The pattern of an API key. */
const keyShape = (prefix: string) => new RegExp(`^${prefix}_[0-9A-Za-z]{43}$`);

/** Throws one error that lists every mistake. Empty variables count as unset. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) throw new Error(`the environment is wrong:\n${z.prettifyError(parsed.error)}`);
  const { data } = parsed;
  return {
    ...data,
    ownFolder: stateFolderOf(data.PRESAGE_DATA_DIR),
    providers: readProviders(data),
    openTelemetry: readOpenTelemetrySettings(set),
  };
}

/** One folder for each data folder, in the user's own configuration folder. */
export function stateFolderOf(dataFolder: string): string {
  const path = resolve(dataFolder);
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return join(envPaths('presage', { suffix: '' }).config, `${basename(path).replace(/^\.+/, '')}-${mark}`);
}
