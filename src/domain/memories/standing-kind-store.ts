import { Prisma } from '../../generated/prisma/client.ts';
import { trustedProvenances } from '../extraction/provenance.ts';

/** Which kind of memory that matters whatever is asked a row of `memory` is; SQL null for all others. */
export const standingKindSql = Prisma.sql`CASE
  WHEN memory.type = 'preferences' AND memory.category = 'instruction' THEN 'instruction'
  WHEN memory.type = 'preferences' THEN 'preference'
  WHEN memory.type = 'facts' AND memory.category = 'identity' THEN 'identity' END`;

/** How often a memory was said, by trusted sources: what others repeat may be an echo. */
export const trustedEvidenceCountSql = (instanceNumber: bigint, memoryId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT count(*) FROM memory_evidence e
    WHERE e.i = ${instanceNumber} AND e.memory_id = ${memoryId} AND e.provenance = ANY(${[...trustedProvenances]}::text[]))`;

/** A preference is strong when people say it in so many documents; how often it was read does not count here. */
export const strongStatements = 2;
