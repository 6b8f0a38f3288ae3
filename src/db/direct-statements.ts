import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import { types, type ClientBase, type Pool, type PoolClient, type QueryConfig } from 'pg';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

/** The tags of Prisma's client that run our own statements, here without the client in between. */
type Statements = Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>;

/** A transaction, and the connection that it has until it is over; another may have that one from then on. */
interface Begun {
  connection?: PoolClient;
  isOver: boolean;
}

/**
 * A client of Prisma whose `$queryRaw` and `$executeRaw` go to the driver by themselves, in a transaction to its
 * connection: they are most of what we ask, and Prisma's client adds 0.2 to 0.8 ms to each, which is as long as most
 * take on the embedded Postgres. `open` makes the client on the pool it is given.
 */
export function sendStatementsDirectly(pool: Pool, open: (pool: Pool) => PrismaClient): PrismaClient {
  const client = open(pool);
  const connections = new TellingConnections(pool);
  // It begins transactions and does nothing else: a client takes connections of its own accord, too, such as for a
  // statement with more values than one may have.
  const beginning = open(connections.pool);
  const begin = beginning.$transaction.bind(beginning) as Begin;
  const $disconnect = async () => void (await Promise.all([client.$disconnect(), beginning.$disconnect()]));
  const $transaction: Begin = (work, options) =>
    connections.tellTo((begun) => begin((tx) => work(withReplacedMembers(tx, statementsOn(during(begun)))), options));
  return withReplacedMembers(client, { ...statementsOn(pool), $transaction, $disconnect });
}

type Begin = (work: (tx: Prisma.TransactionClient) => Promise<unknown>, options?: object) => Promise<unknown>;

/**
 * A pool that tells a transaction the connection that Prisma's client takes for it. Transactions come to ask for theirs
 * one after the other, so that it is known which asks: an `AsyncLocalStorage` would tell that too, and makes every promise
 * of the process dearer.
 */
class TellingConnections {
  readonly pool: Pool;
  readonly #inTurn = pLimit(1);
  #asking: ((connecting: Promise<PoolClient>) => Promise<PoolClient>) | undefined;

  constructor(pool: Pool) {
    this.pool = Object.create(pool, {
      query: { value: pool.query.bind(pool) },
      connect: {
        value: () => {
          const tell = this.#asking;
          this.#asking = undefined;
          return tell ? tell(pool.connect()) : pool.connect();
        },
      },
    }) as Pool;
  }

  /** Tells it what `begin` asks for, while the next one begins. */
  async tellTo<T>(begin: (begun: Begun) => Promise<T>): Promise<T> {
    const begun: Begun = { isOver: false };
    let ended: Promise<T> | undefined;
    await this.#inTurn(async () => {
      const asked = new Promise<void>((resolve) => {
        this.#asking = async (connecting) => {
          resolve();
          return untilOver(begun, await connecting);
        };
      });
      try {
        ended = begin(begun);
        await Promise.race([asked, ended.catch(() => undefined)]); // it may fail before it asks
      } finally {
        this.#asking = undefined;
      }
    });
    return ended!;
  }
}

/**
 * The connection that Prisma's client begins and ends a transaction on; it may end a slow one while the work goes on.
 */
function untilOver(begun: Begun, connection: PoolClient): PoolClient {
  begun.connection = connection;
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  return withReplacedMembers(connection, {
    query: (...args: [string | QueryConfig, ...unknown[]]) => {
      const [sent] = args;
      if (/^(?:COMMIT|ROLLBACK)$/i.test(typeof sent === 'string' ? sent : sent.text)) begun.isOver = true;
      return query(...args);
    },
    release: (error?: Error | boolean) => {
      begun.isOver = true;
      connection.release(error);
    },
  });
}

/** A view of an object with some parts replaced; Prisma's client cannot be written to. */
export const withReplacedMembers = <T extends object>(whole: T, parts: object): T =>
  new Proxy(whole, {
    get: (target, name): unknown => Reflect.get(Object.hasOwn(parts, name) ? parts : target, name),
  });

const statementsOn = (connection: Pick<ClientBase, 'query'>) => {
  const run = async (query: TemplateStringsArray | Prisma.Sql, input: readonly unknown[]) => {
    const { text, values } = 'raw' in query ? Prisma.sql(query, ...input) : query;
    // Prepared once for a connection: on the embedded Postgres, parsing a statement takes as long as running it.
    return connection.query({ name: hash('sha1', text), text, values, types: parsers });
  };
  return {
    $queryRaw: async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await run(query, values)).rows,
    $executeRaw: async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await run(query, values)).rowCount ?? 0,
  } as unknown as Statements; // which promises laziness too: nobody may rely on it
};

/** The transaction's connection, until it is over. Statements issued together are sent together, and run in order. */
const during = (begun: Begun): Pick<ClientBase, 'query'> => ({
  query: (async (config: QueryConfig) => {
    if (begun.isOver) throw itIsOver();
    return begun.connection!.query(config);
  }) as ClientBase['query'],
});

/** The error that Prisma's client throws for its own statements. */
const itIsOver = () =>
  new Prisma.PrismaClientKnownRequestError('the transaction is over: it took too long, or was not waited for', {
    code: 'P2028',
    clientVersion: Prisma.prismaVersion.client,
  });

type Parse = (text: string) => unknown;
const parserOf = types.getTypeParser as (oid: number, format?: 'text' | 'binary') => Parse;
const { INT8, DATE, BYTEA } = types.builtins;
const [bigints, texts, byteas] = [1016, 1009, 1001]; // the driver has no names for arrays
/** Parses values as Prisma's client does: bigints for `bigint`, plain bytes, dates at midnight UTC. */
const own = new Map<number, Parse>([
  [INT8, BigInt],
  [bigints, (text) => (parserOf(texts)(text) as (string | null)[]).map((each) => each && BigInt(each))],
  [DATE, (text) => new Date(`${text}T00:00:00Z`)],
  [BYTEA, (text) => new Uint8Array(parserOf(BYTEA)(text) as Buffer)],
  [byteas, (text) => (parserOf(byteas)(text) as (Buffer | null)[]).map((each) => each && new Uint8Array(each))],
]);
const parsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && own.get(oid)) || parserOf(oid, format),
};
