import type { Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { jointConfidence } from './confidence.ts';
import type { Origin } from './store.ts';

/** Words of a document that say what is remembered already. */
export interface RepeatedEvidence {
  readonly memoryId: string;
  readonly turns: readonly number[];
  readonly quote: string;
  readonly saidAt: Date;
  /** Of what was found there. */
  readonly confidence: number;
}

/** Notes that a known memory was said again. */
export async function addEvidence(
  tx: Tx,
  access: Access,
  origin: Pick<Origin, 'documentId'>,
  repeats: readonly RepeatedEvidence[],
): Promise<void> {
  if (!repeats.length) return;
  const last = await tx.memoryEvidence.groupBy({
    by: ['memoryId'],
    where: { memoryId: { in: repeats.map((repeat) => repeat.memoryId) }, i: access.i },
    _max: { n: true },
  });
  const next = new Map(last.map((row) => [row.memoryId, row._max.n! + 1]));
  await tx.memoryEvidence.createMany({
    data: repeats.map((repeat) => {
      const n = next.get(repeat.memoryId) ?? 0;
      next.set(repeat.memoryId, n + 1);
      return {
        i: access.i,
        memoryId: repeat.memoryId,
        n,
        documentId: origin.documentId,
        turns: [...repeat.turns],
        quote: access.keys.seal('memory_evidence.quote', repeat.memoryId, repeat.quote),
        saidAt: repeat.saidAt,
        confidence: repeat.confidence,
      };
    }),
  });
  await weighEvidence(
    tx,
    access,
    repeats.map(({ memoryId }) => memoryId),
  );
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
export const citationsOf = (tx: Tx, access: Access, memoryIds: readonly string[]): Promise<Citation[]> =>
  tx.memoryEvidence.findMany({
    where: { memoryId: { in: [...memoryIds] }, i: access.i },
    select: citation,
    orderBy: { n: 'asc' },
  });

/** What cites these documents, any turn or one of those named. */
export const citationsIn = (
  tx: Tx,
  access: Access,
  documents: readonly { documentId: string; turns?: readonly number[] }[],
): Promise<Citation[]> =>
  tx.memoryEvidence.findMany({
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
