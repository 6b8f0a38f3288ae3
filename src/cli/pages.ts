import type { ApiClient } from './api.ts';
import type { CommandSession } from './command-session.ts';

/** The most that one request reads. */
const pageSize = 100;

/** A page of a list, as every route answers it. */
interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** The first `max` entries of a list, page by page. `path`: with its query. */
export async function readPages<T>(api: ApiClient, path: string, max = Infinity): Promise<Page<T>> {
  const data: T[] = [];
  const joined = path.includes('?') ? '&' : '?';
  let cursor: string | null = null;
  do {
    const limit = Math.min(pageSize, max - data.length);
    const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const page: Page<T> = await api.get(`${path}${joined}limit=${limit}${after}`);
    data.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor && data.length < max);
  return { data, next_cursor: cursor };
}

/** What a query of a list asks for beside its nodes. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }';

/** The beginning of a list of the GraphQL API. */
interface NodeList<Node> {
  readonly data: readonly Node[];
  readonly has_more: boolean;
}

interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * The first `max` nodes of the one list that a query asks an instance for, page by page: the query takes `$first` and
 * `$after`.
 */
export async function readConnection<Node>(
  query: CommandSession['query'],
  text: string,
  variables: Readonly<Record<string, unknown>>,
  max: number,
): Promise<NodeList<Node>> {
  const data: Node[] = [];
  for (let after: string | null = null; ;) {
    const first = Math.min(pageSize, max - data.length);
    const asked = { ...variables, first, after };
    const { instance } = await query<{ instance: Record<string, Connection<Node>> }>(text, asked);
    const [{ nodes, pageInfo: info }] = Object.values(instance) as [Connection<Node>];
    data.push(...nodes);
    if (!info.hasNextPage || data.length >= max) return { data, has_more: info.hasNextPage };
    after = info.endCursor;
  }
}

/** The line below a list of which not all is shown. */
export const moreIf = (hasMore: boolean): string => (hasMore ? '\nThere are more: --limit shows them.' : '');
