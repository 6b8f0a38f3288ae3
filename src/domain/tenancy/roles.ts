import { DomainError } from '../errors.ts';
import { adminRoles, type Admin, type AdminRole } from './access.ts';

/**
 * A viewer reads; an admin also changes what can be changed back; an owner also purges, and gives and takes roles.
 * Throws `forbidden` for an administrator of a lesser role than `least`.
 */
export function requireRole(admin: Admin, least: AdminRole): void {
  if (adminRoles.indexOf(admin.role) <= adminRoles.indexOf(least)) return;
  const reason = least === 'admin' ? 'a viewer reads, and changes nothing' : 'only an owner may do that';
  throw new DomainError('forbidden', reason);
}
