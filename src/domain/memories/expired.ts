import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import {
  mapPageRecords,
  pageFromRows,
  parsePageRequest,
  type SortDirection,
  type Page,
  type PageRequest,
  type KeysetPosition,
} from '../pagination.ts';
import { toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { listAgeingMemories, type AgeingMemory } from './expiry-store.ts';
import { isExpired, lastAccessOfExpired } from './retention.ts';

/** The rows that one statement examines. */
const lookedAt = 500;

/** Memories that a sweep would take, and under which rule. */
export interface RetentionPreview extends Page<AgeingMemory> {
  readonly at: Date;
  readonly retention: Configuration['retention'];
}

/** Previews a sweep at this time under this rule, if nobody used the memories until then. Changes nothing. */
export async function previewRetention(
  db: Db,
  access: Access,
  { at, retention, ...request }: PageRequest & { at: Date; retention: Configuration['retention'] },
): Promise<RetentionPreview> {
  const keysetQuery = parsePageRequest('expiring memories', request);
  const rows: AgeingMemory[] = [];
  for await (const expired of expiredMemories(db, access, { at, retention, ...keysetQuery })) {
    rows.push(...expired);
    if (rows.length >= keysetQuery.limit) break;
  }
  const page = mapPageRecords(pageFromRows(rows, keysetQuery, placeIn), (memory) => ({
    ...memory,
    id: toPublicId('memory', memory.id),
  }));
  return { at, retention, ...page };
}

interface ExpiryQuery {
  readonly at: Date;
  readonly retention: Configuration['retention'];
  readonly direction: SortDirection;
  readonly after?: KeysetPosition | undefined;
}

/** Yields the memories that are expired at this time, by the ids of their rows, some at a time. */
export async function* expiredMemories(
  db: Db,
  access: Access,
  { at, retention, direction, after }: ExpiryQuery,
): AsyncGenerator<AgeingMemory[], void, undefined> {
  const accessedBefore = lastAccessOfExpired(retention, at);
  let place = after;
  for (;;) {
    const rows = await listAgeingMemories(db, access, { accessedBefore, direction, after: place, limit: lookedAt });
    const expired = rows.filter((memory) => isExpired(retention, memory, at));
    if (expired.length) yield expired;
    const last = rows.at(-1);
    if (!last || rows.length < lookedAt) return;
    place = placeIn(last);
  }
}

const placeIn = ({ createdAt, id }: AgeingMemory): KeysetPosition => ({ at: createdAt, id });
