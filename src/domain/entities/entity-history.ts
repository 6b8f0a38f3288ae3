import type { Tx } from '../../db/database.ts';
import { printId, uuidOf } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { Merge, MentionEvidence } from './entity.ts';
import { findNames, mergesOf as mergesOfRoots } from './merge-store.ts';
import { readEvidence, readEntitiesById } from './read.ts';

/** Where each of these entities is mentioned, newest first, as far as `access` may read it; in the order of the ids. */
export async function evidenceOf(tx: Tx, access: Access, ids: readonly string[], limit: number): Promise<MentionEvidence[][]> {
  const rootOf = await rootsById(tx, access, ids);
  const found = await readEvidence(tx, access, [...new Set(rootOf.values())], limit);
  return ids.map((id) => found.get(rootOf.get(id) ?? '') ?? []);
}

/** The merges in force of each, newest first, of which `access` may read both names; in the order of the ids. */
export async function mergesOf(tx: Tx, access: Access, ids: readonly string[]): Promise<Merge[][]> {
  const rootOf = await rootsById(tx, access, ids);
  const merges = await mergesOfRoots(tx, access, [...new Set(rootOf.values())]);
  return ids.map((id) => merges.filter((merge) => merge.rootId === rootOf.get(id)).map(({ rootId: _, ...merge }) => merge));
}

/** The UUIDs of the roots of printed ids that the reader may see. */
async function rootsById(tx: Tx, access: Access, ids: readonly string[]): Promise<Map<string, string>> {
  const entities = await readEntitiesById(tx, access, ids);
  const seen = ids.filter((_, n) => entities[n]);
  const names = await findNames(tx, access, seen.flatMap((id) => uuidOf('entity', id) ?? []));
  return new Map(names.map((name) => [printId('entity', name.id), name.rootId]));
}
