import type { Sql } from '../../db/database.ts';
import { mapPageRecords, pagesFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { fromPublicId } from '../ids.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { lastIngestions, documentsOf, toDocumentRecord } from './document-store.ts';
import type { DocumentRecord, Ingestion } from './ingestion.ts';

/** A page of the documents of each of the named. */
export async function listDocuments(
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  request: PageRequest,
): Promise<Page<DocumentRecord>[]> {
  const keysetQuery = parsePageRequest('documents', request);
  const rows = await documentsOf(sql, access, named, keysetQuery);
  const pages = pagesFromRows(rows, named.length, keysetQuery, ({ id, receivedAt }) => ({ id, at: receivedAt }));
  return pages.map((page) => mapPageRecords(page, toDocumentRecord));
}

/** The last ingestion of each document, in the order of their public ids; null where there is none. */
export async function lastIngestionsOf(
  sql: Sql,
  access: Access,
  documentIds: readonly string[],
): Promise<(Ingestion | null)[]> {
  const uuids = documentIds.map((id) => fromPublicId('document', id));
  const found = await lastIngestions(
    sql,
    access,
    uuids.flatMap((uuid) => uuid ?? []),
  );
  return uuids.map((uuid) => (uuid && found.get(uuid)) || null);
}
