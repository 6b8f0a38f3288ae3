import type { Dependencies } from '../dependencies.ts';
import { readClient } from '../domain/administration/clients.ts';
import { instanceNumberOf, parseClientId, parseInstanceId } from '../domain/ids.ts';
import { readLatency, readOperations, type LatencyQuery, type TimeRange } from '../domain/metering/read-latency.ts';
import { readMonthlyUsage } from '../domain/metering/read-usage.ts';
import { readInstance } from '../domain/administration/instances.ts';
import { requireClientReach } from '../domain/tenancy/client-reach.ts';
import type { Access, Admin } from '../domain/tenancy/access.ts';

/** The use cases of analytics: how an instance is used, how fast it answers, and what it consumes. */
export const createAnalyticsUseCases = (deps: Dependencies) => ({
  latency: async (access: Access, query: LatencyQuery) => {
    await deps.metering.flush(deps.now()); // so that what happened a moment ago is there
    return readLatency(deps, access, query);
  },
  operations: async (access: Access, span: TimeRange) => {
    await deps.metering.flush(deps.now());
    return readOperations(deps, access, span);
  },
  /** Reads the usage of the present month, unless one is named: `2026-11`. */
  usage: (access: Access, month?: string) => readMonthlyUsage(deps, access, month),
  /**
   * The usage of one instance, of all instances of one client, or of all that the administrator reaches: the whole
   * deployment, or their client.
   */
  usageOf: async (
    admin: Admin,
    { instanceId, clientId = admin.clientId }: { clientId?: string | undefined; instanceId?: string | undefined },
    month?: string,
  ) => {
    if (instanceId !== undefined) {
      const instanceNumber = instanceNumberOf(parseInstanceId(instanceId));
      const instance = await readInstance(deps.db, { instanceNumber });
      requireClientReach(admin, instance.clientId, 'instance');
      return readMonthlyUsage(deps, { instanceNumber }, month);
    }
    if (clientId === undefined) return readMonthlyUsage(deps, 'deployment', month);
    requireClientReach(admin, clientId);
    await readClient(deps.db, clientId);
    return readMonthlyUsage(deps, { clientId: parseClientId(clientId) }, month);
  },
});
