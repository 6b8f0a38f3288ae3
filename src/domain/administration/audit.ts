import { pageOf, stretchOf, type Page, type PageRequest } from '../cursor.ts';
import { instanceIdOf, parseClientId } from '../ids.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import { readClient } from './clients.ts';
import type { Administering } from './instances.ts';
import { listAuditRows, openAudit, type AuditEntry } from './store.ts';

/** Every change of the client and its instances, newest first. Throws `not_found`. */
export async function listAudit(deps: Administering, id: string, request: PageRequest): Promise<Page<AuditEntry>> {
  await readClient(deps.db, id);
  const stretch = stretchOf('audit', request);
  const rows = await listAuditRows(deps.db, parseClientId(id), stretch);
  const ofService = await serviceKeys(deps);
  const page = pageOf(rows, stretch, ({ at, uuid }) => ({ at, id: uuid }));
  const data = await Promise.all(
    page.data.map(async (row) => {
      if (row.i === null) return openAudit(row, ofService);
      const { dataKey: bytes, masterKeyId } = row;
      return openAudit(row, bytes && (await deps.keyRing.keysOf(instanceIdOf(row.i), { bytes, masterKeyId })));
    }),
  );
  return { ...page, data };
}
