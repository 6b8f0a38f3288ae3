import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Pool, type QueryConfig, type QueryResult } from 'pg';

/** A line of `src` that sent a statement past Prisma's client, with the columns that the database answered with. */
export interface SentStatement {
  readonly file: string;
  readonly line: number;
  /** The type of each column, as the number that Postgres has for it. */
  readonly columns: Readonly<Record<string, number>>;
}

interface Queries {
  query(...given: unknown[]): unknown;
}

export const root = resolve(import.meta.dirname, '../../..');
const driver: Queries[] = [Client.prototype, Pool.prototype];

/** Every statement that the service sends past Prisma's client while `work` runs, each kind of answer once. */
export async function sentDuring(work: () => Promise<void>): Promise<SentStatement[]> {
  const sent = new Map<string, SentStatement>();
  const originals = driver.map(({ query }) => query);
  for (const prototype of driver) {
    const { query } = prototype;
    prototype.query = function (this: unknown, ...given) {
      const answering = query.apply(this, given);
      if (!isOurs(given)) return answering;
      const place = sender();
      const note = ({ fields }: QueryResult) => {
        const statement = { ...place, columns: Object.fromEntries(fields.map((each) => [each.name, each.dataTypeID])) };
        sent.set(JSON.stringify(statement), statement);
      };
      (answering as Promise<QueryResult>).then(note, () => undefined);
      return answering;
    };
  }
  try {
    await work();
  } finally {
    driver.forEach((prototype, n) => (prototype.query = originals[n]!));
  }
  return [...sent.values()];
}

/**
 * Statements that are sent past Prisma's client are named by a hash of their text; its own have no name. The pool hands
 * them on to a connection with a callback: that is the same statement once more.
 */
const isOurs = ([sent, ...rest]: unknown[]) =>
  rest.length === 0 && /^[0-9a-f]{40}$/.test((sent as QueryConfig | undefined)?.name ?? '');

/** The line of `src` that called `$queryRaw` or `$executeRaw`, from the stack and the source map of what is compiled. */
function sender(): Pick<SentStatement, 'file' | 'line'> {
  const frames = new Error().stack!.split('\n').filter((frame) => frame.includes(`${root}/dist/`));
  const caller = frames.find((frame) => !/[/]db[/](?:direct-statements|outage)[.]js:/.test(frame));
  const [, url, line, column] = /((?:file:)?[/].*?):(\d+):(\d+)[)]?$/.exec(caller ?? '') ?? [];
  if (!url) throw new Error(`no file of ours sent this statement:\n${frames.join('\n')}`);
  const compiled = url.startsWith('file:') ? fileURLToPath(url) : url;
  const origin = mapOf(compiled).findOrigin(Number(line), Number(column));
  if (!('fileName' in origin)) throw new Error(`${compiled}:${line} stands in no source`);
  return { file: relative(root, resolve(compiled, '..', origin.fileName)), line: origin.lineNumber };
}

const maps = new Map<string, SourceMap>();

function mapOf(compiled: string): SourceMap {
  const map = maps.get(compiled) ?? new SourceMap(JSON.parse(readFileSync(`${compiled}.map`, 'utf8')));
  maps.set(compiled, map);
  return map;
}
