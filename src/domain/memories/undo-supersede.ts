import type { Db } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import type { Access } from '../tenancy/access.ts';
import { attributeTimelines, changedValidities, type AttributeStatement } from './attribute-timeline.ts';
import { defineMemoryChange } from './change-memory.ts';
import { changeValidities } from './with-owner-revision.ts';
import { decidePossibleSupersessions } from './possible-supersession-store.ts';
import { findStatements, otherOf, saveSupersessionExclusions } from './statement-store.ts';
import type { MemoryLocation } from './memory-store.ts';

/**
 * Takes back that a later statement replaced this memory: it holds again, with the passage that says the same, and no
 * recomputation lets those two replace one another again. Throws `not_found`, and `conflict` when nothing replaced it.
 */
export const undoSupersede = defineMemoryChange(async (deps, access, { expectedRevision, ...home }) => {
  const pairs = await pairsOf(deps.db, access, home);
  const statements = (await statementsOf(deps.db, access, home)).map((statement) => {
    const undone = pairs.flatMap(({ oldId, newId }) => otherOf(statement.id, oldId, newId));
    return { ...statement, neverReplacedBy: new Set([...(statement.neverReplacedBy ?? []), ...undone]) };
  });
  const statementValidities = changedValidities(statements, attributeTimelines(statements));
  const change = { ownerNo: home.ownerNo, expectedRevision, statementValidities };
  return changeValidities(deps, access, change, async (tx) => {
    await saveSupersessionExclusions(tx, access, pairs, deps.now());
    await decidePossibleSupersessions(tx, access, pairs, { status: 'rejected', decidedAt: deps.now() });
  });
});

type Pair = { oldId: string; newId: string };

const statementsOf = (db: Db, access: Access, { ownerNo, attributeKey }: MemoryLocation) =>
  findStatements(db, access, ownerNo, attributeKey ? [attributeKey] : []);

/** Every statement of the old value that the same one replaced, with every statement of the new value. */
async function pairsOf(db: Db, access: Access, home: MemoryLocation): Promise<Pair[]> {
  const statements = await statementsOf(db, access, home);
  const old = statements.find((statement) => statement.id === home.id);
  const successor = statements.find((statement) => statement.id === old?.statementValidity.supersededBy);
  if (!old || !successor) throw new DomainError('conflict', 'no other memory replaced this one');
  const olds = statements.filter(
    (each) => saysSame(each, old) && each.statementValidity.supersededBy === old.statementValidity.supersededBy,
  );
  const news = statements.filter((each) => saysSame(each, successor));
  return olds.flatMap(({ id: oldId }) => news.map(({ id: newId }) => ({ oldId, newId })));
}

const saysSame = (one: AttributeStatement, other: AttributeStatement): boolean =>
  one.value === other.value && one.sense === other.sense;
