import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, transaction, type Database, type Tx } from '../../src/db/database.ts';
import { ownServer } from '../support/own-server.ts';

const own = ownServer();
let database: Database;
class Away extends Error {}
beforeAll(async () => {
  await own.server.query('CREATE DATABASE locks');
  const outage = (cause: unknown) => new Away('away', { cause });
  database = await openDatabase({ url: own.server.urlOf('locks'), poolSize: 3, name: 'test' }, outage);
  await database.db.$executeRaw`CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL)`;
  await database.db.$executeRaw`INSERT INTO counter VALUES (1, 0), (2, 0)`;
});
afterAll(() => database.close());

const raise = (tx: Tx, id: number) => tx.$executeRaw`UPDATE counter SET n = n + 1 WHERE id = ${id}`;
const counts = () => database.db.$queryRaw<{ n: number }[]>`SELECT n FROM counter ORDER BY id`;

test('of two transactions that wait for each other the one that is ended is done again: both are done, once', async () => {
  let [met, tries] = [0, 0];
  let meet!: () => void;
  const both = new Promise<void>((resolve) => (meet = resolve));
  const work = (first: number, second: number) => async (tx: Tx) => {
    tries += 1;
    await raise(tx, first);
    if (++met === 2) meet();
    await both;
    await raise(tx, second);
  };
  await Promise.all([transaction(database.db, work(1, 2)), transaction(database.db, work(2, 1))]);
  expect(tries).toBe(3);
  expect(await counts()).toEqual([{ n: 2 }, { n: 2 }]);
});

test('what fails for a reason of its own is not done again, and leaves nothing', async () => {
  let tries = 0;
  const failing = transaction(database.db, async (tx) => {
    tries += 1;
    await raise(tx, 1);
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(tries).toBe(1);
  expect(await counts()).toEqual([{ n: 2 }, { n: 2 }]);
});

test('more transactions than there are connections wait for their turn; a connection that the server ends is an outage', async () => {
  await Promise.all(Array.from({ length: 40 }, () => transaction(database.db, (tx) => raise(tx, 1))));
  expect(await counts()).toEqual([{ n: 42 }, { n: 2 }]);
  const ended = transaction(database.db, async (tx) => {
    await raise(tx, 2);
    const [mine] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
    await own.server.query(`SELECT pg_terminate_backend(${mine.pid})`);
    await raise(tx, 2);
  });
  await expect(ended).rejects.toBeInstanceOf(Away);
  expect(await counts()).toEqual([{ n: 42 }, { n: 2 }]);
});
