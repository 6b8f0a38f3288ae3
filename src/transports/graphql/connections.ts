import { placeOfInstance } from '../../domain/administration/instances.ts';
import { cursorAt, idAt, placeOf, type Page, type PageRequest } from '../../domain/cursor.ts';
import { invalid } from '../../domain/errors.ts';
import { parseId, type IdKind } from '../../domain/ids.ts';
import type { Reader } from './context.ts';

interface Listed {
  readonly id: string;
  readonly createdAt: Date;
}

/** The arguments of every list. */
export interface PageArgs {
  readonly first: number;
  readonly after?: string | null;
}

/** The arguments of a list as a page of ours. Throws `invalid_input`. */
export const pageRequest = (args: PageArgs): PageRequest => checked(args, placeOf);

/** The same of a list that is ordered by ids of the caller's. */
export const pageRequestById = (args: PageArgs): PageRequest => checked(args, idAt);

function checked({ first, after }: PageArgs, read: (cursor: string) => unknown): PageRequest {
  if (first < 1 || first > 100) throw invalid('first', 'must be 1 to 100');
  if (after) checkCursor(after, read);
  return { limit: first, cursor: after ?? undefined };
}

/** The domain would call it by another name. */
function checkCursor(after: string, read: (cursor: string) => unknown): void {
  try {
    read(after);
  } catch {
    throw invalid('after', 'is not the cursor of a page; leave it out to begin at the start');
  }
}

/** A page without edges. */
export const pageOf = <T>({ data, nextCursor }: Page<T>) => ({ nodes: data, nextCursor });

/** The same, with who read it. */
export const pageReadBy = <T extends object>(reader: Reader, { data, nextCursor }: Page<T>) => ({
  nodes: data.map((record) => ({ ...record, reader })),
  nextCursor,
});

/** A page as Relay has it. */
export type Connection<T extends Listed> = ReturnType<typeof connection<T>>;

/** A page as a Relay connection. */
export function connection<T extends Listed>(
  page: Page<T>,
  { after }: { after?: string | null },
  cursorOf: (record: T) => string,
) {
  const { data, nextCursor } = page;
  const [first, last] = [data.at(0), data.at(-1)];
  return {
    nodes: data,
    // Most ask for nodes only.
    get edges() {
      return data.map((node) => ({ node, cursor: cursorOf(node) }));
    },
    pageInfo: {
      hasNextPage: nextCursor !== null,
      hasPreviousPage: Boolean(after),
      startCursor: first ? cursorOf(first) : null,
      endCursor: nextCursor ?? (last ? cursorOf(last) : null),
    },
  };
}

/** The place of a record with a typed id, as the lists of the domain count them. */
export const cursorOfKind =
  (kind: IdKind) =>
  ({ id, createdAt }: Listed): string =>
    cursorAt({ at: createdAt, id: parseId(kind, id) });

export const cursorOfInstance = (instance: Listed): string => cursorAt(placeOfInstance(instance));
