import type { Sql, Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { jointConfidence } from './confidence.ts';
import type { Origin } from './store.ts';

/** Words of a document that say what is remembered already. */
export interface RepeatedEvidence {
  readonly memoryId: string;
  /** Place among the evidence of its memory. */
  readonly n: number;
  readonly turns: readonly number[];
  readonly quote: string;
  readonly saidAt: Date;
  /** Of what was found there. */
  readonly confidence: number;
  /** Of the memory, with this. */
  readonly jointConfidence: number;
}

/** Notes that known memories were said again, in one statement. Their owner must be as when this was decided. */
export async function addEvidence(
  tx: Tx,
  { i, keys }: Access,
  { documentId }: Pick<Origin, 'documentId'>,
  repeats: readonly RepeatedEvidence[],
): Promise<void> {
  if (!repeats.length) return;
  const column = <T>(value: (repeat: RepeatedEvidence) => T): T[] => repeats.map(value);
  const confidences = new Map(repeats.map(({ memoryId, jointConfidence: joint }) => [memoryId, joint])); // the last of each
  await tx.$executeRaw`
    WITH weighed AS (
      UPDATE memory SET confidence = t.confidence
      FROM unnest(${[...confidences.keys()]}::uuid[], ${[...confidences.values()]}::real[]) AS t (id, confidence)
      WHERE memory.id = t.id AND memory.i = ${i}
    )
    INSERT INTO memory_evidence (i, memory_id, n, document_id, turns, quote, said_at, confidence)
    SELECT ${i}, memory_id, n, ${documentId}::uuid, string_to_array(turns, ',')::int[], quote, said_at, confidence
    FROM unnest(${column((each) => each.memoryId)}::uuid[], ${column((each) => each.n)}::int[],
      ${column((each) => each.turns.join(','))}::text[],
      ${column((each) => keys.seal('memory_evidence.quote', each.memoryId, each.quote))}::bytea[],
      ${column((each) => each.saidAt.toISOString())}::timestamptz[], ${column((each) => each.confidence)}::real[]
    ) AS t (memory_id, n, turns, quote, said_at, confidence)`;
}

/** Makes the confidence of these memories what their evidence comes to. */
export async function weighEvidence(tx: Tx, access: Access, memoryIds: readonly string[]): Promise<void> {
  if (!memoryIds.length) return;
  const rows = await tx.memoryEvidence.findMany({
    where: { memoryId: { in: [...memoryIds] }, i: access.i },
    select: { memoryId: true, confidence: true },
  });
  const found = new Map<string, number[]>();
  for (const { memoryId, confidence } of rows) found.set(memoryId, [...(found.get(memoryId) ?? []), confidence]);
  await tx.$executeRaw`
    UPDATE memory SET confidence = t.confidence
    FROM unnest(${[...found.keys()]}::uuid[], ${[...found.values()].map(jointConfidence)}::real[]) AS t (id, confidence)
    WHERE memory.i = ${access.i} AND memory.id = t.id`;
}

/** What a memory cites: turns of a document. */
export interface Citation {
  readonly memoryId: string;
  readonly documentId: string;
  readonly turns: readonly number[];
  readonly saidAt: Date;
}

const citation = { memoryId: true, documentId: true, turns: true, saidAt: true } as const;

/** What these memories cite, in order. */
export const citationsOf = (sql: Sql, access: Access, memoryIds: readonly string[]): Promise<Citation[]> =>
  sql.memoryEvidence.findMany({
    where: { memoryId: { in: [...memoryIds] }, i: access.i },
    select: citation,
    orderBy: { n: 'asc' },
  });

/** What cites these documents, any turn or one of those named. */
export const citationsIn = (
  sql: Sql,
  access: Access,
  documents: readonly { documentId: string; turns?: readonly number[] }[],
): Promise<Citation[]> =>
  sql.memoryEvidence.findMany({
    where: {
      OR: documents.map(({ documentId, turns }) => ({
        documentId,
        ...(turns ? { turns: { hasSome: [...turns] } } : {}),
      })),
      i: access.i,
    },
    select: citation,
  });

/** Removes the evidence that documents gave; returns how much there was. */
export async function deleteCitationsIn(tx: Tx, access: Access, documentIds: readonly string[]): Promise<number> {
  const { count } = await tx.memoryEvidence.deleteMany({
    where: { documentId: { in: [...documentIds] }, i: access.i },
  });
  return count;
}
