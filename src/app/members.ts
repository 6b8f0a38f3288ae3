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
import { createPasswordReset, resetPassword } from '../domain/administration/password-reset.ts';
import {
  acceptInvitation,
  createSignInLink,
  signIn,
  signOut,
  signOutEverywhere,
  type SignIn,
} from '../domain/administration/sign-in.ts';
import type { PageRequest } from '../domain/cursor.ts';
import type { Admin, AdminRole } from '../domain/tenancy/access.ts';

/** The client that is meant; null: all of them. */
interface Where {
  readonly clientId: string | null;
}

/** How somebody comes into the dashboard and leaves it. `from`: the network address of whoever asks. */
export const createSigningIn = (d: Dependencies) => ({
  signIn: (given: SignIn, from: string) => signIn(d, given, from),
  acceptInvitation: (given: { link: string; email: string; password: string }, from: string) =>
    acceptInvitation(d, given, from),
  resetPassword: (given: { link: string; password: string }, from: string) => resetPassword(d, given, from),
  signOut: (secret: string) => signOut(d, secret),
});

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
  /** A link by which a member chooses another password, once, within a day. */
  createPasswordReset: (admin: Admin, input: Where & { userId: string }) => createPasswordReset(d, admin, input),
});
