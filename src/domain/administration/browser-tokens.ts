import { transaction, type Db } from '../../db/database.ts';
import { narrowToSubject } from '../configurations/narrow-to-subject.ts';
import { bindConversation } from '../conversations/bind-conversation.ts';
import { resolveSubject, type SubjectQuery } from '../conversations/resolve-subject.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import { conversationUuid, newUuid, toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { removeExpiredTokens, saveBrowserToken } from '../tenancy/browser-token-store.ts';
import { newBrowserToken } from '../tenancy/credentials.ts';
import { registerOwner } from '../tenancy/owner-store.ts';

/** An agent's request for a browser token. */
export interface BrowserTokenRequest extends SubjectQuery {
  /** Lifetime; at most an hour. */
  readonly ttlSeconds: number;
}

/** A token that was made, and whom it is bound to. */
export interface BrowserTokenRecord extends SubjectQuery {
  /** The public id, such as `tok_…`. */
  readonly id: string;
  /** The caller's own id of the conversation, when it is no UUID; `conversationId` is its UUID. */
  readonly externalId: string | null;
  readonly expiresAt: Date;
}

/** The default lifetime of a token. */
export const defaultTokenLifeSeconds = 900;

/**
 * Makes a token for a browser; the token itself is returned only here. It dies with the key that makes it, and
 * with the user or customer it is bound to. A conversation brings its user and customer with it; one that was never
 * seen is bound to those named. Throws what `resolveSubject` throws, and `forbidden` for whoever is no agent.
 */
export async function createBrowserToken(
  deps: { readonly db: Db; readonly now: () => Date },
  access: Access,
  { ttlSeconds, ...naming }: BrowserTokenRequest,
): Promise<{ token: string; record: BrowserTokenRecord }> {
  const { principal } = access;
  if (principal.kind !== 'key') throw new DomainError('forbidden', 'only an API key makes tokens for browsers');
  if (!naming.userId && !naming.customerId && !naming.conversationId) {
    throw invalidInputError(
      'user_id',
      'name a user_id, a customer_id or a conversation_id: a token is bound to somebody',
    );
  }
  const { named, isNewConversation } = await resolveSubject(deps.db, access, naming);
  const { userId, customerId } = named;
  // An instance that keeps customers apart wants one named.
  await narrowToSubject(deps.db, access, { userId, customerId });
  const conversation =
    naming.conversationId === undefined ? null : conversationUuid(access.instance, naming.conversationId);
  if (isNewConversation) await bindConversation(deps.db, access, { ...named, conversationId: naming.conversationId! });
  const [id, token, now] = [newUuid(), newBrowserToken(), deps.now()];
  const expiresAt = new Date(now.getTime() + ttlSeconds * 1_000);
  await transaction(deps.db, async (tx) => {
    const scope = userId ? 'USER' : customerId ? 'CUSTOMER' : 'CLIENT';
    const owner = await registerOwner(tx, access.instanceNumber, {
      scope,
      userId: userId ?? '',
      customerId: customerId ?? '',
    });
    await saveBrowserToken(tx, access, {
      id,
      secret: token,
      keyId: principal.keyId,
      ownerNo: owner.ownerNo,
      conversationId: conversation?.id ?? null,
      expiresAt,
    });
  });
  await removeExpiredTokens(deps.db, now);
  const bound = { userId, customerId, conversationId: conversation?.id, externalId: conversation?.externalId ?? null };
  return { token, record: { id: toPublicId('token', id), ...bound, expiresAt } };
}
