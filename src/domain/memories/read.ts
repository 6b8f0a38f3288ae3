import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Configuration } from '../configurations/configuration.ts';
import type { MemoryType } from '../memory-types.ts';
import type { Provenance } from '../extraction/provenance.ts';
import { toPublicId } from '../ids.ts';
import type { Access, NarrowedAccess, Scope } from '../tenancy/access.ts';
import { readableBySql, unchangedBySql } from '../tenancy/readable-by.ts';
import { decryptCategory } from './category-store.ts';
import type { Memory, MemoryStatus } from './memory.ts';
import { possibleSuccessorSql, type PossibleSuccessor } from './possible-supersession-store.ts';
import { accessAndExpiryOf } from './retention.ts';

interface Row {
  readonly id: string;
  readonly ownerNo: number;
  readonly type: MemoryType;
  readonly category: string;
  readonly customCategory: Uint8Array | null;
  readonly status: MemoryStatus;
  readonly content: Uint8Array;
  readonly confidence: number;
  readonly provenance: Provenance;
  readonly eventStart: Date | null;
  readonly eventEnd: Date | null;
  readonly eventPrecision: string | null;
  readonly validFrom: Date;
  readonly validUntil: Date | null;
  readonly supersededBy: string | null;
  readonly supersededReason: Uint8Array | null;
  readonly correctionReason: Uint8Array | null;
  readonly possibleSuccessor: PossibleSuccessor | null;
  readonly dueAt: Date | null;
  readonly configurationVersion: number;
  readonly conversationId: string | null;
  readonly metadata: Uint8Array | null;
  readonly createdAt: Date;
  readonly contentVersion: number;
  readonly scope: Scope;
  readonly userId: string;
  readonly customerId: string;
  readonly accessCount: number | null;
  readonly lastAccessedAt: Date | null;
  /**
   * The columns of the evidence, in order: the caller's id of the document or null, ours, turns as "0,1", the quote.
   */
  readonly externalIds: (string | null)[];
  readonly documentIds: string[];
  readonly turns: string[];
  readonly quotes: Uint8Array[];
  /** The columns of the mentions, by entity and then the longest name first; null: it mentions none. */
  readonly entityIds: string[] | null;
  readonly entityNames: Uint8Array[] | null;
  readonly entityKinds: string[] | null;
}

/** A memory, and where its row is. */
export type MemoryWithRowInfo = Memory & MemoryVersion & { readonly ownerNo: number };

/** A memory by its UUID, in the words that it had after so many corrections. */
export interface MemoryVersion {
  readonly uuid: string;
  readonly contentVersion: number;
}

/** The memories of these UUIDs that `access` may read, in the order of the ids, with all that is shown of them. */
export const readMemories = (sql: Sql, access: Access, configuration: Configuration, ids: readonly string[]) =>
  read(sql, access, configuration, { ids, condition: readableBySql(access, 'memory') });

/** Reads memories; none of them if anything that `access` reads changed since its owners were read. */
export const readMemoriesUnchanged = (
  sql: Sql,
  access: NarrowedAccess,
  configuration: Configuration,
  ids: readonly string[],
) => {
  const condition = Prisma.sql`${unchangedBySql(access)} AND ${readableBySql(access, 'memory')}`;
  return read(sql, access, configuration, { ids, condition });
};

async function read(
  sql: Sql,
  access: Access,
  configuration: Configuration,
  { ids, condition }: { ids: readonly string[]; condition: Prisma.Sql },
): Promise<MemoryWithRowInfo[]> {
  if (!ids.length) return [];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT memory.id, memory.owner_no AS "ownerNo", memory.type, memory.category, memory.own_category AS "customCategory", memory.status, memory.content, memory.confidence, memory.provenance,
      memory.event_start AS "eventStart", memory.event_end AS "eventEnd", memory.event_precision AS "eventPrecision",
      memory.valid_from AS "validFrom", memory.valid_until AS "validUntil", memory.superseded_by AS "supersededBy",
      memory.superseded_reason AS "supersededReason", memory.correction_reason AS "correctionReason", ${possibleSuccessorSql} AS "possibleSuccessor", memory.due_at AS "dueAt",
      memory.configuration_version AS "configurationVersion", memory.conversation_id AS "conversationId", memory.metadata, memory.created_at AS "createdAt", memory.content_version AS "contentVersion",
      o.scope, o.user_id AS "userId", o.customer_id AS "customerId", a.count AS "accessCount",
      a.last_at AS "lastAccessedAt", e.*, n.*
    FROM ${rowsOf(access, ids)} AS memory
    CROSS JOIN LATERAL (SELECT * FROM owner w WHERE w.i = memory.i AND w.owner_no = memory.owner_no OFFSET 0) AS o
    LEFT JOIN LATERAL (
      SELECT * FROM memory_access c WHERE c.i = memory.i AND c.memory_id = memory.id OFFSET 0) AS a ON true
    CROSS JOIN LATERAL (
      SELECT array_agg(v.external_id) AS "externalIds", array_agg(v.document_id) AS "documentIds",
        array_agg(v.turns) AS turns, array_agg(v.quote) AS quotes
      FROM (
        SELECT d.external_id, v.document_id::text, array_to_string(v.turns, ',') AS turns, v.quote
        FROM memory_evidence v LEFT JOIN document d ON d.i = v.i AND d.id = v.document_id
        WHERE v.i = memory.i AND v.memory_id = memory.id ORDER BY v.n) AS v) AS e
    CROSS JOIN LATERAL (
      SELECT array_agg(m.root_id) AS "entityIds", array_agg(m.name) AS "entityNames", array_agg(m.kind) AS "entityKinds"
      FROM (
        SELECT t.root_id::text, m.name, m.kind FROM mention m JOIN entity t ON t.i = m.i AND t.id = m.entity_id
        WHERE m.i = memory.i AND m.memory_id = memory.id ORDER BY t.root_id, length(m.name) DESC, t.id) AS m) AS n
    WHERE ${condition}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [fromRow(access, configuration, row)] : [];
  });
}

function fromRow(access: Access, configuration: Configuration, row: Row): MemoryWithRowInfo {
  const { keys } = access;
  // A restored memory ages from its restoration on, though nobody has used it.
  const accesses = row.lastAccessedAt ? { count: row.accessCount ?? 0, lastAt: row.lastAccessedAt } : undefined;
  return {
    uuid: row.id,
    contentVersion: row.contentVersion,
    ownerNo: row.ownerNo,
    id: toPublicId('memory', row.id),
    type: row.type,
    category: decryptCategory(access, row),
    content: keys.open('memory.content', row.id, row.content),
    confidence: Math.round(row.confidence * 1000) / 1000,
    provenance: row.provenance,
    scope: row.scope,
    userId: row.userId || null,
    customerId: row.customerId || null,
    entities: (row.entityIds ?? []).flatMap((entityId, n, ids) => {
      if (entityId === ids[n - 1]) return []; // by another name
      const name = keys.open('mention.name', row.id, row.entityNames![n]!); // as this memory has it
      return { id: toPublicId('entity', entityId), name, kind: row.entityKinds![n]! };
    }),
    eventStart: row.eventStart,
    eventEnd: row.eventEnd,
    eventPrecision: row.eventPrecision,
    validFrom: row.validFrom,
    validUntil: row.validUntil,
    supersededBy: row.supersededBy && toPublicId('memory', row.supersededBy),
    supersededReason: row.supersededReason && keys.open('memory.superseded_reason', row.id, row.supersededReason),
    correctionReason: row.correctionReason && keys.open('memory.correction_reason', row.id, row.correctionReason),
    possiblyOutdatedBy: row.possibleSuccessor && toPublicId('memory', row.possibleSuccessor.id),
    possiblyOutdatedConfidence: row.possibleSuccessor && row.possibleSuccessor.confidence,
    dueAt: row.dueAt,
    evidence: row.documentIds.map((documentId, n) => ({
      documentId: row.externalIds[n] ?? toPublicId('document', documentId),
      turns: row.turns[n]!.split(',').map(Number),
      quote: keys.open('memory_evidence.quote', row.id, row.quotes[n]!),
    })),
    createdAt: row.createdAt,
    ...accessAndExpiryOf(row, accesses, configuration),
    status: row.status,
    configurationVersion: row.configurationVersion,
    conversationId: row.conversationId,
    metadata: row.metadata && JSON.parse(keys.open('memory.metadata', row.id, row.metadata)),
  };
}

/**
 * The rows of these ids by one look-up each. `OFFSET 0`, here and above, keeps the planner from scanning all that an
 * instance has instead: it does not know how few they are, least of all by a plan made when there was little of it.
 */
const rowsOf = (access: Access, ids: readonly string[]) => Prisma.sql`(
  SELECT found.* FROM unnest(${ids}::uuid[]) AS given (id)
  CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = ${access.instanceNumber} AND m.id = given.id OFFSET 0) AS found)`;
