import { invalidInputError } from './errors.ts';
import { isUuid } from './ids.ts';

export type SortDirection = 'asc' | 'desc';

/** Every list that is read a page at a time, with its default direction: by time, or by the caller's ids. */
const defaultDirections = {
  'admin tokens': 'desc',
  audit: 'desc',
  clients: 'desc',
  compactions: 'desc',
  configurations: 'desc',
  conversations: 'desc',
  customers: 'asc',
  documents: 'desc',
  entities: 'desc',
  'expiring memories': 'asc',
  ingestions: 'desc',
  instances: 'desc',
  invitations: 'desc',
  keys: 'desc',
  members: 'asc',
  memories: 'desc',
  reviews: 'desc',
  usage: 'desc',
  users: 'asc',
  'webhook deliveries': 'desc',
  webhooks: 'desc',
} as const satisfies Record<string, SortDirection>;
export type ListName = keyof typeof defaultDirections;

/** Counting the rows of a list stops here, so that a count costs no more on a large instance. */
export const maxTotalCount = 10_000;

/** A page of a list; `nextCursor` is null on the last one, and each record has its own in `cursors`. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly cursors: readonly string[];
  readonly nextCursor: string | null;
}

/** `limit` is 1 to 100; without a `direction`, the usual one of the list. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly direction?: SortDirection | undefined;
}

/** A place in a list that is ordered by time of creation, then id. Opaque to callers. */
export interface KeysetPosition {
  readonly at: Date;
  readonly id: string;
}

/** The rows to read for a page: one more than it holds, which tells whether there is a next one. */
export interface KeysetQuery<K = KeysetPosition> {
  readonly list: ListName;
  readonly direction: SortDirection;
  /** The key of the last row of the page before. */
  readonly after: K | undefined;
  readonly limit: number;
}

/** Writes the key of a row into a cursor and reads it back; null for text that was never written. */
interface KeyFormat<K> {
  write(key: K): string;
  read(text: string): K | null;
}

/** A request for a page, with the format of the cursors of its list. */
export interface ParsedPageRequest<K> extends KeysetQuery<K> {
  readonly format: KeyFormat<K>;
}

const positionFormat: KeyFormat<KeysetPosition> = {
  write: ({ at, id }) => `${at.getTime()}/${id}`,
  read: (text) => {
    const [, time, id] = /^(\d{1,14})[/]([^/]+)$/.exec(text) ?? [];
    return time && id && isUuid(id) ? { at: new Date(Number(time)), id } : null;
  },
};

/** For a list that is ordered by the caller's ids. */
export const idFormat: KeyFormat<string> = {
  write: (id) => id,
  read: (text) => (/^\P{Cc}+$/u.test(text) ? text : null),
};

/** For a list that is ordered by version numbers. */
export const versionFormat: KeyFormat<number> = {
  write: String,
  read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null),
};

/** Default format: ordered by creation. Throws `invalid_input` for a cursor of another list or direction. */
export function parsePageRequest(list: ListName, request: PageRequest): ParsedPageRequest<KeysetPosition>;
export function parsePageRequest<K>(list: ListName, request: PageRequest, format: KeyFormat<K>): ParsedPageRequest<K>;
export function parsePageRequest(
  list: ListName,
  { limit, cursor, direction = defaultDirections[list] }: PageRequest,
  format: KeyFormat<unknown> = positionFormat,
): ParsedPageRequest<unknown> {
  const after = cursor ? keyIn(cursor, { list, direction }, format) : undefined;
  return { list, direction, limit: limit + 1, after, format };
}

/** The page of these rows, which were read by the query; `keyOf` gives that by which the list is ordered. */
export function pageFromRows<T, K>(rows: readonly T[], query: ParsedPageRequest<K>, keyOf: (row: T) => K): Page<T> {
  const data = rows.slice(0, query.limit - 1);
  const cursors = data.map((row) => cursorAt(query, query.format.write(keyOf(row))));
  return { data, cursors, nextCursor: rows.length > data.length ? (cursors.at(-1) ?? null) : null };
}

/**
 * The page of each of `count` lists whose rows one statement read by the query: `n` is the list that a row is in, from
 * 1.
 */
export function pagesFromRows<T extends { readonly n: number }, K>(
  rows: readonly T[],
  count: number,
  query: ParsedPageRequest<K>,
  keyOf: (row: T) => K,
): Page<T>[] {
  const lists = Array.from({ length: count }, (): T[] => []);
  for (const row of rows) lists[row.n - 1]!.push(row);
  return lists.map((list) => pageFromRows(list, query, keyOf));
}

/** The page with each record as `map` gives it, without those that it gives undefined for. */
export function mapPageRecords<T, R>(
  { data, cursors, nextCursor }: Page<T>,
  map: (record: T) => R | undefined,
): Page<R> {
  const kept = data.flatMap((record, n) => {
    const mapped = map(record);
    return mapped === undefined ? [] : [{ mapped, cursor: cursors[n]! }];
  });
  return { data: kept.map(({ mapped }) => mapped), cursors: kept.map(({ cursor }) => cursor), nextCursor };
}

type ListOrder = Pick<KeysetQuery, 'list' | 'direction'>;

/** A cursor names its list and direction: a place in another list would silently begin somewhere. */
const cursorAt = ({ list, direction }: ListOrder, key: string) =>
  Buffer.from(`${list}|${direction}|${key}`).toString('base64url');

function keyIn<K>(cursor: string, asked: ListOrder, format: KeyFormat<K>): K {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, list, direction, written] = /^([a-z ]+)[|](asc|desc)[|](.+)$/su.exec(text) ?? [];
  if (!list || !Object.hasOwn(defaultDirections, list) || !written)
    throw invalidInputError('cursor', `is not a cursor that this API returned; ${anew}`);
  if (list !== asked.list)
    throw invalidInputError('cursor', `belongs to the list of ${list}, not to that of ${asked.list}; ${anew}`);
  if (direction !== asked.direction)
    throw invalidInputError('cursor', `belongs to this list in the other order; ${anew}`);
  const key = format.read(written);
  if (key === null || cursorAt(asked, written) !== cursor)
    throw invalidInputError('cursor', `is not a cursor that this API returned; ${anew}`);
  return key;
}

const anew = 'leave it out to begin at the start';
