import type { Sql } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { ingestionOf, type OwnedIngestion } from './ingestion-store.ts';

/** A document of a batch that was not accepted, and why. */
export interface BatchRefusal {
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

export const saveBatch = (
  sql: Sql,
  access: Access,
  batch: { id: string; total: number; refused: readonly BatchRefusal[]; at: Date },
) =>
  sql.batch.create({
    data: {
      instanceNumber: access.instanceNumber,
      id: batch.id,
      total: batch.total,
      refused: sealedRefused(access, batch.id, batch.refused),
      createdAt: batch.at,
    },
  });

/** Keeps which documents of a batch were refused, in place of what was kept of that. */
export const saveRefused = (sql: Sql, access: Access, id: string, refused: readonly BatchRefusal[]) =>
  sql.batch.update({
    where: { instanceNumber_id: { instanceNumber: access.instanceNumber, id } },
    data: { refused: sealedRefused(access, id, refused) },
  });

/** A refusal may quote the caller. */
const sealedRefused = ({ keys }: Access, id: string, refused: readonly BatchRefusal[]) =>
  keys.seal('batch.refused', id, JSON.stringify(refused));

/** A batch with its ingestions, by their places; null when this instance has none. */
export async function findBatch(
  sql: Sql,
  access: Access,
  id: string,
): Promise<{ total: number; refused: readonly BatchRefusal[]; ingestions: Map<number, OwnedIngestion> } | null> {
  const batch = await sql.batch.findUnique({
    where: { instanceNumber_id: { instanceNumber: access.instanceNumber, id } },
  });
  if (!batch) return null;
  const rows = await sql.ingestion.findMany({ where: { batchId: id, instanceNumber: access.instanceNumber } });
  const ingestions = new Map(rows.map((row) => [row.batchIndex!, ingestionOf(row)]));
  return {
    total: batch.total,
    refused: JSON.parse(access.keys.open('batch.refused', id, batch.refused)) as BatchRefusal[],
    ingestions,
  };
}
