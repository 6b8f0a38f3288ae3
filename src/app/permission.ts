import { DomainError } from '../domain/errors.ts';
import type { AdminRole, Principal } from '../domain/tenancy/access.ts';
import { requireRole } from '../domain/tenancy/roles.ts';

/** The credentials that may call a use case; a kind that is left out may not. */
export interface Permission {
  /** An API key, in its own instance. */
  readonly key?: true;
  /** A browser token, for the user, customer or conversation that it is bound to. */
  readonly browser?: true;
  /** An admin token with this role or a higher one. */
  readonly admin?: AdminRole;
  /**
   * An administrator of a single client may call it too: the use case confines itself to what they reach. Whatever does
   * not say so refuses them.
   */
  readonly withinClient?: true;
  /** A call takes nothing of the rate of a key or browser token: for what is polled. */
  readonly isUnmetered?: true;
}

const hints = {
  key: 'an API key does not do that: use an admin token',
  browser: 'a browser token does not do that: it opens the context of those it is bound to',
  admin: 'an admin token does not do that: use an API key of the instance',
} as const;

/** Throws `forbidden` unless a credential of this kind and role may call what has this permission. */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (!permission[principal.kind]) throw new DomainError('forbidden', hints[principal.kind]);
  if (principal.kind !== 'admin') return;
  requireRole(principal, permission.admin!);
  if (principal.clientId !== undefined && !permission.withinClient) {
    throw new DomainError('forbidden', 'this concerns the whole service, and your role is for one client');
  }
}
