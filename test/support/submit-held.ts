import { createApp } from '../../src/app.ts';
import { transaction, type Db, type Tx } from '../../src/db/database.ts';
import type { Dependencies } from '../../src/dependencies.ts';
import type { Ingestion, Submission } from '../../src/domain/ingestion/ingestion.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';

/** Accepts a document whose job is not due for an hour: no worker sees it before that is said. */
export function submitHeld(deps: Dependencies, access: Access, submission: Submission): Promise<Ingestion> {
  return transaction(deps.db, async (tx) => {
    const app = createApp({ ...deps, db: within(tx), wake: () => undefined, reserveWorker: () => null });
    const ingestion = await app.submit(access, submission);
    await tx.$executeRaw`UPDATE job SET run_at = now() + interval '1 hour' WHERE i = ${access.instanceNumber}`;
    return ingestion;
  });
}

/** The database as seen from a transaction, in which further ones are parts of it. */
const within = (tx: Tx): Db =>
  new Proxy(tx, {
    get: (target, name) =>
      name === '$transaction' ? (work: (begun: Tx) => unknown) => work(tx) : Reflect.get(target, name),
  }) as unknown as Db;
