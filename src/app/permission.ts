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

type UseCase = (...args: readonly unknown[]) => unknown;
type UseCases = Readonly<Record<string, unknown>>;

/** The names that the table of permissions has for these use cases. */
type NamesIn<T, Group extends string = ''> = {
  [K in keyof T & string]: T[K] extends (...args: never[]) => unknown ? `${Group}${K}` : NamesIn<T[K], `${Group}${K}.`>;
}[keyof T & string];

/** The use cases, each of which refuses whoever `permissions` does not let call it. One without an entry does not compile. */
export const guardUseCases = <T extends UseCases>(
  useCases: T,
  permissions: Readonly<Record<NamesIn<T>, Permission | null>>,
): T => guardGroup(useCases, permissions) as T;

function guardGroup(
  useCases: UseCases,
  permissions: Readonly<Record<string, Permission | null>>,
  group = '',
): UseCases {
  const guarded = Object.entries(useCases).map(([name, useCase]) => {
    if (typeof useCase !== 'function') return [name, guardGroup(useCase as UseCases, permissions, `${group}${name}.`)];
    const permission = permissions[group + name];
    return [name, permission === null ? useCase : guardOne(useCase as UseCase, permission ?? {})];
  });
  return Object.fromEntries(guarded) as UseCases;
}

const guardOne =
  (useCase: UseCase, permission: Permission): UseCase =>
  (...args) => {
    requirePermission(principalOf(args[0]), permission);
    return useCase(...args);
  };

/** Reads the principal off the first argument of a use case: an access, or an administrator. */
function principalOf(caller: unknown): Principal {
  const { principal } = caller as { principal?: Principal };
  return principal ?? (caller as Extract<Principal, { kind: 'admin' }>);
}
