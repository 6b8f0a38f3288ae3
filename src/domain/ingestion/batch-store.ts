import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { ingestionOf, type OwnedIngestion } from './store.ts';

/** A document of a batch that was not accepted, and why. */
export interface Refusal {
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

export const saveBatch = (
  sql: Sql,
  access: Access,
  batch: { id: string; total: number; refused: readonly Refusal[]; at: Date },
) =>
  sql.batch.create({
    data: {
      i: access.i,
      id: batch.id,
      total: batch.total,
      refused: sealedRefused(access, batch.id, batch.refused),
      createdAt: batch.at,
    },
  });

/** Keeps which documents of a batch were refused, in place of what was kept of that. */
export const saveRefused = (sql: Sql, access: Access, id: string, refused: readonly Refusal[]) =>
  sql.batch.update({ where: { i_id: { i: access.i, id } }, data: { refused: sealedRefused(access, id, refused) } });

/** A refusal may quote the caller. */
const sealedRefused = ({ keys }: Access, id: string, refused: readonly Refusal[]) =>
  keys.seal('batch.refused', id, JSON.stringify(refused));

/** A batch with its ingestions, by their places; null when this instance has none. */
export async function findBatch(
  sql: Sql,
  access: Access,
  id: string,
): Promise<{ total: number; refused: readonly Refusal[]; ingestions: Map<number, OwnedIngestion> } | null> {
  const batch = await sql.batch.findUnique({ where: { i_id: { i: access.i, id } } });
  if (!batch) return null;
  const rows = await sql.ingestion.findMany({ where: { batchId: id, i: access.i } });
  const ingestions = new Map(rows.map((row) => [row.batchIndex!, ingestionOf(row)]));
  return {
    total: batch.total,
    refused: JSON.parse(access.keys.open('batch.refused', id, batch.refused)) as Refusal[],
    ingestions,
  };
}
