import { notFoundError } from '../errors.ts';
import type { Admin } from './access.ts';

/** Whether an administrator reaches what belongs to this client: one of a single client reaches no other. */
export const canReachClient = (admin: Pick<Admin, 'clientId'>, clientId: string): boolean =>
  admin.clientId === undefined || admin.clientId === clientId;

/** Throws `not_found`, as for what is not there, where the administrator does not reach the client. */
export function requireClientReach(admin: Pick<Admin, 'clientId'>, clientId: string, what = 'client'): void {
  if (!canReachClient(admin, clientId)) throw notFoundError(what);
}
