import { DomainError } from '../errors.ts';
import { adminRoles, type Admin, type AdminRole, type Principal } from './access.ts';

/**
 * A viewer reads; an admin also changes what can be changed back; an owner also purges, gives and takes roles, and
 * changes the master key.
 * Throws `forbidden` for an administrator of a lesser role than `least`.
 */
export function requireRole(admin: Admin, least: AdminRole): void {
  if (adminRoles.indexOf(admin.role) <= adminRoles.indexOf(least)) return;
  const reason = least === 'admin' ? 'a viewer reads, and changes nothing' : 'only an owner may do that';
  throw new DomainError('forbidden', reason);
}

/** Keys may change what is in their instance. Throws `forbidden` for an administrator who may only look, and for browsers. */
export function requireChanger(principal: Principal): void {
  if (principal.kind === 'browser') throw new DomainError('forbidden', 'a browser token reads, and changes nothing');
  if (principal.kind === 'admin') requireRole(principal, 'admin');
}
