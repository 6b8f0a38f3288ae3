import type { z } from 'zod';
import type { App } from '../../app.ts';
import { resolveBrowserBinding, type Access, type SubjectIds, type Scope } from '../../domain/tenancy/access.ts';
import type { ScopeRecord } from './records.ts';

/** One request of an MCP client: who asks, and for whom its address says. */
export interface Connection {
  readonly access: Access;
  /** The user and customer that the address or the credential fixes: no tool takes another, nor a customer for a user. */
  readonly fixed: SubjectIds;
  readonly correlationId: string;
  /** The address of this service, for links to memories. */
  readonly baseUrl: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly left: AbortSignal;
}

/** Whom a connection is about. Throws `forbidden` for a browser token whose address names others than it is bound to. */
export function subjectOfConnection({ principal }: Access, named: SubjectIds): SubjectIds {
  if (principal.kind !== 'browser') return named;
  const { userId, customerId } = resolveBrowserBinding(principal, named);
  return { userId, customerId };
}

/** The scope that was searched, which every tool states in its answer. */
export type SearchedScope = z.output<typeof ScopeRecord>;

/** The levels that a caller who names these may read; naming nobody, those that the whole instance shares. */
export const searchedScopeOf = ({ access }: Connection, { userId, customerId }: SubjectIds): SearchedScope =>
  searchedScope(access, { userId, customerId }, [
    ...(userId === undefined ? [] : (['USER'] as const)),
    ...(customerId === undefined ? [] : (['CUSTOMER'] as const)),
    'CLIENT',
    'WORLD',
  ]);

/** The scope of lists and look-ups by id: where nobody is named, the whole instance. */
export const scopeOfInstance = (connection: Connection, named: SubjectIds): SearchedScope =>
  named.userId === undefined && named.customerId === undefined
    ? searchedScope(connection.access, named, ['USER', 'CUSTOMER', 'CLIENT', 'WORLD'])
    : searchedScopeOf(connection, named);

const searchedScope = ({ instance }: Access, { userId, customerId }: SubjectIds, levels: Scope[]): SearchedScope => ({
  instance_id: instance,
  user_id: userId ?? null,
  customer_id: customerId ?? null,
  levels,
});

/** The context of one tool call, beside its input. */
export interface ToolCall extends Connection {
  readonly app: App;
}
