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
  type ClientSelection,
} from '../domain/administration/members.ts';
import { createPasswordReset, resetPassword } from '../domain/administration/password-reset.ts';
import {
  acceptInvitation,
  createSignInLink,
  signIn,
  signOut,
  signOutEverywhere,
  type SignInCredentials,
} from '../domain/administration/sign-in.ts';
import type { PageRequest } from '../domain/pagination.ts';
import type { Admin, AdminRole } from '../domain/tenancy/access.ts';

/** Signs people in to the dashboard and out of it. `from`: the network address of the caller. */
export const createSignInUseCases = (deps: Dependencies) => ({
  signIn: (input: SignInCredentials, from: string) => signIn(deps, input, from),
  acceptInvitation: (input: { link: string; email: string; password: string }, from: string) =>
    acceptInvitation(deps, input, from),
  resetPassword: (input: { link: string; password: string }, from: string) => resetPassword(deps, input, from),
  signOut: (secret: string) => signOut(deps, secret),
});

/** The use cases of those who sign in to the dashboard. */
export const createMemberUseCases = (deps: Dependencies) => ({
  viewer: (admin: Admin) => readViewer(deps, admin),
  /** A link that opens the dashboard once, within an hour, as the admin token does. */
  createSignInLink: (admin: Admin) => createSignInLink(deps, admin),
  signOutEverywhere: (admin: Admin) => signOutEverywhere(deps, admin),
  list: (admin: Admin, where: ClientSelection, page: PageRequest) => listMembers(deps, admin, where, page),
  count: (admin: Admin, where: ClientSelection) => countMembers(deps, admin, where),
  invitations: (admin: Admin, where: ClientSelection, page: PageRequest) => listInvitations(deps, admin, where, page),
  countInvitations: (admin: Admin, where: ClientSelection) => countOpenInvitations(deps, admin, where),
  /** The secret of the link is returned only here. */
  invite: (admin: Admin, input: ClientSelection & { email: string; role: AdminRole }) =>
    inviteMember(deps, admin, input),
  revokeInvitation: (admin: Admin, input: ClientSelection & { id: string }) => revokeInvitation(deps, admin, input),
  /** Gives another role, or none. */
  change: (admin: Admin, input: ClientSelection & { userId: string; role: AdminRole | null }) =>
    changeMember(deps, admin, input),
  /** A link by which a member chooses another password, once, within a day. */
  createPasswordReset: (admin: Admin, input: ClientSelection & { userId: string }) =>
    createPasswordReset(deps, admin, input),
});
