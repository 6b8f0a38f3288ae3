import { transaction } from '../../db/database.ts';
import { pageFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Admin, AdminRole } from '../tenancy/access.ts';
import {
  countInvitations,
  readInvitationRows,
  removeExpiredLinks,
  removeInvitation,
  removeUnusedLinksBy,
} from '../tenancy/dashboard-link-store.ts';
import { findClients } from '../tenancy/client-store.ts';
import {
  countMemberships,
  allClients,
  findUserById,
  readMembershipRows,
  removeMembership,
  removeUsersWithoutMembership,
  saveMembership,
} from '../tenancy/dashboard-user-store.ts';
import { canReachClient, requireClientReach } from '../tenancy/client-reach.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import { readClient } from './clients.ts';
import { readEmail } from './email.ts';
import type { AdministrationDependencies } from './instances.ts';
import { clientOrService, saveAudit, userActor } from './audit-store.ts';
import { makeLink, saveLinkAs } from './make-link.ts';
import { dayMs } from '../time.ts';

/** A user of the dashboard and what they may do: in a client, or everywhere (null). */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: AdminRole;
  readonly clientId: string | null;
  readonly createdAt: Date;
}

/** A link that was sent and not yet used. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: AdminRole;
  readonly clientId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The signed-in caller, as they see themselves. */
export interface Viewer {
  readonly role: AdminRole;
  readonly clientId: string | null;
  readonly userId: string | null;
  readonly email: string | null;
  readonly memberships: readonly Membership[];
}

/** A role in a client, or in all of them (null). */
export interface Membership {
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly role: AdminRole;
}

/** A client, or null for all of them together. */
export interface ClientSelection {
  readonly clientId: string | null;
}

const invitationLifeMs = 7 * dayMs;
const columnOf = ({ clientId }: ClientSelection) => clientId ?? allClients;
const shownClient = (column: string) => column || null;

/** Throws `not_found` for a client that is not there or not reached, `forbidden` for all where only one is reached. */
async function requireClient(
  deps: AdministrationDependencies,
  admin: Admin,
  { clientId }: ClientSelection,
): Promise<void> {
  if (clientId === null) {
    if (admin.clientId === undefined) return;
    throw new DomainError('forbidden', 'your role is for one client: name it');
  }
  requireClientReach(admin, clientId);
  await readClient(deps.db, clientId);
}

export async function readViewer(deps: AdministrationDependencies, admin: Admin): Promise<Viewer> {
  const own = { role: admin.role, clientId: admin.clientId ?? null };
  const user = admin.userId ? await findUserById(deps.db, admin.userId) : null;
  if (!user) return { ...own, userId: null, email: null, memberships: [{ ...own, clientName: null }] };
  const clients = await findClients(
    deps.db,
    user.memberships.map(({ clientId }) => clientId),
  );
  const nameOf = new Map(clients.map(({ id, name }) => [id, name]));
  const keys = await serviceKeys(deps);
  return {
    ...own,
    userId: user.id,
    email: keys.open('dashboard_user.email', user.id, user.email),
    memberships: user.memberships.map(({ clientId, role }) => ({
      clientId: shownClient(clientId),
      clientName: nameOf.get(clientId) ?? null,
      role: role as AdminRole,
    })),
  };
}

/** Throws as `requireClient` does. */
export async function listMembers(
  deps: AdministrationDependencies,
  admin: Admin,
  where: ClientSelection,
  request: PageRequest,
): Promise<Page<Member>> {
  await requireClient(deps, admin, where);
  const keysetQuery = parsePageRequest('members', request);
  const rows = await readMembershipRows(deps.db, columnOf(where), keysetQuery);
  const keys = await serviceKeys(deps);
  const members = rows.map(({ userId, clientId, role, createdAt, user }) => ({
    userId,
    email: keys.open('dashboard_user.email', userId, user.email),
    role: role as AdminRole,
    clientId: shownClient(clientId),
    createdAt,
  }));
  return pageFromRows(members, keysetQuery, ({ userId, createdAt }) => ({ id: userId, at: createdAt }));
}

export const countMembers = (deps: AdministrationDependencies, admin: Admin, where: ClientSelection): Promise<number> =>
  canReachClient(admin, columnOf(where)) ? countMemberships(deps.db, columnOf(where)) : Promise.resolve(0);

/** Throws as `requireClient` does. */
export async function listInvitations(
  deps: AdministrationDependencies,
  admin: Admin,
  where: ClientSelection,
  request: PageRequest,
): Promise<Page<Invitation>> {
  await requireClient(deps, admin, where);
  await removeExpiredLinks(deps.db, deps.now());
  const keysetQuery = parsePageRequest('invitations', request);
  const rows = await readInvitationRows(deps.db, columnOf(where), keysetQuery);
  const keys = await serviceKeys(deps);
  const invitations = rows.map(({ id, email, role, clientId, createdAt, expiresAt }) => ({
    id,
    email: emailOf(keys, { id, email }),
    role: role as AdminRole,
    clientId: shownClient(clientId),
    createdAt,
    expiresAt,
  }));
  return pageFromRows(invitations, keysetQuery, ({ id, createdAt }) => ({ id, at: createdAt }));
}

const emailOf = (keys: InstanceKeys, { id, email }: { id: string; email: Uint8Array | null }) =>
  email ? keys.open('dashboard_link.email', id, email) : '';

export const countOpenInvitations = (
  deps: AdministrationDependencies,
  admin: Admin,
  where: ClientSelection,
): Promise<number> =>
  canReachClient(admin, columnOf(where)) ? countInvitations(deps.db, columnOf(where)) : Promise.resolve(0);

/** Invites somebody; the secret of the link is returned only here. Throws as `requireClient` and `saveLinkAs` do. */
export async function inviteMember(
  deps: AdministrationDependencies,
  admin: Admin,
  { email: given, role, clientId }: ClientSelection & { readonly email: string; readonly role: AdminRole },
): Promise<{ secret: string; invitation: Invitation }> {
  const email = readEmail(given);
  await requireClient(deps, admin, { clientId });
  const keys = await serviceKeys(deps);
  const { secret, link } = makeLink('invitation', admin, { at: deps.now(), lifeMs: invitationLifeMs });
  const { id, createdAt, expiresAt } = link;
  await transaction(deps.db, async (tx) => {
    await saveLinkAs(tx, admin, {
      ...link,
      clientId: columnOf({ clientId }),
      role,
      email: keys.seal('dashboard_link.email', id, email),
    });
    const entry = { actor: admin, action: 'member.invite', target: id, at: createdAt, after: { role } };
    await saveAudit(tx, clientOrService(clientId, keys), entry);
  });
  return { secret, invitation: { id, email, role, clientId, createdAt, expiresAt } };
}

/** Throws `not_found`, and as `requireClient` does. */
export async function revokeInvitation(
  deps: AdministrationDependencies,
  admin: Admin,
  { id, clientId }: ClientSelection & { readonly id: string },
): Promise<void> {
  await requireClient(deps, admin, { clientId });
  const keys = await serviceKeys(deps);
  await transaction(deps.db, async (tx) => {
    if (!isUuid(id) || !(await removeInvitation(tx, columnOf({ clientId }), id))) throw notFoundError('invitation');
    const entry = { actor: admin, action: 'member.uninvite', target: id, at: deps.now() };
    await saveAudit(tx, clientOrService(clientId, keys), entry);
  });
}

/**
 * Gives a member another role, or none (null): then they are a member no longer, and one who is a member of nothing is
 * removed with their sessions. Links that they made in their former role open no more. Throws `not_found`,
 * `invalid_input` for a change of one's own role, and as `requireClient` does.
 */
export async function changeMember(
  deps: AdministrationDependencies,
  admin: Admin,
  { userId, clientId, role }: ClientSelection & { readonly userId: string; readonly role: AdminRole | null },
): Promise<void> {
  await requireClient(deps, admin, { clientId });
  if (userId === admin.userId)
    throw invalidInputError('userId', 'must not be your own id: ask another owner to change your role');
  const keys = await serviceKeys(deps);
  await transaction(deps.db, async (tx) => {
    const before = isUuid(userId) ? await removeMembership(tx, userId, columnOf({ clientId })) : null;
    if (before === null) throw notFoundError('member');
    const at = deps.now();
    // A role in every client made links in any of them.
    await removeUnusedLinksBy(tx, userActor(userId), clientId ?? undefined);
    if (role === null) await removeUsersWithoutMembership(tx);
    else await saveMembership(tx, { userId, clientId: columnOf({ clientId }), role, at });
    const action = role === null ? 'member.remove' : 'member.change';
    const entry = { actor: admin, action, target: userId, at, before: { role: before }, after: { role } };
    await saveAudit(tx, clientOrService(clientId, keys), entry);
  });
}
