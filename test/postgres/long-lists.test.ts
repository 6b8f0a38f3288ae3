import { expect, test } from 'vitest';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { newUuid } from '../../src/domain/ids.ts';
import { brokenRules } from '../support/consistency.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();
/** A statement takes 32,766 values. */
const copies = 33_000;

/** Every row of these tables in an instance as often again, with ids of its own for what `renewed` names. */
async function multiply(instanceNumber: bigint, table: string, renewed: Record<string, readonly string[]>) {
  const { db } = world.deps;
  const columns = await db.$queryRaw<{ name: string }[]>`
    SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ${table}`;
  const own = new Map(Object.keys(renewed).map((column, n) => [column, `new_${n}`]));
  // Names of one key are told apart by the number of the copy.
  const special: Record<string, string> = { change: 'DEFAULT', variant: 'n' };
  const values = columns.map(({ name }) => own.get(name) ?? special[name] ?? `a.${name}`);
  const kept = columns.map(({ name }, n) => ({ name, value: values[n]! })).filter(({ value }) => value !== 'DEFAULT');
  const arrays = Object.values(renewed).map((ids) => Prisma.sql`${[...ids]}::uuid[]`);
  await db.$executeRaw`
    INSERT INTO ${Prisma.raw(table)} (${Prisma.raw(kept.map(({ name }) => name).join(', '))})
    SELECT ${Prisma.raw(kept.map(({ value }) => value).join(', '))} FROM (SELECT * FROM ${Prisma.raw(table)} WHERE i = ${instanceNumber} LIMIT 1) AS a
    CROSS JOIN unnest(${Prisma.join(arrays)}) WITH ORDINALITY AS t (${Prisma.raw([...own.values(), 'n'].join(', '))})`;
}

test('a user of more documents, memories and names than a statement takes values is forgotten', async () => {
  const ada = await world.user('ada');
  await ada.says('My sister Jorun lives in York.');
  const { instanceNumber } = ada.access;
  const ids = () => Array.from({ length: copies }, () => newUuid());
  const [documents, ingestions, memories, entities] = [ids(), ids(), ids(), ids()];
  await multiply(instanceNumber, 'document', { id: documents, external_id: documents });
  await multiply(instanceNumber, 'ingestion', { id: ingestions, document_id: documents });
  await multiply(instanceNumber, 'memory', { id: memories, document_id: documents, ingestion_id: ingestions });
  const sealed = memories.map((id) => ada.access.keys.seal('memory.content', id, 'My sister Jorun lives in York.'));
  await world.deps.db.$executeRaw`
    UPDATE memory SET content = t.content FROM unnest(${memories}::uuid[], ${sealed}::bytea[]) AS t (id, content)
    WHERE memory.i = ${instanceNumber} AND memory.id = t.id`;
  await multiply(instanceNumber, 'memory_evidence', { memory_id: memories, document_id: documents });
  await multiply(instanceNumber, 'memory_vector', { memory_id: memories });
  await multiply(instanceNumber, 'entity', { id: entities, root_id: entities });
  await multiply(instanceNumber, 'mention', { memory_id: memories, entity_id: entities });
  const receipt = await world.app.forgetOwner(ada.access, ada.named);
  expect(receipt.remaining).toEqual({ rows: 0, vectors: 0, terms: 0, graphLinks: 0 });
  expect(receipt.memoryIds.length).toBeGreaterThan(copies);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
}, 300_000);
