import type { Principal } from '../domain/tenancy/access.ts';
import { requirePermission, type Permission } from '../domain/tenancy/permission.ts';

type UseCase = (...given: readonly unknown[]) => unknown;
type UseCases = Readonly<Record<string, unknown>>;

/** The use cases, each of which refuses whoever `permissions` does not let call it. One without an entry refuses all. */
export function guard<T extends UseCases>(
  useCases: T,
  permissions: Readonly<Record<string, Permission | null>>,
  group = '',
): T {
  const guarded = Object.entries(useCases).map(([name, useCase]) => {
    if (typeof useCase !== 'function') return [name, guard(useCase as UseCases, permissions, `${group}${name}.`)];
    const permission = permissions[group + name];
    return [name, permission === null ? useCase : guardOne(useCase as UseCase, permission ?? {})];
  });
  return Object.fromEntries(guarded) as T;
}

const guardOne =
  (useCase: UseCase, permission: Permission): UseCase =>
  (...given) => {
    requirePermission(principalOf(given[0]), permission);
    return useCase(...given);
  };

/** Of the first argument: an administrator, an access, or what has an access. */
function principalOf(caller: unknown): Principal {
  const { principal, access } = caller as { principal?: Principal; access?: { principal: Principal } };
  return principal ?? access?.principal ?? (caller as Extract<Principal, { kind: 'admin' }>);
}
