import { DomainError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/access.ts';

/**
 * What a browser token opens: context for those it is bound to, when it asks and as they talk; what hangs on that
 * answer, read with an access that is narrowed to them already; and what every call goes through.
 */
const open: ReadonlySet<string> = new Set([
  'fetchContext',
  'watchConversation',
  'narrow',
  'memoriesByIds',
  'entitiesByIds',
  'spend',
  'quota',
  'begin',
  'countCall',
]);

type UseCases = Readonly<Record<string, unknown>>;

/** The same use cases, closed to browser tokens unless they are in the list: one that is added later is closed too. */
export function closeToBrowsers<T extends UseCases>(useCases: T, opened = open): T {
  const closed = Object.entries(useCases).map(([name, useCase]) => {
    if (typeof useCase === 'function') return [name, opened.has(name) ? useCase : closedToBrowsers(useCase as UseCase)];
    return [name, closeToBrowsers(useCase as UseCases, new Set())];
  });
  return Object.fromEntries(closed) as T;
}

type UseCase = (...given: readonly unknown[]) => unknown;

const closedToBrowsers =
  (useCase: UseCase): UseCase =>
  (...given) => {
    if (isBrowser(given[0])) {
      throw new DomainError(
        'forbidden',
        'a browser token does not do that: it opens the context of those it is bound to',
      );
    }
    return useCase(...given);
  };

/** An access, or what has one. */
function isBrowser(caller: unknown): boolean {
  if (typeof caller !== 'object' || caller === null) return false;
  if ('principal' in caller) return (caller.principal as Principal).kind === 'browser';
  return 'access' in caller && isBrowser(caller.access);
}
