import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Graphql from 'graphql';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeError } from '../../../src/telemetry.ts';
import { logInternal } from '../../../src/transports/graphql/apollo.ts';
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
  const log = pino({}, { write: (text: string) => void (line = text) });
  logInternal(log, errors?.[0], 'c-1');
  expect(JSON.parse(line)).toMatchObject({ name: 'SyntaxError', field: 'memory', correlation_id: 'c-1' });
  expect(line).not.toContain(word);
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
