import type { Tx } from '../../db/database.ts';
import { listsOf, pageOf, placeOf, type Page, type PageRequest } from '../cursor.ts';
import { uuidOf } from '../ids.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { lastIngestions, newestDocuments, shownDocument } from './document-store.ts';
import type { DocumentRecord, Ingestion } from './ingestion.ts';

/** A page of the documents of each of the named, newest first. */
export async function listDocuments(
  tx: Tx,
  access: Access,
  named: readonly Named[],
  { limit, cursor }: PageRequest,
): Promise<Page<DocumentRecord>[]> {
  const after = cursor ? placeOf(cursor).id : null;
  const rows = await newestDocuments(tx, access, named, { after, limit: limit + 1 });
  return listsOf(rows, named.length).map((list) => {
    const page = pageOf(list, limit, ({ id, receivedAt }) => ({ id, at: receivedAt }));
    return { ...page, data: page.data.map(shownDocument) };
  });
}

/** The last ingestion of each document, in the order of their printed ids; null where there is none. */
export async function lastIngestionsOf(
  tx: Tx,
  access: Access,
  documentIds: readonly string[],
): Promise<(Ingestion | null)[]> {
  const uuids = documentIds.map((id) => uuidOf('document', id));
  const found = await lastIngestions(
    tx,
    access,
    uuids.flatMap((uuid) => uuid ?? []),
  );
  return uuids.map((uuid) => (uuid && found.get(uuid)) || null);
}
