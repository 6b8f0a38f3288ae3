import type { Compaction } from '../compaction/compaction.ts';
import { beforeFirstVersion, compactionsOfOwners } from '../compaction/compaction-store.ts';
import type { Db } from '../../db/database.ts';
import type { ExportedMessage } from '../conversations/conversation.ts';
import { beforeFirstMessage, messagesOfOwners } from '../conversations/message-store.ts';
import { memoriesOfTurns } from '../conversations/read-conversation.ts';
import { notFoundError } from '../errors.ts';
import { listMemories } from '../memories/list-memories.ts';
import type { Memory } from '../memories/memory.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { ownersOf } from '../tenancy/owner-store.ts';

const pageSize = 100;

/** One piece of a user's or customer's export. */
export type ExportedRecord =
  | { readonly memory: Memory }
  | { readonly message: ExportedMessage }
  | { readonly compaction: Compaction };

/**
 * Every memory of a user or customer, then what was said in their conversations, with what streams pushed for it, and
 * what that was condensed to: page by page, so that a large export holds no more than one in memory.
 */
export async function* exportOwner(
  db: Db,
  access: Access,
  named: SubjectIds,
): AsyncGenerator<ExportedRecord, void, undefined> {
  const owners = await ownersOf(db, access, named);
  if (!owners.length) throw notFoundError(named.userId ? 'user' : 'customer');
  let cursor: string | undefined;
  do {
    const page = await listMemories(db, access, named, { limit: pageSize, cursor });
    for (const memory of page.data) yield { memory };
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  const ownerNos = owners.map(({ ownerNo }) => ownerNo);
  let after = beforeFirstMessage;
  for (;;) {
    const page = await messagesOfOwners(db, access, { ownerNos, after, limit: pageSize });
    const places = page.map(({ place }) => place);
    const anticipated = await memoriesOfTurns(db, access, places);
    for (const [n, { message }] of page.entries()) yield { message: { ...message, anticipated: anticipated[n]! } };
    if (page.length < pageSize) break;
    after = page.at(-1)!.place;
  }
  for (let last = beforeFirstVersion; ;) {
    const page = await compactionsOfOwners(db, access, { ownerNos, after: last, limit: pageSize });
    for (const compaction of page) yield { compaction };
    if (page.length < pageSize) return;
    last = page.at(-1)!;
  }
}
