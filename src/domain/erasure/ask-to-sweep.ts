import { transaction, type Db } from '../../db/database.ts';
import { askFor } from '../../db/queue.ts';
import { instanceIdOf, instanceUuid, namedUuid } from '../ids.ts';
import { takeDueSweeps } from '../tenancy/instance-store.ts';

/** Asks for a sweep of every instance whose last one was asked for an hour ago. */
export async function askToSweep({ db, now }: { db: Db; now: () => Date }): Promise<void> {
  await transaction(db, async (tx) => {
    for (const i of await takeDueSweeps(tx, now())) {
      await askFor(tx, 'sweep-retention', { id: namedUuid(instanceUuid(instanceIdOf(i)), 'sweep-retention'), i });
    }
  });
}
