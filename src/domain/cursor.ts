import { invalid } from './errors.ts';
import { isUuid } from './ids.ts';

/** A page of a list; `nextCursor` is null on the last one. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

/** `limit` is 1 to 100. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A place in a list that is ordered by time of creation, then id; newest first. Opaque to callers. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

/** The page of these rows, of which one more than `limit` was read: it tells whether there is a next page. */
export function pageOf<T>(rows: readonly T[], limit: number, place: (row: T) => Place): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? cursorAt(place(last)) : null };
}

/** The cursor of a place; `placeOf` reads it. */
export const cursorAt = ({ at, id }: Place) => Buffer.from(`${at.getTime()}/${id}`).toString('base64url');

/** Throws `invalid_input` for what no list of ours gave. */
export function placeOf(cursor: string): Place {
  const [time, id] = Buffer.from(cursor, 'base64url').toString('utf8').split('/');
  if (!time || !/^\d{1,14}$/.test(time) || !id || !isUuid(id)) {
    throw unknownCursor();
  }
  return { at: new Date(Number(time)), id };
}

export const unknownCursor = () => invalid('cursor', 'is not one that a list gave; leave it out to begin at the start');
