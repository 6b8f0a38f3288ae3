import { DomainError } from '../errors.ts';
import { adminRoles, type Admin, type AdminRole, type Principal } from './access.ts';

/** The roles that may read content. */
const readsContent: Readonly<Record<AdminRole, boolean>> = { owner: true, admin: true, viewer: false };

/**
 * Whether a principal may read content: what people said or wrote, and what was made of it. Keys read their instance's,
 * browser tokens what they are bound to; a viewer sees ids, numbers, types and states.
 */
export const mayReadContent = (principal: Principal): boolean =>
  principal.kind !== 'admin' || readsContent[principal.role];

const viewerRefusal = 'a viewer sees ids, numbers, types and states: it reads no content, and changes nothing';

/** Throws `forbidden` unless the principal may read content. */
export function requireContentReader(principal: Principal): void {
  if (mayReadContent(principal)) return;
  throw new DomainError('forbidden', viewerRefusal);
}

/**
 * A viewer reads; an admin also changes what can be changed back; an owner also purges, gives and takes roles, and
 * changes the master key.
 * Throws `forbidden` for an administrator of a lesser role than `required`.
 */
export function requireRole(admin: Admin, required: AdminRole): void {
  if (adminRoles.indexOf(admin.role) <= adminRoles.indexOf(required)) return;
  throw new DomainError('forbidden', required === 'admin' ? viewerRefusal : 'only an owner may do that');
}
