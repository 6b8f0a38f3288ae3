import { NetworkError, type Client, type RequestParams } from 'graphql-sse';
import type { GraphQLError } from 'graphql';

const connected = new Set<() => void>();

/**
 * Calls back whenever a subscription of this window is open, also again after its connection was lost: what changed
 * before is known to a query only. Returns what ends it.
 */
export function onConnected(listener: () => void): () => void {
  connected.add(listener);
  return () => void connected.delete(listener);
}

/** The subscriptions that lost their connection and wait to be opened again. */
const lost = new Set<object>();
const lostListeners = new Set<() => void>();

function setLost(subscription: object, isLost: boolean) {
  if (isLost) lost.add(subscription);
  else lost.delete(subscription);
  lostListeners.forEach((listener) => listener());
}

/** Whether every subscription of this window is told what happens, in the form of `useSyncExternalStore`. */
export const liveness = {
  isLive: () => lost.size === 0,
  listen(listener: () => void) {
    lostListeners.add(listener);
    return () => void lostListeners.delete(listener);
  },
};

const longestWaitMs = 30_000;

/** A second, twice as long after each attempt, and by chance somewhat less, so that not all windows come back at once. */
const waitMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, longestWaitMs) * (1 - Math.random() / 4);

interface Receiver {
  next(result: object): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * Subscribes, and again whenever the connection is lost or the server completes the stream, as one does that stops; until
 * it refuses this subscriber. Returns what ends it.
 */
export function staySubscribed(streams: Client, request: RequestParams, receiver: Receiver): () => void {
  const subscription = {};
  const ended = new AbortController();
  let [attempts, openedAt, isRefused] = [0, Infinity, false];

  function open() {
    const unsubscribe = streams.subscribe<object>(
      request,
      {
        next(result) {
          isRefused = result.errors?.some(isRefusal) ?? false;
          receiver.next(result);
        },
        error: (error) => (isRefusedConnection(error) ? receiver.error(error) : openAgain()),
        complete: () => (isRefused ? receiver.complete() : openAgain()),
      },
      {
        connected() {
          openedAt = Date.now();
          setLost(subscription, false);
          connected.forEach((listener) => listener());
        },
      },
    );
    ended.signal.addEventListener('abort', unsubscribe, { once: true });
  }
  function openAgain() {
    if (ended.signal.aborted) return; // it completes too when we end it
    if (Date.now() - openedAt > longestWaitMs) attempts = 0;
    openedAt = Infinity;
    setLost(subscription, true);
    const timer = setTimeout(open, waitMs(attempts++));
    ended.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }
  open();
  return () => {
    ended.abort();
    setLost(subscription, false);
  };
}

/** What the server may answer otherwise a moment later. */
const passing = { codes: ['internal', 'unavailable', 'rate_limited'], statuses: [408, 429] };

const isRefusal = ({ extensions }: GraphQLError) => !passing.codes.includes(String(extensions['code']));

const isRefusedConnection = (error: unknown) => {
  const status = (error instanceof NetworkError && error.response?.status) || 0;
  return status >= 400 && status < 500 && !passing.statuses.includes(status);
};
