import { nullIfNotFound } from '../../../domain/errors.ts';
import { mapYielding } from '../../../domain/flow/map-yielding.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { toConnection, toCountedConnection, pageRequest, recordWithReader } from '../connections.ts';
import { parseInput, InstanceNameInput, MonthInput, toSubmission } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';
import { changeMemory } from './memories.ts';

const changes = ['invalid_input', 'not_found', 'conflict'] as const;

/** Clients, the lives of instances, and who administers them. */
export const administrationResolvers: Resolvers = {
  Query: {
    deploymentUsage: (_, { month }, { app, administrator }) =>
      app.analytics.usageOf(administrator(), {}, parseInput(MonthInput, { month }).month),
    async clients(_, { state, ...args }, { app, administrator }) {
      const [admin, filter] = [administrator(), { state: state ?? undefined }];
      const page = await app.administration.clients(admin, filter, pageRequest(args));
      return toCountedConnection(page, args, () => app.administration.countClients(admin, filter));
    },
    client: (_, { id }, { app, administrator }) => nullIfNotFound(app.administration.client(administrator(), id)),
    async adminTokens(_, args, { app, administrator }) {
      const admin = administrator();
      const page = await app.administration.adminTokens(admin, pageRequest(args));
      return toCountedConnection(page, args, () => app.administration.countAdminTokens(admin));
    },
    async expiringMemories(_, { instanceId, at, configurationVersion, ...args }, context) {
      const { app, administrator } = context;
      const asked = { ...pageRequest(args), at: at ?? undefined, version: configurationVersion ?? undefined };
      const preview = await app.administration.retention(administrator(), instanceId, asked);
      const { policy, base_days: baseDays, on_expiry: onExpiry } = preview.retention;
      const reader = () => context.reader(instanceId);
      const data = preview.data.map((each) => ({ ...each, reader }));
      return Object.assign(toConnection({ ...preview, data }, args), {
        at: preview.at,
        retention: { policy, baseDays, onExpiry },
      });
    },
  },
  Mutation: {
    createClient: async (_, input, { app, administrator }) =>
      problemsAsResult('Client', changes, async () =>
        app.administration.createClient(administrator(), parseInput(InstanceNameInput, input)),
      ),
    renameClient: async (_, { id, ...input }, { app, administrator }) =>
      problemsAsResult('Client', changes, async () =>
        app.administration.renameClient(administrator(), { id, ...parseInput(InstanceNameInput, input) }),
      ),
    changeClientState: async (_, input, { app, administrator }) =>
      problemsAsResult('Client', changes, async () => {
        const { id, event } = input;
        // Ending a client for good takes a higher role than the other events.
        if (event === 'purge') return app.administration.purgeClient(administrator(), id);
        return app.administration.changeClientState(administrator(), { id, event });
      }),
    renameInstance: async (_, { id, ...input }, { app, administrator }) =>
      problemsAsResult('Instance', changes, async () =>
        app.administration.renameInstance(administrator(), { id, ...parseInput(InstanceNameInput, input) }),
      ),
    changeInstanceState: async (_, input, { app, administrator }) =>
      problemsAsResult('Instance', changes, async () => app.administration.changeInstanceState(administrator(), input)),
    purgeInstance: async (_, { id }, { app, administrator }) =>
      problemsAsResult(
        'Instance',
        changes,
        async () => (await app.administration.purgeInstance(administrator(), id)).instance,
      ),
    importWorldKnowledge: async (_, { instanceId, documents }, { app, administrator }) =>
      problemsAsResult('WorldKnowledgeImport', [...changes, 'payload_too_large'], async () => {
        const admin = administrator();
        const submissions = await mapYielding(documents, toSubmission);
        const batch = await app.administration.importWorldKnowledge(admin, instanceId, submissions);
        return { ...batch, ingestionIds: batch.results.flatMap(({ ingestion }) => ingestion?.id ?? []) };
      }),
    async createAdminToken(_, input, { app, administrator }) {
      const { token, record } = await app.administration.createAdminToken(administrator(), input);
      return { adminToken: record, secret: token };
    },
    revokeAdminToken: async (_, { id }, { app, administrator }) =>
      problemsAsResult('AdminToken', ['not_found', 'conflict'], async () =>
        app.administration.revokeAdminToken(administrator(), id),
      ),
    restoreMemory: async (_, args, context) => changeMemory(context, args, context.app.restoreMemory),
  },
  ExpiringMemory: {
    async memory({ id, reader: open }) {
      const reader = await open();
      return recordWithReader(reader, reader.loaders.memories.load(id));
    },
  },
  Client: {
    instances: async ({ id }, args, { clients }) =>
      toCountedConnection(await clients.instances.load(pageRequest(args), id), args, () =>
        clients.instanceCounts.load(id),
      ),
    usage: async ({ id }, args, { app, administrator }) =>
      toConnection(await app.administration.clientUsage(administrator(), id, pageRequest(args)), args),
    monthlyUsage: ({ id }, { month }, { app, administrator }) =>
      app.analytics.usageOf(administrator(), { clientId: id }, parseInput(MonthInput, { month }).month),
    audit: async ({ id }, args, { app, administrator }) =>
      toConnection(await app.administration.clientAudit(administrator(), id, pageRequest(args)), args),
  },
};
