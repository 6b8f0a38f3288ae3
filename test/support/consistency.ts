import type { Dependencies } from '../../src/dependencies.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';

/**
 * What no instance may hold: a row of one table whose partner in another is missing, and counts that are not those of
 * the rows. Each broken rule with how often it is broken; empty when all is well. Ask when no job is left.
 */
export async function brokenRules(
  { db }: Pick<Dependencies, 'db'>,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
): Promise<Record<string, number>> {
  const counted = await Promise.all(
    Object.entries(rules).map(async ([rule, sql]) => {
      const text = `SELECT count(*)::int AS count FROM ${sql} AND a.i = $1`;
      const [row] = await db.$queryRawUnsafe<{ count: number }[]>(text, instanceNumber);
      return [rule, row!.count] as const;
    }),
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

const without = (table: string, partner: string, on: string, more = 'true') =>
  `${table} a WHERE ${more} AND NOT EXISTS (SELECT 1 FROM ${partner} b WHERE b.i = a.i AND ${on})`;

const rules: Record<string, string> = {
  'a memory has its owner': without('memory', 'owner', 'b.owner_no = a.owner_no'),
  'a memory has evidence': without('memory', 'memory_evidence', 'b.memory_id = a.id'),
  'a memory that is not archived has a vector of its owner': without(
    'memory',
    'memory_vector',
    'b.memory_id = a.id AND b.owner_no = a.owner_no',
    "a.status <> 'archived'",
  ),
  'an archived memory has no vector': `memory_vector a JOIN memory m ON m.i = a.i AND m.id = a.memory_id WHERE m.status = 'archived'`,
  'an archived memory has no words': `memory_term a JOIN memory m ON m.i = a.i AND m.id = a.memory_id WHERE m.status = 'archived'`,
  'a mention is archived with its memory':
    "mention a JOIN memory m ON m.i = a.i AND m.id = a.memory_id WHERE a.is_archived <> (m.status = 'archived')",
  'a memory stands in a document': without('memory', 'document', 'b.id = a.document_id AND b.owner_no = a.owner_no'),
  'a memory is replaced by one that exists': without(
    'memory',
    'memory',
    'b.id = a.superseded_by',
    'a.superseded_by IS NOT NULL',
  ),
  'an older memory that may be outdated exists': without('possible_supersession', 'memory', 'b.id = a.old_id'),
  'a newer memory that may outdate another exists': without('possible_supersession', 'memory', 'b.id = a.new_id'),
  'evidence has its memory': without('memory_evidence', 'memory', 'b.id = a.memory_id'),
  'evidence has its document': without('memory_evidence', 'document', 'b.id = a.document_id'),
  'a vector has its memory': without('memory_vector', 'memory', 'b.id = a.memory_id AND b.owner_no = a.owner_no'),
  'a vector ends with its memory':
    'memory_vector a JOIN memory m ON m.i = a.i AND m.id = a.memory_id WHERE a.valid_until IS DISTINCT FROM m.valid_until',
  'a term has its memory': without('memory_term', 'memory', 'b.id = a.memory_id AND b.owner_no = a.owner_no'),
  'a mention has its memory': without('mention', 'memory', 'b.id = a.memory_id AND b.owner_no = a.owner_no'),
  'a mention has its entity': without('mention', 'entity', 'b.id = a.entity_id'),
  'an entity is mentioned': without('entity', 'mention', 'b.entity_id = a.id'),
  'an entity has its root, which is its own': without('entity', 'entity', 'b.id = a.root_id AND b.root_id = b.id'),
  'an entity that is no root hangs from another': without(
    'entity',
    'entity_merge',
    'b.source_id = a.id AND b.undone_at IS NULL',
    'a.root_id <> a.id',
  ),
  'a root hangs from none': `entity a WHERE a.root_id = a.id AND EXISTS (SELECT 1 FROM entity_merge b
    WHERE b.i = a.i AND b.source_id = a.id AND b.undone_at IS NULL)`,
  'a merge in force joins names of one entity': `entity_merge a WHERE a.undone_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM entity s JOIN entity t ON t.i = s.i AND t.root_id = s.root_id
    WHERE s.i = a.i AND s.id = a.source_id AND t.id = a.target_id)`,
  'a block has its entity': without('entity_blocking_key', 'entity', 'b.id = a.entity_id'),
  'a review has its left side': without('entity_review', 'entity', 'b.id = a.left_id'),
  'a review has its right side': without('entity_review', 'entity', 'b.id = a.right_id'),
  'accesses have their memory': without('memory_access', 'memory', 'b.id = a.memory_id'),
  'an entity has its owner': without('entity', 'owner', 'b.owner_no = a.owner_no'),
  'a document has its owner': without('document', 'owner', 'b.owner_no = a.owner_no'),
  'a document has its ingestion': without('document', 'ingestion', 'b.document_id = a.id'),
  'an ingestion has its document': without('ingestion', 'document', 'b.id = a.document_id'),
  'an ingestion that has not ended has its job': without(
    'ingestion',
    'job',
    "b.payload->>'ingestionId' = a.id::text",
    "a.status NOT IN ('completed', 'failed')",
  ),
  'a conversation has its owner': without('conversation', 'owner', 'b.owner_no = a.owner_no'),
  'a message has its conversation': without('message', 'conversation', 'b.id = a.conversation_id'),
  'what was pushed for a turn has its message': without(
    'turn_anticipation',
    'message',
    'b.conversation_id = a.conversation_id AND b.n = a.n',
  ),
  'what was pushed for a turn tells as much of each memory': `turn_anticipation a
    WHERE (cardinality(a.lead_ms), cardinality(a.used)) <> (cardinality(a.memory_ids), cardinality(a.memory_ids))`,
  'a memory that was pushed for a turn exists': `turn_anticipation a WHERE EXISTS (
    SELECT 1 FROM unnest(a.memory_ids) AS pushed (id)
    WHERE NOT EXISTS (SELECT 1 FROM memory b WHERE b.i = a.i AND b.id = pushed.id))`,
  'a message that is remembered stands in a document': without(
    'message',
    'document',
    'b.id = a.document_id',
    'a.document_id IS NOT NULL',
  ),
  'what is not in a document is to be remembered': `conversation a JOIN message m ON m.i = a.i AND m.conversation_id = a.id
    WHERE (m.document_id IS NULL) <> (m.n >= a.ingested_message_count)`,
  'no active content is held twice by one owner': `memory a WHERE a.status = 'active' AND EXISTS (SELECT 1 FROM memory b
    WHERE b.i = a.i AND b.owner_no = a.owner_no AND b.content_key = a.content_key AND b.status = 'active' AND b.id <> a.id)`,
  'an owner counts its memories': `owner a WHERE a.memory_count <>
    (SELECT count(DISTINCT t.memory_id) FROM memory_term t WHERE t.i = a.i AND t.owner_no = a.owner_no AND t.len > 0)`,
  'an owner counts its stems': `owner a WHERE a.term_total <> (SELECT coalesce(sum(len), 0) FROM
    (SELECT max(t.len) AS len FROM memory_term t WHERE t.i = a.i AND t.owner_no = a.owner_no GROUP BY t.memory_id) AS each)`,
};
