import type { Dependencies } from '../../src/dependencies.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';

/**
 * What no instance may hold: a row of one table whose partner in another is missing, and counts that are not those of
 * the rows. Each broken rule with how often it is broken; empty when all is well. Ask when no job is left.
 */
export async function brokenRules(
  { db }: Pick<Dependencies, 'db'>,
  { i }: Pick<Access, 'i'>,
): Promise<Record<string, number>> {
  const counted = await Promise.all(
    Object.entries(rules).map(async ([rule, sql]) => {
      const text = `SELECT count(*)::int AS count FROM ${sql} AND a.i = $1`;
      const [row] = await db.$queryRawUnsafe<{ count: number }[]>(text, i);
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
  'a memory has a vector of its owner': without(
    'memory',
    'memory_vector',
    'b.memory_id = a.id AND b.owner_no = a.owner_no',
  ),
  'a memory stands in a document': without('memory', 'document', 'b.id = a.document_id AND b.owner_no = a.owner_no'),
  'a memory is replaced by one that exists': without(
    'memory',
    'memory',
    'b.id = a.superseded_by',
    'a.superseded_by IS NOT NULL',
  ),
  'evidence has its memory': without('memory_evidence', 'memory', 'b.id = a.memory_id'),
  'evidence has its document': without('memory_evidence', 'document', 'b.id = a.document_id'),
  'a vector has its memory': without('memory_vector', 'memory', 'b.id = a.memory_id AND b.owner_no = a.owner_no'),
  'a vector ends with its memory':
    'memory_vector a JOIN memory m ON m.i = a.i AND m.id = a.memory_id WHERE a.valid_until IS DISTINCT FROM m.valid_until',
  'a term has its memory': without('memory_term', 'memory', 'b.id = a.memory_id AND b.owner_no = a.owner_no'),
  'a mention has its memory': without('mention', 'memory', 'b.id = a.memory_id AND b.owner_no = a.owner_no'),
  'a mention has its entity': without('mention', 'entity', 'b.id = a.entity_id'),
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
  'no active content is held twice by one owner': `memory a WHERE a.status = 'active' AND EXISTS (SELECT 1 FROM memory b
    WHERE b.i = a.i AND b.owner_no = a.owner_no AND b.content_key = a.content_key AND b.status = 'active' AND b.id <> a.id)`,
  'an owner counts its memories': `owner a WHERE a.memory_count <>
    (SELECT count(DISTINCT t.memory_id) FROM memory_term t WHERE t.i = a.i AND t.owner_no = a.owner_no)`,
  'an owner counts its stems': `owner a WHERE a.term_total <> (SELECT coalesce(sum(len), 0) FROM
    (SELECT max(t.len) AS len FROM memory_term t WHERE t.i = a.i AND t.owner_no = a.owner_no GROUP BY t.memory_id) AS each)`,
};
