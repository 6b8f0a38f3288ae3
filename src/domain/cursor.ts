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
export const pageOf = <T>(rows: readonly T[], limit: number, place: (row: T) => Place): Page<T> =>
  cut(rows, limit, (row) => cursorAt(place(row)));

/** The same of a list that is ordered by ids of the caller's. */
export const pageById = <T>(rows: readonly T[], limit: number, idOf: (row: T) => string): Page<T> =>
  cut(rows, limit, (row) => cursorAtId(idOf(row)));

function cut<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}

/** The rows of each of several lists that one statement read: `n` is the list that a row is in, from 1. */
export function listsOf<T extends { readonly n: number }>(rows: readonly T[], count: number): T[][] {
  const lists = Array.from({ length: count }, (): T[] => []);
  for (const row of rows) lists[row.n - 1]!.push(row);
  return lists;
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

/** The cursor of a place among ids of the caller's; `idAt` reads it. */
const cursorAtId = (id: string) => Buffer.from(`/${id}`).toString('base64url');

/** Throws `invalid_input` for what no such list gave. */
export function idAt(cursor: string): string {
  const [, id] = /^[/]([^\p{Cc}]+)$/u.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (!id || cursorAtId(id) !== cursor) throw unknownCursor();
  return id;
}

export const unknownCursor = () => invalid('cursor', 'is not one that a list gave; leave it out to begin at the start');
