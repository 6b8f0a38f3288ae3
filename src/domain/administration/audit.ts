import { pageFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { instanceIdOf, parseClientId } from '../ids.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import { readClient } from './clients.ts';
import type { AdministrationDependencies } from './instances.ts';
import { listAuditRows, decryptAuditEntry, type AuditEntry } from './audit-store.ts';

/** Every change of the client and its instances, newest first. Throws `not_found`. */
export async function listAudit(
  deps: AdministrationDependencies,
  id: string,
  request: PageRequest,
): Promise<Page<AuditEntry>> {
  await readClient(deps.db, id);
  const keysetQuery = parsePageRequest('audit', request);
  const rows = await listAuditRows(deps.db, parseClientId(id), keysetQuery);
  const ofService = await serviceKeys(deps);
  const page = pageFromRows(rows, keysetQuery, ({ at, uuid }) => ({ at, id: uuid }));
  const data = await Promise.all(
    page.data.map(async (row) => {
      if (row.instanceNumber === null) return decryptAuditEntry(row, ofService);
      const { dataKey: bytes, masterKeyId } = row;
      return decryptAuditEntry(
        row,
        bytes && (await deps.keyRing.keysOf(instanceIdOf(row.instanceNumber), { bytes, masterKeyId })),
      );
    }),
  );
  return { ...page, data };
}
