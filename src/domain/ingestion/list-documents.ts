import type { Sql } from '../../db/database.ts';
import { listsOf, mapPage, pageOf, stretchOf, type Page, type PageRequest } from '../cursor.ts';
import { uuidOf } from '../ids.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { lastIngestions, documentsOf, shownDocument } from './document-store.ts';
import type { DocumentRecord, Ingestion } from './ingestion.ts';

/** A page of the documents of each of the named. */
export async function listDocuments(
  sql: Sql,
  access: Access,
  named: readonly Named[],
  request: PageRequest,
): Promise<Page<DocumentRecord>[]> {
  const stretch = stretchOf('documents', request);
  const rows = await documentsOf(sql, access, named, stretch);
  return listsOf(rows, named.length).map((list) =>
    mapPage(
      pageOf(list, stretch, ({ id, receivedAt }) => ({ id, at: receivedAt })),
      shownDocument,
    ),
  );
}

/** The last ingestion of each document, in the order of their printed ids; null where there is none. */
export async function lastIngestionsOf(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
): Promise<(Ingestion | null)[]> {
  const uuids = documentIds.map((id) => uuidOf('document', id));
  const found = await lastIngestions(
    sql,
    access,
    uuids.flatMap((uuid) => uuid ?? []),
  );
  return uuids.map((uuid) => (uuid && found.get(uuid)) || null);
}
