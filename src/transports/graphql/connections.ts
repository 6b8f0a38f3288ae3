import { placeOfInstance } from '../../domain/administration/instances.ts';
import { cursorAt, placeOf, type Page, type PageRequest } from '../../domain/cursor.ts';
import { invalid } from '../../domain/errors.ts';
import { parseId, type IdKind } from '../../domain/ids.ts';

interface Listed {
  readonly id: string;
  readonly createdAt: Date;
}

/** The arguments of a connection as a page of ours. Throws `invalid_input`. */
export function pageRequest({ first, after }: { first: number; after?: string | null }): PageRequest {
  if (first < 1 || first > 100) throw invalid('first', 'must be 1 to 100');
  if (after) checkCursor(after);
  return { limit: first, cursor: after ?? undefined };
}

/** The domain would call it by another name. */
function checkCursor(after: string): void {
  try {
    placeOf(after);
  } catch {
    throw invalid('after', 'is not the cursor of a page; leave it out to begin at the start');
  }
}

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
