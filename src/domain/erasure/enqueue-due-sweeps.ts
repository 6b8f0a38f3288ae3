import { transaction, type Db } from '../../db/database.ts';
import { enqueueForInstance } from '../tenancy/enqueue-for-instance.ts';
import { claimDueSweeps } from '../tenancy/instance-store.ts';

/** An instance that is asked for is locked until the commit, and who administers it waits. */
const askedAtOnce = 100;

/** Asks for a sweep of every instance whose last one was asked for an hour ago. */
export async function enqueueDueSweeps({ db, now }: { db: Db; now: () => Date }): Promise<void> {
  let asked = askedAtOnce;
  while (asked === askedAtOnce) {
    asked = await transaction(db, async (tx) => {
      const due = await claimDueSweeps(tx, now(), askedAtOnce);
      for (const instanceNumber of due) await enqueueForInstance(tx, 'sweep-retention', { instanceNumber });
      return due.length;
    });
  }
}
