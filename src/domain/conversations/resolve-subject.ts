import type { Db } from '../../db/database.ts';
import { conversationNotFoundError, DomainError, invalidInputError } from '../errors.ts';
import { conversationUuid } from '../ids.ts';
import { resolveBrowserBinding, type Access, type BrowserPrincipal, type SubjectIds } from '../tenancy/access.ts';
import { conversationOwner } from './conversation-store.ts';

/** A caller, by those it names and by its conversation. */
export interface SubjectQuery extends SubjectIds {
  readonly conversationId?: string | undefined;
}

/** The user, customer and conversation that a call is about. */
export interface ResolvedSubject {
  readonly named: SubjectIds;
  /** The call names a conversation that was never seen: see `bindConversation`. */
  readonly isNewConversation: boolean;
}

/**
 * Finds whom a call is about: those it names, completed by those its conversation belongs to, or those its browser
 * token is bound to. Reads only. Throws `context_not_found` for an unknown conversation when nobody is named,
 * `invalid_input` when the caller names others than the conversation belongs to, and `forbidden` when a browser names
 * others.
 */
export async function resolveSubject(db: Db, access: Access, naming: SubjectQuery): Promise<ResolvedSubject> {
  const { conversationId, ...named } = naming;
  if (access.principal.kind === 'browser')
    return subjectOfBrowser(db, access, { ...naming, browser: access.principal });
  if (!conversationId) return known(named);
  const owner = await conversationOwner(db, access, conversationId);
  if (owner) return known(mergeWithConversationSubject(named, owner));
  if (named.userId || named.customerId) return { named: idsIn(named), isNewConversation: true };
  throw new DomainError('context_not_found', 'no such conversation, and no user_id or customer_id is named');
}

/** A browser may name the conversations of those it is bound to; another's is refused like one that never was. */
async function subjectOfBrowser(
  db: Db,
  access: Access,
  { browser, conversationId, ...named }: SubjectQuery & { browser: BrowserPrincipal },
): Promise<ResolvedSubject> {
  const id = conversationId && conversationUuid(access.instance, conversationId).id;
  const bound = resolveBrowserBinding(browser, { ...named, conversationId: id });
  if (conversationId && !bound.conversationId) {
    const owner = await conversationOwner(db, access, conversationId);
    const isTheirs = owner?.userId === bound.userId && owner?.customerId === bound.customerId;
    if (!owner || !isTheirs) throw conversationNotFoundError();
  }
  return known(bound);
}

const idsIn = ({ userId, customerId }: SubjectIds): SubjectIds => ({ userId, customerId });
const known = (named: SubjectIds): ResolvedSubject => ({ named: idsIn(named), isNewConversation: false });

/** Completes the names of the caller with those of the conversation. Throws `invalid_input` when the two contradict. */
export function mergeWithConversationSubject(named: SubjectIds, conversation: SubjectIds | null): SubjectIds {
  if (!conversation) return named;
  for (const [field, key] of [
    ['user_id', 'userId'],
    ['customer_id', 'customerId'],
  ] as const) {
    if (named[key] !== undefined && named[key] !== conversation[key]) {
      throw invalidInputError(field, 'is not the one this conversation began with');
    }
  }
  return conversation;
}
