import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseConnection } from '../../../src/db/database-connection.ts';
import { sendStatementsDirectly } from '../../../src/db/direct-statements.ts';
import { isOutage } from '../../../src/db/outage.ts';
import { openPglite } from '../../../src/db/pglite.ts';
import { PrismaClient } from '../../../src/generated/prisma/client.ts';
import { newFolder } from '../../support/world.ts';

const folder = newFolder();
const timeout = 300;
let connected: DatabaseConnection;
let db: PrismaClient;
beforeAll(async () => {
  connected = await openPglite(join(folder, 'postgres'));
  db = sendStatementsDirectly(
    connected.pool,
    (pool) => new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: { timeout } }),
  );
  await db.$executeRaw`CREATE TABLE note (text text NOT NULL)`;
});
afterAll(async () => {
  await db.$disconnect();
  await connected.close();
  rmSync(folder, { recursive: true });
});

const notes = async () => (await db.$queryRaw<{ text: string }[]>`SELECT text FROM note`).map(({ text }) => text);

test('what a transaction says after its time is up is not said on a connection that others have by then', async () => {
  let refusal: unknown;
  const overdue = db.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO note VALUES ('in time')`;
    await pause(2 * timeout);
    await tx.$executeRaw`INSERT INTO note VALUES ('too late')`.catch((error: unknown) => (refusal = error));
    await tx.$executeRaw`INSERT INTO note VALUES ('later')`;
  });
  await expect(overdue).rejects.toThrow('is over');
  expect(isOutage(refusal)).toBe(true);
  expect(await notes()).toEqual([]);
});

test('a statement that Prisma splits takes no connection of a transaction that begins at the same time', async () => {
  const tooMany = Array.from({ length: 33_000 }, (_, n) => n);
  await db.$executeRaw`CREATE TABLE IF NOT EXISTS vector_space (i bigint PRIMARY KEY, serving text, building text, started_at timestamptz, switched_at timestamptz)`;
  for (let ticks = 0; ticks < 12; ticks += 1) {
    const split = db.vectorSpace.findMany({ where: { instanceNumber: { in: tooMany } } });
    const reading = split.then(({ length }) => length);
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    const failing = db.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO note VALUES ('taken back')`;
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await reading).toBe(0);
  }
  expect(await notes()).toEqual([]);
});

test('of statements that are asked for together none is said after the failure of another', async () => {
  const failing = db.$transaction((tx) => {
    const wrong = tx.$executeRaw`INSERT INTO nowhere VALUES ('wrong')`;
    const others = Array.from({ length: 5 }, (_, n) => tx.$executeRaw`INSERT INTO note VALUES (${`left over ${n}`})`);
    return Promise.all([wrong, ...others]);
  });
  await expect(failing).rejects.toThrow('nowhere');
  expect(await notes()).toEqual([]);
});

test('a statement that nobody waited for is refused once its transaction is over', async () => {
  let straggler: Promise<unknown> | undefined;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO note VALUES ('whole')`;
    straggler = pause(50).then(() => tx.$executeRaw`INSERT INTO note VALUES ('straggler')`);
    straggler.catch(() => undefined);
  });
  await expect(straggler).rejects.toThrow('is over');
  expect(await notes()).toEqual(['whole']);
});
