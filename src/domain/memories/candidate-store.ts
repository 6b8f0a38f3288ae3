import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { CandidateRow } from './candidate-row.ts';
import type { MemoryStatus } from './memory.ts';
import type { MemorySelection } from './memory.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

type SealedRow = Omit<CandidateRow, 'text' | 'speaker'> & { content: Uint8Array; speaker: Uint8Array | null };

/** A candidate as it is stored, with its status and the end of its validity. */
export type SealedCandidate = SealedRow & {
  readonly status: MemoryStatus;
  readonly provenance: Provenance;
  readonly until: Date | null;
};

/**
 * Which rows become candidates: these, and what stands within `reach` turns of the `expanded` in their document; of a
 * long turn of these, within as many passages.
 */
export interface CandidateSelection extends MemorySelection {
  readonly ids: readonly string[];
  readonly expanded: readonly string[];
  readonly reach: number;
}

const columns = Prisma.sql`memory.id, memory.document_id AS "documentId", memory.turn, memory.passage, memory.role,
  memory.speaker, memory.type, memory.content, memory.valid_from AS at`;

/** Reads candidates, in no order. Those that `access` may not read, or that do not hold at the time, are left out. */
export async function readCandidates(
  sql: Sql,
  access: Access,
  { ids, expanded, reach, ...wanted }: CandidateSelection,
): Promise<CandidateRow[]> {
  if (!ids.length && !expanded.length) return [];
  // `OFFSET 0` keeps the planner, which does not know how few they are, at one look-up for each.
  const rows = await sql.$queryRaw<SealedRow[]>`
    SELECT ${columns}
    FROM (
      SELECT unnest(${ids}::uuid[]) AS id
      UNION
      SELECT beside.id FROM unnest(${expanded}::uuid[]) AS given (id)
      CROSS JOIN LATERAL (
        SELECT document_id, turn, passage FROM memory m WHERE m.i = ${access.instanceNumber} AND m.id = given.id OFFSET 0) AS b
      CROSS JOIN LATERAL (
        SELECT n.id FROM memory n
        WHERE n.i = ${access.instanceNumber} AND n.document_id = b.document_id AND n.turn BETWEEN b.turn - ${reach} AND b.turn + ${reach}
          AND (n.turn <> b.turn OR n.passage BETWEEN b.passage - ${reach} AND b.passage + ${reach})
        OFFSET 0) AS beside
    ) AS wanted
    CROSS JOIN LATERAL (
      SELECT * FROM memory m WHERE m.i = ${access.instanceNumber} AND m.id = wanted.id OFFSET 0) AS memory
    WHERE true ${memorySelectionSql('memory', wanted)} AND ${readableBySql(access, 'memory')}`;
  return rows.map((row) => decryptCandidate(access, row));
}

export function decryptCandidate({ keys }: Access, row: SealedRow | SealedCandidate): CandidateRow {
  const { id, documentId, turn, passage, role, type, at, content, speaker } = row;
  return {
    id,
    documentId,
    turn,
    passage,
    role,
    type,
    at,
    text: keys.open('memory.content', id, content),
    speaker: speaker ? keys.open('memory.speaker', id, speaker) : undefined,
  };
}

/** The rows of these memories of one owner, by id. */
export async function readSealedCandidates(
  sql: Sql,
  { instanceNumber, ownerNo }: { instanceNumber: bigint; ownerNo: number },
  ids: readonly string[],
): Promise<Map<string, SealedCandidate>> {
  if (!ids.length) return new Map();
  const rows = await sql.$queryRaw<SealedCandidate[]>`
    SELECT ${columns}, memory.status, memory.provenance, memory.valid_until AS until
    FROM unnest(${ids}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${instanceNumber} AND m.id = given.id OFFSET 0) AS memory
    WHERE memory.i = ${instanceNumber} AND memory.owner_no = ${ownerNo}`;
  return new Map(rows.map((row) => [row.id, row]));
}
