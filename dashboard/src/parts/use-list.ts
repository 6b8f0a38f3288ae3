import { useState } from 'react';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useClient, useQuery, type CombinedError } from 'urql';

/** A page of any list of the API. */
export interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
  readonly totalCount?: number;
  readonly isTotalCapped?: boolean;
}

export type More = () => Promise<CombinedError | undefined>;

export interface List<Node> {
  readonly nodes: readonly Node[];
  readonly isLoading: boolean;
  readonly error: CombinedError | undefined;
  /** Of all pages, as far as the server counts; undefined where it does not. */
  readonly total: string | undefined;
  /** Loads the next page, and returns why it could not; undefined where the list has ended. */
  readonly more: More | undefined;
  readonly reload: () => void;
}

/** A list that grows page by page, and begins anew when its variables change. */
export function useList<Data, Variables extends object, Node>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Page<Node> | null | undefined,
): List<Node> {
  const client = useClient();
  const key = JSON.stringify(variables);
  const [grown, setGrown] = useState<{ key: string; pages: readonly Page<Node>[] }>({ key, pages: [] });
  const [{ data, error, fetching }, ask] = useQuery<Data, Variables>({ query, variables });
  const first = data ? pick(data) : undefined;
  const later = grown.key === key ? grown.pages : [];
  const last = later.at(-1) ?? first;

  async function more(): Promise<CombinedError | undefined> {
    const after = last?.pageInfo.endCursor;
    const answer = await client.query(query, { ...variables, after }, { requestPolicy: 'network-only' });
    const page = answer.data ? pick(answer.data) : undefined;
    // What was loaded anew meanwhile begins at its first page, which this one does not follow.
    if (page) setGrown((now) => (now === grown ? { key, pages: [...later, page] } : now));
    return answer.error;
  }

  return {
    nodes: [...(first?.nodes ?? []), ...later.flatMap(({ nodes }) => nodes)],
    isLoading: fetching && !first,
    error: first ? undefined : error,
    total: first?.totalCount === undefined ? undefined : `${shown(first.totalCount)}${first.isTotalCapped ? '+' : ''}`,
    more: last?.pageInfo.hasNextPage ? more : undefined,
    reload() {
      setGrown({ key, pages: [] });
      ask({ requestPolicy: 'network-only' });
    },
  };
}

const shown = (count: number) => count.toLocaleString('en');
