import { transaction, type Db, type Sql, type Tx } from '../../src/db/database.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { lockClient } from '../../src/domain/tenancy/client-store.ts';
import { lockConversation } from '../../src/domain/conversations/conversation-store.ts';
import { findOwners } from '../../src/domain/tenancy/owner-store.ts';

/** `npm run check` compiles these calls; nothing runs them. A call that should not compile, and does, is an error. */
export const calls = {
  /** A lock taken outside of a transaction is given back at once. */
  lockOutside: (db: Db, access: Access) => [
    // @ts-expect-error: takes a lock, so it takes a transaction
    lockClient(db, 'cli_0000000000000000'),
    // @ts-expect-error: takes a lock, so it takes a transaction
    lockConversation(db, access, 'a conversation'),
  ],
  // @ts-expect-error: whoever has either does not know that it is a transaction
  lockInEither: (sql: Sql) => lockClient(sql, 'cli_0000000000000000'),
  // @ts-expect-error: Prisma's own transactions are not tried again when they stood in another's way
  lockInOneOfPrisma: (db: Db) => db.$transaction((begun) => lockClient(begun, 'cli_0000000000000000')),
  // @ts-expect-error: a transaction within a transaction would wait for the connection that the first one has
  transactionWithin: (tx: Tx) => transaction(tx, async () => undefined),
  lockInside: (db: Db) => transaction(db, (tx) => lockClient(tx, 'cli_0000000000000000')),
  readEither: (db: Db, tx: Tx, instanceNumber: bigint) => [
    findOwners(db, instanceNumber, []),
    findOwners(tx, instanceNumber, []),
  ],
};
