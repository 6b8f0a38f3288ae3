import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { cursorAt, placeOf, type Page, type PageRequest, type Place } from '../cursor.ts';
import { printId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { pageOfAgeing, type AgeingMemory } from './expiry-store.ts';
import { isExpired, lastAccessOfExpired } from './retention.ts';

/** How many rows are looked at by one statement. */
const lookedAt = 500;

/** What would go, and under which rule. */
export interface RetentionPreview extends Page<AgeingMemory> {
  readonly at: Date;
  readonly retention: Configuration['retention'];
}

/** What a sweep at this time would take, the oldest first, if nobody used it until then; nothing is changed. */
export async function previewRetention(
  db: Db,
  access: Access,
  { at, limit, cursor }: PageRequest & { at: Date },
): Promise<RetentionPreview> {
  const { retention } = await currentConfiguration(db, access);
  const data: AgeingMemory[] = [];
  for await (const expired of expiredMemories(db, access, { at, after: cursor ? placeOf(cursor) : null })) {
    data.push(...expired);
    if (data.length > limit) break;
  }
  const last = data.at(limit - 1);
  const nextCursor = data.length > limit && last ? cursorAt(placeIn(last)) : null;
  return {
    at,
    retention,
    data: data.slice(0, limit).map((memory) => ({ ...memory, id: printId('memory', memory.id) })),
    nextCursor,
  };
}

/** What is expired at this time, by ids as rows have them, some at a time. */
export async function* expiredMemories(
  db: Db,
  access: Access,
  { at, after }: { at: Date; after: Place | null },
): AsyncGenerator<AgeingMemory[], void, undefined> {
  const { retention } = await currentConfiguration(db, access);
  const accessedBefore = lastAccessOfExpired(retention, at);
  let place = after;
  for (;;) {
    const rows = await pageOfAgeing(db, access, { accessedBefore, after: place, limit: lookedAt });
    const expired = rows.filter((memory) => isExpired(retention, memory, at));
    if (expired.length) yield expired;
    const last = rows.at(-1);
    if (!last || rows.length < lookedAt) return;
    place = placeIn(last);
  }
}

const placeIn = ({ createdAt, id }: AgeingMemory): Place => ({ at: createdAt, id });
