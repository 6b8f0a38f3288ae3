import { createClient as createStreams } from 'graphql-sse';
import {
  cacheExchange,
  Client,
  fetchExchange,
  mapExchange,
  subscriptionExchange,
  type CombinedError,
  type Exchange,
} from 'urql';
import { isSignedOut } from './outcome.ts';
import { ownPageHeaders } from './session.ts';
import { staySubscribed } from './stay-subscribed.ts';

const url = '/graphql';
const chosenClient = 'presage.client';

/** The client as whose member this tab asks, for users who have a role in several. */
export const readChosenClient = () => sessionStorage.getItem(chosenClient) ?? '';
export const chooseClient = (id: string) => sessionStorage.setItem(chosenClient, id);

/** Asks as whoever is signed in; calls back when their session has ended, whatever was asked. */
export const createSessionClient = (onSignedOut: () => void) =>
  createGraphqlClient({ ...asSession, onError: (error) => isSignedOut(error) && onSignedOut() });

/** Asks as an agent does, with an instance key that this tab holds and nobody stores. */
export const createKeyClient = (key: string) =>
  createGraphqlClient({ credentials: 'omit', headers: () => ({ authorization: `Bearer ${key}` }) });

const asSession = { credentials: 'same-origin', headers: () => sessionHeaders() } as const;

/** Options of a request of the session that is sent to its end also while the window closes. */
export const asLastRequest = {
  fetchOptions: () => ({ credentials: asSession.credentials, headers: asSession.headers(), keepalive: true }),
};

function sessionHeaders(): Record<string, string> {
  const client = readChosenClient();
  return { ...ownPageHeaders, ...(client ? { 'presage-client': client } : {}) };
}

interface Asking {
  readonly credentials: RequestCredentials;
  readonly headers: () => Record<string, string>;
  readonly onError?: (error: CombinedError) => void;
}

function createGraphqlClient({ credentials, headers, onError = () => undefined }: Asking): Client {
  // No attempts of the library: they end after some, and a stream that the server completes gets none.
  const streams = createStreams({ url: `${url}/stream`, credentials, headers, retryAttempts: 0 });
  const live: Exchange = subscriptionExchange({
    forwardSubscription: ({ query, variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: staySubscribed(streams, { query: query ?? '', ...(variables ? { variables } : {}) }, sink),
      }),
    }),
  });
  return new Client({
    url,
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: () => ({ credentials, headers: headers() }),
    exchanges: [cacheExchange, mapExchange({ onError }), fetchExchange, live],
  });
}
