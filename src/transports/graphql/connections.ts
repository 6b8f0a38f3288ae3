import { maxTotalCount, type SortDirection, type Page, type PageRequest } from '../../domain/pagination.ts';
import { invalidInputError } from '../../domain/errors.ts';
import type { Reader } from './context.ts';
import { limits, type Limit } from '../../domain/limits.ts';

/** The arguments of every list. */
export interface PageArgs {
  readonly first: number;
  readonly after?: string | null;
  readonly orderBy: SortDirection;
}

/** The arguments of a list as a page of the domain. Throws `invalid_input`. */
export function pageRequest({ first, after, orderBy }: PageArgs): PageRequest {
  requireWithinLimit('first', first, limits.page);
  return { limit: first, cursor: after ?? undefined, direction: orderBy };
}

/** Throws `invalid_input`. */
export function requireWithinLimit(argument: string, value: number, { max }: Limit): void {
  if (value < 1 || value > max) throw invalidInputError(argument, `must be 1 to ${max.toLocaleString('en')}`);
}

/** A page as a Relay connection. */
export type Connection<T> = ReturnType<typeof toConnection<T>>;

export function toConnection<T>({ data, cursors, nextCursor }: Page<T>, { after }: Pick<PageArgs, 'after'>) {
  return {
    nodes: data,
    // Most ask for nodes only.
    get edges() {
      return data.map((node, n) => ({ node, cursor: cursors[n]! }));
    },
    pageInfo: {
      hasNextPage: nextCursor !== null,
      hasPreviousPage: Boolean(after),
      startCursor: cursors[0] ?? null,
      endCursor: nextCursor ?? cursors.at(-1) ?? null,
    },
  };
}

/** A connection that tells how many there are; they are counted when somebody asks. */
export type CountedConnection<T> = Connection<T> & Total;

interface Total {
  totalCount(): Promise<number>;
  isTotalCapped(): Promise<boolean>;
}

/** `count` gives more than `maxTotalCount` where there are more, however many more. */
export function toCountedConnection<T>(
  page: Page<T>,
  args: Pick<PageArgs, 'after'>,
  count: () => Promise<number>,
): CountedConnection<T> {
  let counted: Promise<number> | undefined;
  const total = () => (counted ??= count());
  return Object.assign(toConnection(page, args), {
    totalCount: async () => Math.min(await total(), maxTotalCount),
    isTotalCapped: async () => (await total()) > maxTotalCount,
  });
}

/** The page with who read each record. */
export const withReader = <T extends object>(reader: Reader, page: Page<T>) => ({
  ...page,
  data: page.data.map((record) => ({ ...record, reader })),
});

/** The record, once it is read, with who read it; null where there is none. */
export async function recordWithReader<T extends object>(reader: Reader, reading: Promise<T | null> | null) {
  const record = await reading;
  return record && { ...record, reader };
}
