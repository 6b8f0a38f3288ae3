import type { Db } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { speakerOf } from './speaker.ts';
import { bindConversation, conversationOwner, inherit } from './store.ts';

/** A caller, by those it names and by its conversation. */
export interface Naming extends Named {
  readonly conversationId?: string | undefined;
}

/** A conversation lends its owner to a call that names nobody, and is bound to those a first call names. */
export async function meant(db: Db, access: Access, query: Naming): Promise<Named> {
  const { conversationId, userId, customerId } = query;
  if (!conversationId) return query;
  const owner = await conversationOwner(db, access, conversationId);
  if (owner) return inherit(query, owner);
  if (!userId && !customerId) {
    throw new DomainError(
      'context_not_found',
      'this conversation is not known, and no user_id or customer_id is named',
    );
  }
  const first = await speakerOf(db, access, query);
  await bindConversation(db, access, conversationId, first.ownerNo);
  return query;
}
