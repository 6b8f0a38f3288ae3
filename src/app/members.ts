import type { Dependencies } from '../dependencies.ts';
import {
  changeMember,
  countMembers,
  countOpenInvitations,
  inviteMember,
  listInvitations,
  listMembers,
  readViewer,
  revokeInvitation,
} from '../domain/administration/members.ts';
import { createSignInLink, signOutEverywhere } from '../domain/administration/sign-in.ts';
import type { PageRequest } from '../domain/cursor.ts';
import type { Admin, AdminRole } from '../domain/tenancy/access.ts';

/** The client that is meant; null: all of them. */
interface Where {
  readonly clientId: string | null;
}

/** The use cases of those who sign in to the dashboard. */
export const createMembers = (d: Dependencies) => ({
  viewer: (admin: Admin) => readViewer(d, admin),
  /** A link that opens the dashboard once, within an hour, as the admin token does. */
  createSignInLink: (admin: Admin) => createSignInLink(d, admin),
  signOutEverywhere: (admin: Admin) => signOutEverywhere(d, admin),
  list: (admin: Admin, where: Where, page: PageRequest) => listMembers(d, admin, where, page),
  count: (admin: Admin, where: Where) => countMembers(d, admin, where),
  invitations: (admin: Admin, where: Where, page: PageRequest) => listInvitations(d, admin, where, page),
  countInvitations: (admin: Admin, where: Where) => countOpenInvitations(d, admin, where),
  /** The secret of the link is returned here and never again. */
  invite: (admin: Admin, input: Where & { email: string; role: AdminRole }) => inviteMember(d, admin, input),
  revokeInvitation: (admin: Admin, input: Where & { id: string }) => revokeInvitation(d, admin, input),
  /** Gives another role, or none. */
  change: (admin: Admin, input: Where & { userId: string; role: AdminRole | null }) => changeMember(d, admin, input),
});
