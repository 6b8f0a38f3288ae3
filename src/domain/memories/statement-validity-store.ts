import type { Tx } from '../../db/database.ts';
import { rowsSql } from '../../db/rows-sql.ts';
import { groupBy } from '../flow/group-by.ts';
import type { VectorWrites } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import type { ChangedValidities, StatementValidity } from './attribute-timeline.ts';

export const statusOf = ({ supersededBy }: StatementValidity) => (supersededBy ? 'superseded' : 'active');

export const sealedReason = ({ keys }: Access, id: string, { supersededBy }: StatementValidity) =>
  supersededBy ? keys.seal('memory.superseded_reason', id, 'a later statement replaces or ends it') : null;

/** Records until when statements hold, once later ones came or went, in the rows and in the index of vectors. */
export async function saveValidities(
  tx: Tx,
  vectors: VectorWrites,
  access: Access,
  statementValidities: ChangedValidities,
): Promise<void> {
  if (!statementValidities.length) return;
  await tx.$executeRaw`
    UPDATE memory SET valid_until = t.valid_until, superseded_by = t.superseded_by,
      superseded_reason = t.superseded_reason,
      status = CASE WHEN memory.status = 'archived' THEN memory.status ELSE t.status END
    FROM ${rowsSql('t', statementValidities, [
      ['id', 'uuid', ({ id }) => id],
      ['valid_until', 'timestamptz', ({ statementValidity }) => statementValidity.validUntil],
      ['superseded_by', 'uuid', ({ statementValidity }) => statementValidity.supersededBy],
      ['superseded_reason', 'bytea', ({ id, statementValidity }) => sealedReason(access, id, statementValidity)],
      ['status', 'text', ({ statementValidity }) => statusOf(statementValidity)],
    ])}
    WHERE memory.id = t.id AND memory.i = ${access.instanceNumber}`;
  const idsByEnd = groupBy(
    statementValidities,
    ({ statementValidity }) => statementValidity.validUntil?.getTime(),
    ({ id }) => id,
  );
  for (const [end, ids] of idsByEnd)
    await vectors.setValidity(tx, access, ids, end === undefined ? null : new Date(end));
}
