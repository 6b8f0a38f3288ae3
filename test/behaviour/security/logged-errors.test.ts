import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Graphql from 'graphql';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { unavailableError } from '../../../src/domain/errors.ts';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry, describeError } from '../../../src/telemetry.ts';
import { logHiddenReason } from '../../../src/transports/graphql/apollo.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import { openWorld } from '../../support/world.ts';

const world = openWorld();
/** The copy that the service has: an error of another copy is none to it. */
const { execute, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } = createRequire(import.meta.url)(
  'graphql',
) as typeof Graphql;
const word = 'Zwetschgenknoedel';
const nothing = null as unknown as Record<string, unknown>;

/** What an error says of it in a line of the log. */
function lineOf(error: unknown): string {
  let line = '';
  const write = (text: string) => void (line = text);
  pino({ serializers: { error: describeError } }, { write }).error({ error }, 'failed');
  return line;
}
const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

const insertTwice = async () => {
  const row = { instanceNumber: 1n, userId: word, lastAt: new Date() };
  for (let n = 0; n < 2; n++) {
    await world.deps.db.$executeRaw`
      INSERT INTO user_activity (i, user_id, last_at) VALUES (${row.instanceNumber}, ${row.userId}, ${row.lastAt})`;
  }
};

test.each<{ quoted: string; by: () => unknown }>([
  { quoted: 'a JSON text that is broken', by: () => JSON.parse(word) as unknown },
  { quoted: 'a value of a unique index', by: insertTwice },
  { quoted: 'a value that is cast', by: () => world.deps.db.$queryRaw`SELECT ${word}::text::uuid` },
  { quoted: 'an argument of Prisma', by: () => world.deps.db.client.findMany({ where: { [word]: 1 } as never }) },
  { quoted: 'a value that a schema refuses', by: () => z.strictObject({}).parse({ [word]: 1 }) },
  { quoted: 'a time zone', by: () => new Intl.DateTimeFormat('en', { timeZone: word }) },
  { quoted: 'the name of a member', by: () => nothing[word] },
  { quoted: 'a URL', by: () => fetch(`no scheme ${word}`) },
  { quoted: 'a header', by: () => new Headers({ a: `${word}\0` }) },
])('$quoted that an error quotes is in no line of the log', async ({ by }) => {
  const error = await thrownBy(by);
  const wrapped = new Error('an ingestion failed', { cause: new Error('in a transaction', { cause: error }) });
  expect(JSON.stringify([(error as Error).message, (error as Error).cause, error])).toContain(word);
  for (const line of [lineOf(error), lineOf(wrapped)]) expect(line).not.toContain(word);
});

test('an error that our own code threw is logged with its message', async () => {
  const { access } = await world.instance();
  const error = await thrownBy(() => access.keys.open('memory.content', 'x', Buffer.of(9)));
  expect(lineOf(new SyntaxError(word, { cause: error }))).toContain('unknown seal version in memory.content');
});

test('a message that looks like a stack is no part of one', () => {
  const line = lineOf(new SyntaxError(`broken\n    at ${word} (a.ts:1:1)\n    at ${word}`));
  expect(line).not.toContain(word);
  expect(line).toContain('logged-errors.test.ts');
});

test('an internal error of GraphQL is told by the field of the schema, not by the alias of its caller', async () => {
  const memory = { type: GraphQLString, resolve: () => JSON.parse(word) as string };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { memory } }) });
  const { errors } = await execute({ schema, document: parse(`query ${word} { ${word}: memory }`) });
  let line = '';
  const log = pino({ serializers: { error: describeError } }, { write: (text: string) => void (line = text) });
  logHiddenReason(log, errors?.[0], 'c-1');
  expect(JSON.parse(line)).toMatchObject({ error: { name: 'SyntaxError' }, field: 'memory', correlation_id: 'c-1' });
  expect(line).not.toContain(word);
});

const refusedConnection = () =>
  unavailableError('the database does not answer', Object.assign(new Error(word), { code: 'ECONNREFUSED' }));

test('the reason of a 503 is logged beside its correlation id, and is not told', async ({ onTestFinished }) => {
  const { app, deps } = world;
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  const logged = vi.spyOn(telemetry.log, 'error');
  const server = createHttpServer({ app, telemetry, idempotency: createIdempotency(deps.db), mount: [] });
  onTestFinished(() => server.close());
  const outage = vi.spyOn(app, 'checkReady').mockRejectedValue(refusedConnection());
  onTestFinished(() => outage.mockRestore());
  const answer = await server.inject('/ready');
  expect(answer.statusCode).toBe(503);
  expect(answer.body).not.toContain('ECONNREFUSED');
  const line = logged.mock.calls.map(([fields]) => fields as { error?: unknown }).find(({ error }) => error);
  expect(line).toMatchObject({ route: '/ready', correlation_id: answer.json<Record<string, string>>().correlation_id });
  expect(JSON.parse(lineOf(line?.error))).toMatchObject({ error: { cause: { code: 'ECONNREFUSED' } } });
});

test('what is tried again in a moment says once in ten seconds that a store is away', ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  const [warned, failed] = [vi.spyOn(telemetry.log, 'warn'), vi.spyOn(telemetry.log, 'error')];
  const lookForASecond = () => {
    telemetry.logRecurring(refusedConnection(), 'could not look');
    vi.advanceTimersByTime(1_000);
  };
  for (let second = 0; second < 11; second++) lookForASecond();
  expect(warned).toHaveBeenCalledTimes(2);
  telemetry.logRecurring(refusedConnection(), 'could not save');
  expect(warned).toHaveBeenCalledTimes(3);
  for (let n = 0; n < 2; n++) telemetry.logRecurring(new TypeError(word), 'could not look');
  expect(failed, 'a fault of ours is told each time').toHaveBeenCalledTimes(2);
});

test.each([
  { what: 'an error', script: `queueMicrotask(() => JSON.parse('${word}'))` },
  { what: 'a rejection', script: `void Promise.reject(new SyntaxError('${word}'))` },
  { what: 'a rejection without an error', script: `void Promise.reject('${word}')` },
])('$what that nobody catches ends the process with a line that quotes nobody', async ({ script }) => {
  const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
  const program = `
    import { logUncaught } from '${dist}/processes/log-uncaught.js';
    import { createTelemetry } from '${dist}/telemetry.js';
    logUncaught(createTelemetry({ level: 'info', process: 'test' }));
    setInterval(() => undefined, 1_000);
    ${script}`;
  const { code, printed } = await new Promise<{ code: number | null; printed: string }>((resolve) => {
    const child = execFile(process.execPath, ['--input-type=module', '-e', program], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, printed: stdout + stderr }),
    );
  });
  expect(code).toBe(1);
  expect(printed).toContain('nobody caught this error');
  expect(printed).not.toContain(word);
});
