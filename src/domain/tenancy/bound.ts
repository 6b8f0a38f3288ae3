import { DomainError } from '../errors.ts';
import type { Bound, Browser, Named, Principal } from './access.ts';

const fields = { userId: 'user_id', customerId: 'customer_id', conversationId: 'conversation_id' } as const;

/**
 * Whom a browser means: those its token is bound to, whoever else it names. Throws `forbidden` for any other: a token
 * never widens. A conversation is named by its UUID.
 */
export function boundTo({ bound }: Browser, named: Bound): Bound {
  for (const [key, field] of Object.entries(fields) as [keyof Bound, string][]) {
    const isOther = named[key] !== undefined && named[key] !== bound[key];
    // A token of somebody, and of none of their conversations, may name each of them: whose it is, its rows tell.
    if (!isOther || (key === 'conversationId' && bound.conversationId === undefined)) continue;
    const message = 'this browser token is bound to another: leave it out';
    throw new DomainError('forbidden', `${field}: ${message}`, { fields: [{ field, message }] });
  }
  return bound;
}

/** Throws `forbidden` unless an access of this principal may be narrowed to those named. */
export function requireBound(principal: Principal, { userId, customerId }: Named): void {
  if (principal.kind !== 'browser') return;
  const { bound } = principal;
  if (userId === bound.userId && customerId === bound.customerId) return;
  throw new DomainError('forbidden', 'a browser token reads what those it is bound to may read, and nothing else');
}
