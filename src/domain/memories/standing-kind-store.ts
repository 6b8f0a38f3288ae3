import { Prisma } from '../../generated/prisma/client.ts';
import { trustedProvenances } from '../extraction/provenance.ts';

/**
 * Which kind of memory that matters whatever is asked a row of `memory` is; SQL null for all others. What is on a day
 * is an appointment, and no state of health. What machines said tells nothing of somebody.
 */
export const standingKindSql = Prisma.sql`CASE
  WHEN memory.type = 'preferences' AND memory.category = 'instruction' THEN 'instruction'
  WHEN memory.type = 'preferences' THEN 'preference'
  WHEN memory.type <> 'facts' OR memory.provenance IN ('assistant', 'tool') THEN NULL
  WHEN memory.category = 'identity' THEN 'identity'
  WHEN memory.category = 'health' AND (memory.attribute_key IS NOT NULL
    OR coalesce(memory.event_precision, 'year') IN ('year', 'season', 'month')) THEN 'health' END`;

/** SQL: the number of times that trusted sources said a memory; what others repeat may be an echo. */
export const trustedEvidenceCountSql = (instanceNumber: bigint, memoryId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT count(*) FROM memory_evidence e
    WHERE e.i = ${instanceNumber} AND e.memory_id = ${memoryId} AND e.provenance = ANY(${[...trustedProvenances]}::text[]))`;
