import type { Principal } from '../domain/tenancy/access.ts';
import { requirePermission, type Permission } from './permission.ts';

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

/** Reads the principal off the first argument of a use case: an administrator, an access, or an object with an access. */
function principalOf(caller: unknown): Principal {
  const { principal, access } = caller as { principal?: Principal; access?: { principal: Principal } };
  return principal ?? access?.principal ?? (caller as Extract<Principal, { kind: 'admin' }>);
}
