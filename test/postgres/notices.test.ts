import { afterEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/db/database.ts';
import { openNotificationChannel, type NotificationChannel } from '../../src/db/notification-channel.ts';
import { ownServer } from '../support/own-server.ts';

const own = ownServer();
const opened: { database: Database; notices: NotificationChannel }[] = [];
afterEach(async () => {
  for (const { database, notices } of opened.splice(0)) {
    await notices.close();
    await database.close();
  }
});

/** One process on the server, and what it heard. */
async function aProcess() {
  const database = await openDatabase({ url: own.server.urlOf('postgres'), poolSize: 2, name: 'test' });
  const heard: string[] = [];
  const missed = { times: 0 };
  const notices = openNotificationChannel({
    ...database,
    heard: (subject) => heard.push(subject),
    missed: () => (missed.times += 1),
    warn: () => undefined,
  });
  opened.push({ database, notices });
  await expect.poll(() => missed.times).toBe(1); // it listens
  return { heard, missed, tell: notices.tell };
}

test('what one process tells the others hear, and it does not', async () => {
  const [one, two, three] = [await aProcess(), await aProcess(), await aProcess()];
  one.tell('work');
  await expect.poll(() => [two.heard, three.heard]).toEqual([['work'], ['work']]);
  two.tell('moved');
  await expect.poll(() => [one.heard, three.heard]).toEqual([['moved'], ['work', 'moved']]);
  expect(two.heard).toEqual(['work']);
});

test('what is told a thousand times before it is sent is heard once, and more than one message holds is all heard', async () => {
  const [one, two] = [await aProcess(), await aProcess()];
  const many = Array.from({ length: 400 }, (_, n) => `ingestion-${n}-${'x'.repeat(30)}`);
  for (let n = 0; n < 1_000; n++) one.tell('work');
  many.forEach(one.tell);
  await expect.poll(() => two.heard.length).toBe(401);
  expect(two.heard.toSorted()).toEqual(['work', ...many].toSorted());
});

test('a lost connection is made again, and says that something may have been missed', async () => {
  const [one, two] = [await aProcess(), await aProcess()];
  await own.server.stop();
  one.tell('lost');
  await own.server.start();
  await expect.poll(() => [one.missed.times > 1, two.missed.times > 1], { timeout: 20_000 }).toEqual([true, true]);
  two.heard.length = 0;
  one.tell('work');
  await expect.poll(() => two.heard).toContain('work');
});
