import type { Dependencies } from '../dependencies.ts';
import { createAdminToken, listAdminTokens, revokeAdminToken } from '../domain/administration/admin-tokens.ts';
import { listAudit } from '../domain/administration/audit.ts';
import {
  clientsByIds,
  createClient,
  listClients,
  changeClientState,
  readClient,
  renameClient,
} from '../domain/administration/clients.ts';
import { importWorldKnowledge } from '../domain/administration/import-world-knowledge.ts';
import type { ClientEvent, InstanceEvent } from '../domain/administration/state-machines.ts';
import {
  listInstancesOf,
  changeInstanceState,
  readInstance,
  renameInstance,
} from '../domain/administration/instances.ts';
import { purgeInstance } from '../domain/administration/purge-instance.ts';
import { requireVersion } from '../domain/administration/activate-version.ts';
import { activeConfiguration } from '../domain/administration/read-configurations.ts';
import { readStats } from '../domain/administration/stats-store.ts';
import type { PageRequest } from '../domain/pagination.ts';
import { instanceNumberOf, parseClientId, parseInstanceId } from '../domain/ids.ts';
import type { Submission } from '../domain/ingestion/ingestion.ts';
import { previewRetention } from '../domain/memories/expired.ts';
import { listUsage } from '../domain/metering/usage-store.ts';
import type { Admin, AdminRole } from '../domain/tenancy/access.ts';
import { countAdminTokenRecords } from '../domain/tenancy/admin-token-store.ts';
import { accessAsAdmin } from '../domain/tenancy/authenticate.ts';
import { countClientRecords, type ClientFilter } from '../domain/tenancy/client-store.ts';
import { countInstanceRecords, countInstancesOf } from '../domain/tenancy/instance-store.ts';
import { canReachClient, requireClientReach } from '../domain/tenancy/client-reach.ts';

/** The use cases that only an administrator calls, of whatever client or instance they name. */
export const createAdministrationUseCases = (deps: Dependencies) => ({
  clients: (admin: Admin, filter: ClientFilter, page: PageRequest) =>
    listClients(deps.db, { ...filter, id: admin.clientId }, page),
  countClients: (admin: Admin, filter: ClientFilter) => countClientRecords(deps.db, { ...filter, id: admin.clientId }),
  client: async (admin: Admin, id: string) => {
    requireClientReach(admin, id);
    return readClient(deps.db, id);
  },
  /** In the order of the ids; null where there is none. */
  clientsByIds: async (admin: Admin, ids: readonly string[]) =>
    (await clientsByIds(deps.db, ids)).map((client) => (client && canReachClient(admin, client.id) ? client : null)),
  /** A page for each client, in the order of the ids. */
  instancesOfClients: async (admin: Admin, ids: readonly string[], page: PageRequest) => {
    for (const id of ids) requireClientReach(admin, id);
    return listInstancesOf(deps.db, ids, page);
  },
  countInstances: (admin: Admin) => countInstanceRecords(deps.db, { clientId: admin.clientId }),
  /** In the order of the ids. */
  countInstancesOfClients: async (admin: Admin, ids: readonly string[]) => {
    for (const id of ids) requireClientReach(admin, id);
    return countInstancesOf(deps.db, ids);
  },
  createClient: (admin: Admin, input: { name: string }) => createClient(deps, admin, input),
  renameClient: async (admin: Admin, input: { id: string; name: string }) => {
    requireClientReach(admin, input.id);
    return renameClient(deps, admin, input);
  },
  changeClientState: (admin: Admin, input: { id: string; event: Exclude<ClientEvent, 'purge'> }) =>
    changeClientState(deps, admin, input),
  purgeClient: (admin: Admin, id: string) => changeClientState(deps, admin, { id, event: 'purge' }),
  clientUsage: async (admin: Admin, id: string, page: PageRequest) => {
    requireClientReach(admin, id);
    await readClient(deps.db, id);
    await deps.metering.flush(deps.now()); // so that what was called and stored a moment ago is there
    await deps.metering.raisePeaks(deps.now());
    return listUsage(deps.db, parseClientId(id), page);
  },
  clientAudit: async (admin: Admin, id: string, page: PageRequest) => {
    requireClientReach(admin, id);
    return listAudit(deps, id, page);
  },

  /** Finds an instance, also one that is purged. */
  instance: (admin: Admin, id: string) => readReached(deps, admin, id),
  renameInstance: (admin: Admin, input: { id: string; name: string }) => renameInstance(deps, admin, input),
  changeInstanceState: (admin: Admin, input: { id: string; event: Exclude<InstanceEvent, 'purge'> }) =>
    changeInstanceState(deps, admin, input),
  purgeInstance: async (admin: Admin, id: string) => {
    await readReached(deps, admin, id);
    return purgeInstance(deps, admin, id);
  },
  instanceStats: async (admin: Admin, id: string) => {
    const { instanceNumber } = await accessAsAdmin(deps, admin, parseInstanceId(id));
    return readStats(deps.db, instanceNumber);
  },
  importWorldKnowledge: async (admin: Admin, id: string, documents: readonly Submission[]) =>
    importWorldKnowledge(deps, await accessAsAdmin(deps, admin, parseInstanceId(id)), documents),

  /**
   * Previews a retention sweep at this time under a version of the configuration, or the one in force. Changes nothing.
   */
  retention: async (
    admin: Admin,
    id: string,
    { at = deps.now(), version, ...page }: PageRequest & { at?: Date | undefined; version?: number | undefined },
  ) => {
    const access = await accessAsAdmin(deps, admin, parseInstanceId(id));
    const { body } = await (version === undefined
      ? activeConfiguration(deps.db, access)
      : requireVersion(deps.db, access, version));
    return previewRetention(deps.db, access, { ...page, at, retention: body.retention });
  },

  adminTokens: (_admin: Admin, page: PageRequest) => listAdminTokens(deps.db, page),
  countAdminTokens: (_admin: Admin) => countAdminTokenRecords(deps.db),
  /** The token itself is returned only here. */
  createAdminToken: (admin: Admin, input: { role: AdminRole }) => createAdminToken(deps, admin, input),
  revokeAdminToken: (admin: Admin, id: string) => revokeAdminToken(deps, admin, id),
});

/** An instance, also a purged one. Throws `not_found` for one that the administrator does not reach. */
async function readReached(deps: Dependencies, admin: Admin, id: string) {
  const instance = await readInstance(deps.db, { instanceNumber: instanceNumberOf(parseInstanceId(id)) });
  requireClientReach(admin, instance.clientId, 'instance');
  return instance;
}
