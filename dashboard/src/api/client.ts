import { createClient as createStreams } from 'graphql-sse';
import { cacheExchange, Client, fetchExchange, subscriptionExchange, type Exchange } from 'urql';
import { ownPageHeaders } from './session.ts';

const url = '/graphql';
const chosenClient = 'presage.client';

/** The client as whose member this tab asks, for users who have a role in several. */
export const readChosenClient = () => sessionStorage.getItem(chosenClient) ?? '';
export const chooseClient = (id: string) => sessionStorage.setItem(chosenClient, id);

/** Asks as whoever is signed in. */
export const createSessionClient = () =>
  createGraphqlClient({ credentials: 'same-origin', headers: () => sessionHeaders() });

/** Asks as an agent does, with an instance key that this tab holds and nobody stores. */
export const createKeyClient = (key: string) =>
  createGraphqlClient({ credentials: 'omit', headers: () => ({ authorization: `Bearer ${key}` }) });

function sessionHeaders(): Record<string, string> {
  const client = readChosenClient();
  return { ...ownPageHeaders, ...(client ? { 'presage-client': client } : {}) };
}

const connected = new Set<() => void>();

/**
 * Calls back whenever a subscription of this window is open, also again after its connection was lost: what changed
 * before is known to a query only. Returns what ends it.
 */
export function onConnected(listener: () => void): () => void {
  connected.add(listener);
  return () => void connected.delete(listener);
}

interface Asking {
  readonly credentials: RequestCredentials;
  readonly headers: () => Record<string, string>;
}

function createGraphqlClient({ credentials, headers }: Asking): Client {
  const streams = createStreams({ url: `${url}/stream`, credentials, headers, retryAttempts: 5 });
  const live: Exchange = subscriptionExchange({
    forwardSubscription: ({ query, variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: streams.subscribe(
          { query: query ?? '', ...(variables ? { variables } : {}) },
          {
            next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
            error: sink.error,
            complete: sink.complete,
          },
          { connected: () => connected.forEach((listener) => listener()) },
        ),
      }),
    }),
  });
  return new Client({
    url,
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: () => ({ credentials, headers: headers() }),
    exchanges: [cacheExchange, fetchExchange, live],
  });
}
