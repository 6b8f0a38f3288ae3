import type { Sql } from '../../db/database.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { notFoundError } from '../errors.ts';
import { toPublicId, fromPublicId } from '../ids.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import type { Entity, Merge, MentionEvidence } from './entity.ts';
import { findEntityNamesById, readMergesOfEntities as mergesOfRoots } from './merge-store.ts';
import { readEvidence, readEntitiesById } from './read.ts';

const shownEvidence = 10;

/** An entity with the newest of its evidence and the merges it stands on. Throws `not_found`. */
export async function readEntity(
  sql: Sql,
  access: Access,
  id: string,
  named: SubjectIds,
): Promise<Entity & { evidence: readonly MentionEvidence[]; merges: readonly Merge[] }> {
  const reader = await narrowIfSubjectGiven(sql, access, named);
  const [entity] = await readEntitiesById(sql, reader, [id]);
  if (!entity) throw notFoundError('entity');
  const [evidence] = await readMentionEvidence(sql, reader, [entity.id], shownEvidence);
  const [merges] = await readMergeHistory(sql, reader, [entity.id]);
  return { ...entity, evidence: evidence ?? [], merges: merges ?? [] };
}

/** Where each of these entities is mentioned, newest first, as far as `access` may read it; in the order of the ids. */
export async function readMentionEvidence(
  sql: Sql,
  access: Access,
  ids: readonly string[],
  limit: number,
): Promise<MentionEvidence[][]> {
  const rootOf = await rootsById(sql, access, ids);
  const found = await readEvidence(sql, access, [...new Set(rootOf.values())], limit);
  return ids.map((id) => found.get(rootOf.get(id) ?? '') ?? []);
}

/** The merges in force of each, newest first, of which `access` may read both names; in the order of the ids. */
export async function readMergeHistory(sql: Sql, access: Access, ids: readonly string[]): Promise<Merge[][]> {
  const rootOf = await rootsById(sql, access, ids);
  const merges = await mergesOfRoots(sql, access, [...new Set(rootOf.values())]);
  return ids.map((id) => merges.get(rootOf.get(id) ?? '') ?? []);
}

/**
 * The UUIDs of the roots of public ids, whether the reader may see them or not: what is read of a root is filtered by
 * the mentions that the reader may read.
 */
async function rootsById(sql: Sql, access: Access, ids: readonly string[]): Promise<Map<string, string>> {
  const uuids = ids.flatMap((id) => fromPublicId('entity', id) ?? []);
  const names = await findEntityNamesById(sql, access, uuids);
  return new Map(names.map((name) => [toPublicId('entity', name.id), name.rootId]));
}
