import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { ownServer } from '../support/own-server.ts';
import { canMount } from '../support/small-disk.ts';
import { customerId, openTown } from './killing/town.ts';
import { lengthOf, tell } from './length.ts';

/** All tables of the service are on the small disk, and so is one that takes what room is left. */
const own = canMount ? ownServer({ smallDiskMiB: 32 }) : undefined;

test.runIf(own)(
  'a disk that is full: what is known can be read, what is new waits or is refused as unavailable, and nothing is lost',
  { timeout: lengthOf(600_000, 180_000) },
  async () => {
    const { server } = own!;
    await server.query(`CREATE TABLESPACE small LOCATION '${server.smallDisk}'`);
    await server.query('ALTER ROLE presage SET default_tablespace = small');
    const town = await openTown(server, 'on_a_small_disk');
    const told = { fills: 0, refusedAsUnavailable: 0, refusedOtherwise: 0, read: 0 };
    try {
      await town.start('worker');
      const known = await town.send();
      await town.outcome();
      const { access } = town.houses[known.house]!;
      for (let fill = 0; fill < lengthOf(10, 1); fill++) {
        const before = Promise.all(Array.from({ length: 3 }, () => town.send())); // of which some are under way then
        const taken = takeAllRoom(server.query);
        const sending = before.then(() => Promise.all(Array.from({ length: lengthOf(20, 6) }, () => town.send())));
        await taken;
        told.fills += 1;
        for (let tries = 0; tries < 20; tries++) {
          const submission = {
            document: 'Is there any room?'.repeat(2_000),
            documentType: 'document',
            mode: 'fast',
          } as const;
          await town.app.submit(access, { ...submission, userId: 'nobody' }).catch((error: unknown) => {
            const isRight = error instanceof DomainError && error.code === 'unavailable';
            told[isRight ? 'refusedAsUnavailable' : 'refusedOtherwise'] += 1;
          });
        }
        const query = { searchQueries: [known.turns[0]!], mode: 'accurate', explain: false } as const;
        const context = await town.app.fetchContext(access, { ...query, userId: known.userId, customerId });
        told.read += context.memories.some(({ content }) => content === known.turns[0]) ? 1 : 0;
        await pause(1_000); // the worker tries meanwhile
        await server.query('DROP TABLE ballast');
        await sending;
      }
      const outcome = await town.outcome();
      tell('disk full', { ...told, ...outcome });
      expect(outcome).toMatchObject({ lost: 0, duplicates: 0, visibleToStrangers: 0 });
      expect(told).toMatchObject({ refusedOtherwise: 0, read: told.fills });
      expect(told.refusedAsUnavailable).toBeGreaterThan(0);
      expect(await town.brokenRules()).toEqual([{}, {}]);
    } finally {
      await town.close();
    }
  },
);

/** Pages of 8 KB, until Postgres says that there is no room for one more. */
async function takeAllRoom(query: (sql: string) => Promise<void>): Promise<void> {
  await query('CREATE TABLE ballast (filler text); ALTER TABLE ballast ALTER filler SET STORAGE PLAIN'); // as large as it looks
  for (const rows of [1_000, 100, 10, 1]) {
    for (let isRoom = true; isRoom;) {
      isRoom = await query(`INSERT INTO ballast SELECT repeat('x', 7000) FROM generate_series(1, ${rows})`).then(
        () => true,
        (error: unknown) => {
          if ((error as { code?: string }).code === '53100') return false;
          throw error;
        },
      );
    }
  }
}
