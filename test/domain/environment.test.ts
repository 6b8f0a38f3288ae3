import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnvironment } from '../../src/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'presage-environment-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (content: unknown) => {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

test('providers come from the variables, and more of them from a file', () => {
  const file = fileOf({
    extraction: { careful: { base_url: 'https://models.example/v1', model: 'large', timeout_seconds: 90 } },
    embedding: { near: { base_url: 'http://127.0.0.1:8081/v1', api_key: 'key', model: 'small' } },
  });
  const { providers } = readEnvironment({
    LLM_BASE_URL: 'http://127.0.0.1:11434/v1',
    LLM_MODEL: 'tiny',
    PROVIDERS_FILE: file,
  });
  expect(Object.fromEntries(providers.extraction)).toMatchObject({
    default: { baseUrl: 'http://127.0.0.1:11434/v1', model: 'tiny' },
    careful: { baseUrl: 'https://models.example/v1', model: 'large', timeoutMs: 90_000 },
  });
  expect([...providers.embedding.keys()]).toEqual(['near']);
});

const provider = { base_url: 'http://127.0.0.1:8081/v1', api_key: 'sk-not-to-be-told', model: 'small' };

test.each([
  {
    case: 'a token that no header can carry',
    set: { PRESAGE_ADMIN_TOKEN: 'two words of a token' },
    says: /without spaces/,
  },
  { case: 'a model without an address', set: { LLM_MODEL: 'tiny' }, says: /LLM_BASE_URL and LLM_MODEL go together/ },
  { case: 'an address without a model', set: { EMBEDDING_BASE_URL: 'http://127.0.0.1/v1' }, says: /EMBEDDING_MODEL/ },
  { case: 'a key alone', set: { LLM_API_KEY: 'sk-not-to-be-told' }, says: /LLM_BASE_URL[\s\S]*LLM_MODEL/ },
  { case: 'an address of another kind', set: { LLM_BASE_URL: 'ftp://a/v1', LLM_MODEL: 'm' }, says: /http or https/ },
  { case: 'no address', set: { LLM_BASE_URL: 'models', LLM_MODEL: 'm' }, says: /http or https/ },
  { case: 'a vector store that is no address', set: { WEAVIATE_URL: 'weaviate:8080' }, says: /WEAVIATE_URL/ },
  { case: 'a key for a vector store alone', set: { WEAVIATE_API_KEY: 'sk-not-to-be-told' }, says: /WEAVIATE_URL/ },
  { case: 'a file that is not there', set: { PROVIDERS_FILE: join(folder, 'none') }, says: /PROVIDERS_FILE/ },
  {
    case: 'a file that is no JSON',
    file: '{"key": "sk-not-to-be-told"',
    says: /PROVIDERS_FILE: must name a file of JSON/,
  },
  {
    case: 'a provider without a model',
    file: { embedding: { near: { ...provider, model: undefined } } },
    says: /near/,
  },
  { case: 'a name that is taken', file: { embedding: { default: provider } }, says: /PROVIDERS_FILE/ },
  {
    case: 'a database without a key for all processes on it',
    set: { DATABASE_URL: 'postgres://presage:sk-not-to-be-told@db/presage' },
    says: /MASTER_KEY_FILE.* is needed beside DATABASE_URL/,
  },
  {
    case: 'a database of another kind',
    set: { DATABASE_URL: 'mysql://root:sk-not-to-be-told@db/x' },
    says: /postgres:/,
  },
  { case: 'a field that is unknown', file: { extraction: { near: { ...provider, url: 'x' } } }, says: /url/ },
])('$case is a clear mistake, and no key is told', ({ set, file, says }) => {
  const variables: NodeJS.ProcessEnv = set ?? { PROVIDERS_FILE: fileOf(file) };
  let message = '';
  try {
    readEnvironment(variables);
  } catch (error) {
    ({ message } = error as Error);
  }
  expect(message).toMatch(says);
  expect(message).not.toContain('sk-not');
});

const random = randomBytes(32).toString('base64');
const tls = { TLS_CERT_FILE: '/run/tls.crt', TLS_KEY_FILE: '/run/tls.key' };

test.each([
  {
    case: 'production without TLS',
    set: { MASTER_KEY: random },
    says: /TLS_TERMINATED_UPSTREAM=true[\s\S]*TLS_CERT_FILE/,
  },
  { case: 'production without a master key', set: tls, says: /none is made up there[\s\S]*MASTER_KEY/ },
  {
    case: 'a master key that was typed',
    set: { ...tls, MASTER_KEY: Buffer.from('secretsecretsecretsecretsecretse').toString('base64') },
    says: /32 random bytes/,
  },
  { case: 'a master key of 16 bytes', set: { ...tls, MASTER_KEY: randomBytes(16).toString('hex') }, says: /32 random/ },
  { case: 'two master keys', set: { ...tls, MASTER_KEY: random, MASTER_KEY_KMS: 'alias/presage' }, says: /not both/ },
  {
    case: 'a certificate without its key',
    set: { TLS_CERT_FILE: '/run/tls.crt', MASTER_KEY: random },
    says: /TLS_KEY_FILE/,
  },
])('$case: the service refuses to start, and tells why', ({ set, says }) => {
  expect(() => readEnvironment({ PRESAGE_ENV: 'production', ...set })).toThrow(says);
});

test.each([
  { case: 'with a certificate', set: tls },
  { case: 'behind a proxy that speaks TLS', set: { TLS_TERMINATED_UPSTREAM: 'true' } },
])('production $case and a master key starts', ({ set }) => {
  expect(readEnvironment({ PRESAGE_ENV: 'production', MASTER_KEY: random, ...set })).toMatchObject({
    PRESAGE_ENV: 'production',
  });
});

test('nothing is traced unless a collector is named, whatever else is said of it', () => {
  expect(readEnvironment({}).openTelemetry).toBeNull();
  expect(
    readEnvironment({ OTEL_TRACES_SAMPLER: 'xray', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).openTelemetry,
  ).toBeNull();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(readEnvironment({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).openTelemetry).toBeNull();
  expect(readEnvironment(endpoint).openTelemetry).toMatchObject({
    protocol: 'http/protobuf',
    sampler: 'parentbased_always_on',
    capturesText: false,
  });
  const settings = { OTEL_TRACES_SAMPLER_ARG: '0.1', OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY' };
  expect(readEnvironment({ ...endpoint, ...settings }).openTelemetry).toMatchObject({
    sampledShare: 0.1,
    capturesText: true,
  });
  expect(() => readEnvironment({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/port 4318; grpc is not/);
});
