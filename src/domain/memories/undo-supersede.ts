import type { Db } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { attributeTimelines, changedTenures, type AttributeStatement } from './attribute-timeline.ts';
import { changeMemory, type Seen } from './change-memory.ts';
import { changeOwner } from './change-owner.ts';
import type { Memory } from './memory.ts';
import { rejectPossible } from './possible-supersession-store.ts';
import type { Removing } from './remove.ts';
import { findStatements, saveUndone } from './statement-store.ts';
import type { MemoryHome } from './store.ts';
import { saveTenures, vectorsBesideTenures } from './tenures.ts';

/**
 * Takes back that a later statement replaced this memory: it holds again, with the passage that says the same, and no
 * recomputation lets those two replace one another again. Throws `not_found`, and `conflict` when nothing replaced it.
 */
export function undoSupersede(
  deps: Removing & { readonly now: () => Date },
  access: Access,
  id: string,
  named: Named,
): Promise<Memory> {
  const change = async (memory: Seen) =>
    apply(deps, access, { ...memory, pairs: await pairsOf(deps.db, access, memory) });
  return changeMemory(deps, access, { id, named, change });
}

type Pair = { oldId: string; newId: string };

const statementsOf = (db: Db, access: Access, { ownerNo, attributeKey }: MemoryHome) =>
  findStatements(db, access, ownerNo, attributeKey ? [attributeKey] : []);

/** Every statement of the old value that the same one replaced, with every statement of the new value. */
async function pairsOf(db: Db, access: Access, home: MemoryHome): Promise<Pair[]> {
  const statements = await statementsOf(db, access, home);
  const old = statements.find((statement) => statement.id === home.id);
  const successor = statements.find((statement) => statement.id === old?.tenure.supersededBy);
  if (!old || !successor) throw new DomainError('conflict', 'no other memory replaced this one');
  const olds = statements.filter((each) => saysSame(each, old) && each.tenure.supersededBy === old.tenure.supersededBy);
  const news = statements.filter((each) => saysSame(each, successor));
  return olds.flatMap(({ id: oldId }) => news.map(({ id: newId }) => ({ oldId, newId })));
}

const saysSame = (one: AttributeStatement, other: AttributeStatement): boolean =>
  one.value === other.value && one.sense === other.sense;

async function apply(
  deps: Removing & { readonly now: () => Date },
  access: Access,
  { seen, pairs, ...home }: Seen & { pairs: readonly Pair[] },
): Promise<true | null> {
  const statements = (await statementsOf(deps.db, access, home)).map((statement) => {
    const undone = pairs.filter(({ oldId, newId }) => oldId === statement.id || newId === statement.id);
    const beside = undone.flatMap(({ oldId, newId }) => [oldId, newId]);
    return { ...statement, standsBeside: new Set([...(statement.standsBeside ?? []), ...beside]) };
  });
  const tenures = changedTenures(statements, attributeTimelines(statements));
  const model = await deps.embedding.serving(access);
  const vectors = await vectorsBesideTenures(deps.db, model, access, tenures);
  const ids = tenures.map(({ id }) => id);
  const change = { ownerNo: home.ownerNo, seen, made: { space: model.space, vectors }, ids };
  return changeOwner(deps, access, change, async (tx) => {
    await saveUndone(tx, access, pairs, deps.now());
    await rejectPossible(tx, access, pairs, deps.now());
    await saveTenures(tx, deps.vectors, access, tenures);
    return true as const;
  });
}
