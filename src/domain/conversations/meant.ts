import type { Db } from '../../db/database.ts';
import { DomainError, invalid } from '../errors.ts';
import { conversationUuid } from '../ids.ts';
import type { Access, Browser, Named } from '../tenancy/access.ts';
import { boundTo } from '../tenancy/bound.ts';
import { speakerOf } from './speaker.ts';
import { bindConversation, conversationOwner } from './conversation-store.ts';

/** A caller, by those it names and by its conversation. */
export interface Naming extends Named {
  readonly conversationId?: string | undefined;
}

/**
 * A conversation lends its owner to a call that names nobody, and is bound to those a first call names. A browser means
 * those its token is bound to, and binds nothing.
 */
export async function meant(db: Db, access: Access, query: Naming): Promise<Named> {
  const { conversationId, userId, customerId } = query;
  if (access.principal.kind === 'browser') return meantByBrowser(db, access, { ...query, browser: access.principal });
  if (!conversationId) return query;
  const owner = await conversationOwner(db, access, conversationId);
  if (owner) return inherit(query, owner);
  if (!userId && !customerId) {
    throw unknown('this conversation is not known, and no user_id or customer_id is named');
  }
  const first = await speakerOf(db, access, query);
  await bindConversation(db, access, conversationId, first.ownerNo);
  return query;
}

/** Of the conversations of those it is bound to, and of no others: another's is told like one that never was. */
async function meantByBrowser(
  db: Db,
  access: Access,
  { browser, conversationId, ...named }: Naming & { browser: Browser },
): Promise<Named> {
  const id = conversationId && conversationUuid(access.instance, conversationId).id;
  const bound = boundTo(browser, { ...named, conversationId: id });
  if (conversationId && !bound.conversationId) {
    const owner = await conversationOwner(db, access, conversationId);
    const isTheirs = owner?.userId === bound.userId && owner?.customerId === bound.customerId;
    if (!owner || !isTheirs) throw unknown('this conversation is not known');
  }
  return { userId: bound.userId, customerId: bound.customerId };
}

const unknown = (message: string) => new DomainError('context_not_found', message);

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
