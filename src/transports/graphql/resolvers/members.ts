import type { AdminRole } from '../../../domain/tenancy/access.ts';
import { mayReadContent } from '../../../domain/tenancy/roles.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { toCountedConnection, pageRequest } from '../connections.ts';
import { problemsAsResult } from '../outcomes.ts';

const whereOf = ({ clientId }: { clientId?: string | null }) => ({ clientId: clientId ?? null });

/** Resolvers for the dashboard's users, their invitations and roles. */
export const memberResolvers: Resolvers = {
  Query: {
    viewer: (_, __, { app, administrator }) => app.members.viewer(administrator()),
    async members(_, args, { app, administrator }) {
      const [admin, where] = [administrator(), whereOf(args)];
      const page = await app.members.list(admin, where, pageRequest(args));
      return toCountedConnection(page, args, () => app.members.count(admin, where));
    },
    async invitations(_, args, { app, administrator }) {
      const [admin, where] = [administrator(), whereOf(args)];
      const page = await app.members.invitations(admin, where, pageRequest(args));
      return toCountedConnection(page, args, () => app.members.countInvitations(admin, where));
    },
  },
  Mutation: {
    inviteMember: (_, { email, role, ...args }, { app, administrator }) =>
      problemsAsResult('InvitationCreated', ['invalid_input', 'not_found'], async () => {
        const input = { email, role: role as AdminRole, ...whereOf(args) };
        const { secret, invitation } = await app.members.invite(administrator(), input);
        return { invitation, path: `/dashboard/join#${secret}` };
      }),
    revokeInvitation: (_, { id, ...args }, { app, administrator }) =>
      problemsAsResult('InvitationRevoked', ['not_found'], async () => {
        await app.members.revokeInvitation(administrator(), { id, ...whereOf(args) });
        return { id };
      }),
    changeMember: (_, { userId, role, ...args }, { app, administrator }) =>
      problemsAsResult('MemberChanged', ['invalid_input', 'not_found'], async () => {
        const change = { userId, role: role ?? null, ...whereOf(args) };
        await app.members.change(administrator(), change);
        return { userId, role: change.role };
      }),
    createPasswordReset: (_, { userId, ...args }, { app, administrator }) =>
      problemsAsResult('DashboardLink', ['invalid_input', 'not_found'], async () => {
        const asked = { userId, ...whereOf(args) };
        const { secret, expiresAt } = await app.members.createPasswordReset(administrator(), asked);
        return { path: `/dashboard/reset#${secret}`, expiresAt };
      }),
    async createSignInLink(_, __, { app, administrator }) {
      const { secret, expiresAt } = await app.members.createSignInLink(administrator());
      return { path: `/dashboard/open#${secret}`, expiresAt };
    },
    signOutEverywhere: async (_, __, { app, administrator }) => ({
      sessions: await app.members.signOutEverywhere(administrator()),
    }),
  },
  Viewer: {
    readsContent: (_, __, { principal }) => mayReadContent(principal),
  },
};
