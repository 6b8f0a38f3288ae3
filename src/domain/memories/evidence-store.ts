import type { Sql, Tx } from '../../db/database.ts';
import { inParts } from '../flow/in-parts.ts';
import { rowsSql } from '../../db/rows-sql.ts';
import { groupBy } from '../flow/group-by.ts';
import type { Access } from '../tenancy/access.ts';
import { isTrustedProvenance, type Provenance } from '../extraction/provenance.ts';
import { confidenceOf } from './confidence.ts';
import type { MemoryOrigin } from './memory-store.ts';

/** Words of a document that say what is remembered already. */
export interface RepeatedEvidence {
  readonly memoryId: string;
  /** Place among the evidence of its memory. */
  readonly n: number;
  readonly turns: readonly number[];
  readonly quote: string;
  readonly saidAt: Date;
  /** The confidence of the statement found there. */
  readonly confidence: number;
  /** The speaker there. */
  readonly provenance: Provenance;
  /** The confidence of the memory, with this evidence included. */
  readonly jointConfidence: number;
  /** A trusted source says what only others had said: the memory is theirs from now on. */
  readonly isConfirmed: boolean;
}

/** Notes that known memories were said again. Their owner must be as when this was decided. */
export async function addEvidence(
  tx: Tx,
  { instanceNumber, keys }: Access,
  { documentId }: Pick<MemoryOrigin, 'documentId'>,
  repeats: readonly RepeatedEvidence[],
): Promise<void> {
  if (!repeats.length) return;
  const confirmed = repeats.filter(({ isConfirmed }) => isConfirmed);
  // The last one of each memory counts.
  const confidences = new Map(repeats.map(({ memoryId, jointConfidence: joint }) => [memoryId, joint]));
  await tx.$executeRaw`
    WITH weighed AS (
      UPDATE memory SET confidence = t.confidence
      FROM unnest(${[...confidences.keys()]}::uuid[], ${[...confidences.values()]}::real[]) AS t (id, confidence)
      WHERE memory.id = t.id AND memory.i = ${instanceNumber}
    )
    INSERT INTO memory_evidence (i, memory_id, n, document_id, turns, quote, said_at, confidence, provenance)
    SELECT ${instanceNumber}, memory_id, n, ${documentId}::uuid, string_to_array(turns, ',')::int[], quote, said_at, confidence,
      provenance
    FROM ${rowsSql('t', repeats, [
      ['memory_id', 'uuid', (repeat) => repeat.memoryId],
      ['n', 'int', (repeat) => repeat.n],
      ['turns', 'text', (repeat) => repeat.turns.join(',')],
      ['quote', 'bytea', (repeat) => keys.seal('memory_evidence.quote', repeat.memoryId, repeat.quote)],
      ['said_at', 'timestamptz', (repeat) => repeat.saidAt],
      ['confidence', 'real', (repeat) => repeat.confidence],
      ['provenance', 'text', (repeat) => repeat.provenance],
    ])}`;
  await saveProvenances(
    tx,
    { instanceNumber },
    new Map(confirmed.map(({ memoryId, provenance }) => [memoryId, provenance])),
  );
}

/**
 * Says of memories who said them; returns those of which that is new. A statement of its own: it changes what searches
 * find, and is rarely needed.
 */
async function saveProvenances(
  tx: Tx,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
  provenances: ReadonlyMap<string, Provenance>,
): Promise<string[]> {
  if (!provenances.size) return [];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE memory SET provenance = t.provenance
    FROM unnest(${[...provenances.keys()]}::uuid[], ${[...provenances.values()]}::text[]) AS t (id, provenance)
    WHERE memory.id = t.id AND memory.provenance <> t.provenance AND memory.i = ${instanceNumber} RETURNING memory.id`;
  return rows.map(({ id }) => id);
}

/**
 * Recomputes the confidence of these memories from their remaining evidence. A memory without evidence of a trusted
 * source takes the provenance of its earliest evidence; returns the ids of memories whose provenance changed.
 */
export async function recomputeConfidence(tx: Tx, access: Access, memoryIds: readonly string[]): Promise<string[]> {
  if (!memoryIds.length) return [];
  const rows = await inParts(memoryIds, (part) =>
    tx.memoryEvidence.findMany({
      where: { memoryId: { in: part }, instanceNumber: access.instanceNumber },
      select: { memoryId: true, confidence: true, provenance: true },
      orderBy: { n: 'asc' },
    }),
  );
  const found = groupBy(
    rows,
    ({ memoryId }) => memoryId,
    ({ confidence, provenance }) => ({ confidence, provenance: provenance as Provenance }),
  );
  await tx.$executeRaw`
    UPDATE memory SET confidence = t.confidence
    FROM unnest(${[...found.keys()]}::uuid[], ${[...found.values()].map(confidenceOf)}::real[]) AS t (id, confidence)
    WHERE memory.i = ${access.instanceNumber} AND memory.id = t.id`;
  const untrusted = [...found].filter(
    ([, evidence]) => !evidence.some(({ provenance }) => isTrustedProvenance(provenance)),
  );
  return saveProvenances(tx, access, new Map(untrusted.map(([id, [first]]) => [id, first!.provenance])));
}

/** Evidence of a memory: turns of a document. */
export interface Citation {
  readonly memoryId: string;
  /** Place among the evidence of its memory; some places are empty once documents went. */
  readonly n: number;
  readonly documentId: string;
  readonly turns: readonly number[];
  readonly saidAt: Date;
  readonly provenance: Provenance;
}

const citation = { memoryId: true, n: true, documentId: true, turns: true, saidAt: true, provenance: true } as const;

/** Reads the evidence of these memories, that of each in order. */
export const citationsOf = async (sql: Sql, access: Access, memoryIds: readonly string[]): Promise<Citation[]> =>
  (await inParts(memoryIds, (part) =>
    sql.memoryEvidence.findMany({
      where: { memoryId: { in: part }, instanceNumber: access.instanceNumber },
      select: citation,
      orderBy: { n: 'asc' },
    }),
  )) as Citation[];

/** Reads the evidence in these documents, of any turn. */
export const citationsIn = async (sql: Sql, access: Access, documentIds: readonly string[]): Promise<Citation[]> =>
  (await sql.memoryEvidence.findMany({
    where: { documentId: { in: [...documentIds] }, instanceNumber: access.instanceNumber },
    select: citation,
  })) as Citation[];

/** Reads the evidence in these turns of documents. */
export const citationsOfTurns = async (
  sql: Sql,
  access: Access,
  documents: readonly { documentId: string; turns: readonly number[] }[],
): Promise<Citation[]> =>
  (await sql.memoryEvidence.findMany({
    where: {
      OR: documents.map(({ documentId, turns }) => ({ documentId, turns: { hasSome: [...turns] } })),
      instanceNumber: access.instanceNumber,
    },
    select: citation,
  })) as Citation[];

/** Removes the evidence that documents gave; returns how much there was. */
export async function deleteCitationsIn(tx: Tx, access: Access, documentIds: readonly string[]): Promise<number> {
  const { count } = await tx.memoryEvidence.deleteMany({
    where: { documentId: { in: [...documentIds] }, instanceNumber: access.instanceNumber },
  });
  return count;
}
