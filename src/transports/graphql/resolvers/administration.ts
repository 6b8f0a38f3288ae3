import type { Resolvers } from '../../../generated/graphql.ts';
import { connection, cursorOfInstance, pageOf, pageRequest } from '../connections.ts';
import { check, given, InstanceName, Named, toSubmission } from '../inputs.ts';
import { orNull } from '../loaders.ts';
import { orProblem } from '../outcomes.ts';

const changes = ['invalid_input', 'not_found', 'conflict'] as const;

/** Clients, the lives of instances, and who administers them. */
export const administration: Resolvers = {
  Query: {
    clients: async (_, { state, ...args }, { app, administrator }) =>
      pageOf(await app.administration.clients(administrator(), { state: state ?? undefined }, pageRequest(args))),
    client: (_, { id }, { app, administrator }) => orNull(app.administration.client(administrator(), id)),
    adminTokens: (_, __, { app, administrator }) => app.administration.adminTokens(administrator()),
    retention: (_, { instanceId, at, ...args }, { app, administrator }) =>
      app.administration.retention(administrator(), instanceId, { ...pageRequest(args), at: at ?? undefined }),
  },
  Mutation: {
    createClient: async (_, input, { app, administrator }) =>
      orProblem('Client', changes, async () =>
        app.administration.createClient(administrator('admin'), check(InstanceName, input)),
      ),
    renameClient: async (_, { id, ...input }, { app, administrator }) =>
      orProblem('Client', changes, async () =>
        app.administration.renameClient(administrator('admin'), { id, ...check(InstanceName, input) }),
      ),
    moveClient: async (_, input, { app, administrator }) =>
      orProblem('Client', changes, async () => app.administration.moveClient(administrator('admin'), input)),
    renameInstance: async (_, { id, ...input }, { app, administrator }) =>
      orProblem('Instance', changes, async () =>
        app.administration.renameInstance(administrator('admin'), { id, ...check(InstanceName, input) }),
      ),
    moveInstance: async (_, input, { app, administrator }) =>
      orProblem('Instance', changes, async () => app.administration.moveInstance(administrator('admin'), input)),
    purgeInstance: async (_, { id }, { app, administrator }) =>
      orProblem(
        'Instance',
        changes,
        async () => (await app.administration.purgeInstance(administrator('owner'), id)).instance,
      ),
    importWorld: async (_, { instanceId, documents }, { app, administrator }) =>
      orProblem('WorldImport', changes, async () => {
        const admin = administrator('admin');
        const batch = await app.administration.importWorld(admin, instanceId, documents.map(toSubmission));
        return { ...batch, ingestionIds: batch.results.flatMap(({ ingestion }) => ingestion?.id ?? []) };
      }),
    async createAdminToken(_, input, { app, administrator }) {
      const { token, record } = await app.administration.createAdminToken(administrator('owner'), input);
      return { adminToken: record, secret: token };
    },
    revokeAdminToken: async (_, { id }, { app, administrator }) =>
      orProblem('AdminToken', ['not_found', 'conflict'], async () =>
        app.administration.revokeAdminToken(administrator('owner'), id),
      ),
    async restoreMemory(_, { memoryId, instanceId, ...args }, context) {
      const reader = await context.writer(instanceId);
      return orProblem('Memory', ['not_found', 'conflict'], async () => ({
        ...(await context.app.restoreMemory(reader.access, memoryId, given(check(Named, args)))),
        reader,
      }));
    },
  },
  Client: {
    instances: async ({ id }, args, { clients }) =>
      connection(await clients.instances.load(pageRequest(args), id), args, cursorOfInstance),
    usage: async ({ id }, args, { app, administrator }) =>
      pageOf(await app.administration.clientUsage(administrator(), id, pageRequest(args))),
    audit: async ({ id }, args, { app, administrator }) =>
      pageOf(await app.administration.clientAudit(administrator(), id, pageRequest(args))),
  },
  RetentionPage: {
    nodes: ({ data }) => data,
    retention: ({ retention }) => ({
      policy: retention.policy,
      baseDays: retention.base_days,
      onExpiry: retention.on_expiry,
    }),
  },
};
