import { describe, expect, test } from 'vitest';
import { clientRoutes } from '../../codegen/routes.mjs';
import * as client from '../dist/index.js';
import { scriptedServer, type Received } from './support/scripted-server.ts';
import { vectorFiles, type Exchange, type ExpectedError, type Vector } from './support/vector.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const camelKeys = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [camel(name), value]));

test('there are at least sixty vectors, and every error and every kind of failure has one', () => {
  const all = vectorFiles.flatMap(({ vectors }) => vectors);
  expect(all.length).toBeGreaterThanOrEqual(60);
  const classes = new Set(all.flatMap(({ error }) => error?.class ?? []));
  const own = Object.keys(client).filter((name) => name.endsWith('Error') && name !== 'PresageError');
  expect(own.filter((name) => !classes.has(name))).toEqual([]);
});

test('every route that the clients have methods for is asked for by a vector', () => {
  const exchanges = vectorFiles.flatMap(({ vectors }) => vectors.flatMap((vector) => vector.exchanges));
  const asked = exchanges.flatMap(({ request }) => (request ? `${request.method} ${request.path}` : []));
  const routes = clientRoutes
    .filter(({ contentType }) => contentType !== 'text/event-stream') // in their place the clients have the gRPC stream
    .map(({ method, path }) => `${method} ${path}`);
  const pattern = (route: string) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  expect(routes.filter((route) => !asked.some((each) => pattern(route).test(each)))).toEqual([]);
});

describe.each(vectorFiles)('$file', ({ vectors }) => {
  test.each(vectors)('$name', async (vector) => {
    const server = await scriptedServer(vector.exchanges);
    const pauses: number[] = [];
    const presage = new client.Presage({
      apiKey: 'presage_test',
      baseUrl: server.url,
      clock: { random: () => 0.5, pause: async (ms) => void pauses.push(ms) },
      ...camelKeys(vector.client ?? {}),
    });
    try {
      if (vector.error) await expectError(call(presage, vector), vector.error);
      else expectResult(await call(presage, vector), vector.result);
      expectRequests(server.received, vector.exchanges);
      expect(pauses).toEqual(vector.pauses_ms ?? []);
    } finally {
      await server.close();
    }
  });
});

test('an export can be stopped while it comes', async () => {
  const server = await scriptedServer([{ answer: { text: '{"id":"mem_1"}\n', stalled: true } }]);
  const presage = new client.Presage({ apiKey: 'presage_test', baseUrl: server.url });
  const stop = new AbortController();
  const lines = presage.users.export('ada', {}, { signal: stop.signal });
  expect((await lines.next()).value).toEqual({ id: 'mem_1' });
  const next = lines.next();
  stop.abort(new Error('never mind'));
  await expect(next).rejects.toThrow('never mind');
  await server.close();
});

type Taken = PromiseLike<unknown> & AsyncIterable<{ id: string }> & client.Recall;

/** Calls the method and takes of it what the vector wants. */
async function call(
  presage: client.Presage,
  { call: { method, args = [], params, options }, take }: Vector,
): Promise<unknown> {
  const path = method.split('.').map(camel);
  const group = path.slice(0, -1).reduce((at, name) => Reflect.get(at, name) as object, presage as object);
  const run = Reflect.get(group, path.at(-1)!) as (...given: unknown[]) => Taken;
  const needsParams = params !== undefined || options !== undefined;
  const given = [...args, ...(needsParams ? [params ?? {}] : []), ...(options ? [camelKeys(options)] : [])];
  const taken = run.apply(group, given);
  switch (take) {
    case 'prompt':
      return taken.prompt;
    case 'response': {
      const { response } = await taken.withResponse();
      const { status, correlationId: correlation_id, configVersion: config_version, attempts } = response;
      return { status, correlation_id, config_version, attempts };
    }
    case 'ids': {
      const ids: string[] = [];
      for await (const { id } of taken) ids.push(id);
      return ids;
    }
    default:
      return taken;
  }
}

function expectResult(result: unknown, expected: unknown): void {
  if (typeof expected === 'object' && expected !== null && !Array.isArray(expected))
    expect(result).toMatchObject(expected);
  else expect(result).toEqual(expected);
}

async function expectError(
  called: Promise<unknown>,
  { class: name, is = [], not = [], fields, ...expected }: ExpectedError,
) {
  const error: unknown = await called.then(
    (result) => expect.fail(`there is no error, but ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  );
  expect((error as Error).name).toBe(name);
  const classOf = (each: string) => Reflect.get(client, each) as typeof client.PresageError;
  for (const each of [name, 'PresageError', ...is]) expect(error).toBeInstanceOf(classOf(each));
  for (const each of not) expect(error).not.toBeInstanceOf(classOf(each));
  expect(error).toMatchObject(camelKeys(expected));
  if (fields) expect((error as client.ApiError).errors.map(({ field }) => field)).toEqual(fields);
  expect(String((error as Error).stack)).not.toContain('presage_test'); // no key in a log
}

function expectRequests(received: readonly Received[], exchanges: readonly Exchange[]): void {
  expect(received.map(({ method, path }) => `${method} ${path}`)).toHaveLength(exchanges.length);
  for (const [n, { request }] of exchanges.entries()) {
    const sent = received[n]!;
    if (!request) {
      if (n > 0) expect(essence(sent)).toEqual(essence(received[n - 1]!));
      continue;
    }
    expect({ method: sent.method, path: sent.path, query: sent.query }).toEqual({ query: {}, ...pick(request) });
    expect(sent.body).toEqual(withAnyUuid(request.body));
    for (const [name, value] of Object.entries(request.headers ?? {}))
      expect(sent.headers[name]).toEqual(value === null ? undefined : withAnyUuid(value));
  }
}

const pick = ({ method, path, query }: NonNullable<Exchange['request']>) => ({
  method,
  path,
  ...(query ? { query } : {}),
});
const essence = ({ method, path, query, body, headers }: Received) => ({
  method,
  path,
  query,
  body,
  key: headers['idempotency-key'],
});

function withAnyUuid(value: unknown): unknown {
  if (value === '$uuid') return expect.stringMatching(uuid);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withAnyUuid(inner)]));
}
