import type { Tx } from '../../db/database.ts';
import { invalid } from '../errors.ts';
import { conversationUuid } from '../ids.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { findConversation, namedIn } from './conversation-store.ts';

/** Whose a conversation is, by its id as the caller wrote it; null when it was never seen. */
export async function conversationOwner(tx: Tx, access: Access, conversationId: string): Promise<Named | null> {
  const { id } = conversationUuid(access.instance, conversationId);
  const row = await findConversation(tx, access, id);
  return row && namedIn(row);
}

/** Whom the caller means: those they name, completed by the conversation's. Throws when the two contradict. */
export function inherit(named: Named, conversation: Named | null): Named {
  if (!conversation) return named;
  for (const [field, key] of [
    ['user_id', 'userId'],
    ['customer_id', 'customerId'],
  ] as const) {
    if (named[key] !== undefined && named[key] !== conversation[key]) {
      throw invalid(field, 'is not the one this conversation began with');
    }
  }
  return conversation;
}

/**
 * Binds a conversation to its owner at first sight; a known one stays as it is, and an owner who was forgotten a moment
 * ago gets none. Returns its UUID.
 */
export async function bindConversation(
  tx: Tx,
  access: Access,
  conversationId: string,
  ownerNo: number,
): Promise<string> {
  const { id, externalId } = conversationUuid(access.instance, conversationId);
  await tx.$executeRaw`
    INSERT INTO conversation (i, id, owner_no, external_id)
    SELECT ${access.i}, ${id}::uuid, owner_no, ${externalId}
    FROM owner WHERE i = ${access.i} AND owner_no = ${ownerNo} FOR SHARE
    ON CONFLICT (i, id) DO NOTHING`;
  return id;
}

/** The conversations of these owners, with what was said in them; returns how many rows there were. */
export async function removeConversations(tx: Tx, access: Access, ownerNos: readonly number[]): Promise<number> {
  // Whoever adds a message holds its conversation: once these are gone, none can come.
  const gone = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM conversation WHERE owner_no = ANY(${ownerNos}::int[]) AND i = ${access.i} RETURNING id`;
  const { count } = await tx.message.deleteMany({
    where: { conversationId: { in: gone.map(({ id }) => id) }, i: access.i },
  });
  return gone.length + count;
}
