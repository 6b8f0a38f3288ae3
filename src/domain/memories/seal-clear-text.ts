import type { Db } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { readClearCategories, sealCategories } from './category-store.ts';

const batchSize = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Seals the categories that an earlier release wrote in clear, some at a time, until `signal` is aborted. What is sealed
 * is not found again, so it may be stopped and begun again at any point. Returns how many rows it sealed.
 */
export async function sealClearText(db: Db, access: Access, signal: AbortSignal): Promise<number> {
  let [sealed, after] = [0, beforeAll];
  while (!signal.aborted) {
    const rows = await readClearCategories(db, access, { after, limit: batchSize });
    sealed += await sealCategories(db, access, rows);
    if (rows.length < batchSize) break;
    after = rows.at(-1)!.id;
  }
  return sealed;
}
