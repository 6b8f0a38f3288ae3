import type { Db } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { attributeTimelines, changedValidities, type AttributeStatement } from './attribute-timeline.ts';
import { changeMemory, type MemoryToChange } from './change-memory.ts';
import { changeValidities } from './with-owner-revision.ts';
import type { Memory } from './memory.ts';
import { decidePossibleSupersessions } from './possible-supersession-store.ts';
import type { RemovalDependencies } from './remove-memories.ts';
import { findStatements, otherOf, saveSupersessionExclusions } from './statement-store.ts';
import type { MemoryLocation } from './memory-store.ts';

/**
 * Takes back that a later statement replaced this memory: it holds again, with the passage that says the same, and no
 * recomputation lets those two replace one another again. Throws `not_found`, and `conflict` when nothing replaced it.
 */
export function undoSupersede(
  deps: RemovalDependencies & { readonly now: () => Date },
  access: Access,
  id: string,
  named: SubjectIds,
): Promise<Memory> {
  const change = async (memory: MemoryToChange) =>
    apply(deps, access, { ...memory, pairs: await pairsOf(deps.db, access, memory) });
  return changeMemory(deps, access, { id, named, change });
}

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

async function apply(
  deps: RemovalDependencies & { readonly now: () => Date },
  access: Access,
  { expectedRevision, pairs, ...home }: MemoryToChange & { pairs: readonly Pair[] },
): Promise<true | null> {
  const statements = (await statementsOf(deps.db, access, home)).map((statement) => {
    const undone = pairs.flatMap(({ oldId, newId }) => otherOf(statement.id, oldId, newId));
    return { ...statement, neverReplacedBy: new Set([...(statement.neverReplacedBy ?? []), ...undone]) };
  });
  const statementValidities = changedValidities(statements, attributeTimelines(statements));
  return changeValidities(
    deps,
    access,
    { ownerNo: home.ownerNo, expectedRevision, statementValidities },
    async (tx) => {
      await saveSupersessionExclusions(tx, access, pairs, deps.now());
      await decidePossibleSupersessions(tx, access, pairs, { status: 'rejected', decidedAt: deps.now() });
    },
  );
}
