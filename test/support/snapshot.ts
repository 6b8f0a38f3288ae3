import type { Dependencies } from '../../src/dependencies.ts';
import type { Person } from './person.ts';

/**
 * Everything the store holds of a person, opened and without ids and times of ours, so that two people's can be
 * compared: rows, words (keyed alike within one instance), vectors, links and counts.
 */
export async function snapshotOf({ db }: Dependencies, { access, named }: Person) {
  const { instanceNumber, keys } = access;
  const owners = await db.owner.findMany({
    where: { instanceNumber, userId: named.userId ?? '' },
    orderBy: { ownerNo: 'asc' },
  });
  const ownerNo = { in: owners.map((owner) => owner.ownerNo) };
  const memories = await db.memory.findMany({ where: { instanceNumber, ownerNo }, orderBy: { id: 'asc' } });
  const contentOf = new Map(
    memories.map((row) => [row.id, `${row.type}: ${keys.open('memory.content', row.id, row.content)}`]),
  );
  const memoryId = { in: [...contentOf.keys()] };
  const evidence = await db.memoryEvidence.findMany({ where: { instanceNumber, memoryId } });
  const terms = await db.memoryTerm.findMany({ where: { instanceNumber, ownerNo } });
  const mentions = await db.mention.findMany({ where: { instanceNumber, ownerNo } });
  const entities = await db.entity.findMany({
    where: { instanceNumber, id: { in: mentions.map((row) => row.entityId) } },
  });
  const nameOf = new Map(entities.map((row) => [row.id, keys.open('entity.name', row.id, row.name)]));
  const entityId = { in: [...nameOf.keys()] };
  const merges = await db.entityMerge.findMany({ where: { instanceNumber, undoneAt: null, sourceId: entityId } });
  const reviews = await db.entityReview.findMany({ where: { instanceNumber, leftId: entityId } });
  const blocks = await db.entityBlockingKey.findMany({ where: { instanceNumber, entityId } });
  const vectors = await db.$queryRaw<
    { memory_id: string; type: string; valid_until: Date | null; model: string; embedding: string }[]
  >`
    SELECT memory_id, type, valid_until, model, coalesce(embedding, long_embedding)::text AS embedding FROM memory_vector
    WHERE i = ${instanceNumber} AND owner_no = ANY(${ownerNo.in})`;
  const documents = await db.document.findMany({ where: { instanceNumber, ownerNo }, orderBy: { receivedAt: 'asc' } });
  const conversations = await db.conversation.findMany({ where: { instanceNumber, ownerNo }, orderBy: { id: 'asc' } });
  const messages = await db.message.findMany({
    where: { instanceNumber, conversationId: { in: conversations.map(({ id }) => id) } },
    orderBy: [{ conversationId: 'asc' }, { n: 'asc' }],
  });
  const anticipations = await db.turnAnticipation.findMany({
    where: { instanceNumber, conversationId: { in: conversations.map(({ id }) => id) } },
    orderBy: [{ conversationId: 'asc' }, { n: 'asc' }],
  });
  return {
    counts: owners.map(({ scope, memoryCount, termTotal }) => ({ scope, memoryCount, termTotal: Number(termTotal) })),
    memories: memories
      .map((row) => [
        contentOf.get(row.id),
        row.status,
        row.validFrom,
        row.validUntil,
        row.turn,
        row.passage,
        row.role,
        row.provenance,
      ])
      .toSorted(byText),
    evidence: evidence
      .map((row) => [
        contentOf.get(row.memoryId),
        row.turns,
        row.provenance,
        keys.open('memory_evidence.quote', row.memoryId, row.quote),
      ])
      .toSorted(byText),
    terms: terms.map((row) => [contentOf.get(row.memoryId), String(row.term), row.tf, row.len]).toSorted(byText),
    vectors: vectors
      .map((row) => [contentOf.get(row.memory_id), row.type, row.valid_until, row.model, row.embedding])
      .toSorted(byText),
    mentions: mentions
      .map((row) => [
        contentOf.get(row.memoryId),
        nameOf.get(row.entityId),
        row.kind,
        keys.open('mention.name', row.memoryId, row.name),
      ])
      .toSorted(byText),
    merges: merges
      .map((row) => [[nameOf.get(row.sourceId), nameOf.get(row.targetId)].toSorted(), row.reason])
      .toSorted(byText),
    reviews: reviews
      .map((row) => [[nameOf.get(row.leftId), nameOf.get(row.rightId)].toSorted(), row.status])
      .toSorted(byText),
    blocks: blocks.map((row) => [nameOf.get(row.entityId), Buffer.from(row.key).toString('hex')]).toSorted(byText),
    documents: documents.map((row) => keys.open('document.body', row.id, row.body)),
    ingestions: await db.ingestion.count({ where: { instanceNumber, ownerNo } }),
    conversations: conversations.length,
    messages: messages.map((row) => keys.open('message.body', row.id, row.body)),
    anticipations: anticipations.map(({ n, memoryIds, used }) => [n, memoryIds.map((id) => contentOf.get(id)), used]),
  };
}

const byText = (one: unknown, other: unknown) => JSON.stringify(one).localeCompare(JSON.stringify(other));
