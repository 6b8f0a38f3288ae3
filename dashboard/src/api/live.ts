import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useSubscription } from 'urql';
import { graphql } from '../generated/index.ts';
import { liveness, onConnected } from './stay-subscribed.ts';

const MemoryChanged = graphql(`
  subscription MemoryChanged($instance: ID!, $user: String) {
    memoryChanged(instanceId: $instance, userId: $user) {
      id
    }
  }
`);

/** Why a page is told: it listens from now on and something may have changed since it was loaded, or something did. */
type Cause = 'opened' | 'changed';

/** Changes that follow each other within this time are told as one. */
const together = 400;
/** How often a page asks anew at most. */
const atMostEvery = 3_000;

const listenVisible = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** Whether this window is told what happens; false while a connection is lost. */
export const useIsLive = () => useSyncExternalStore(liveness.listen, liveness.isLive);

/** Calls `onSeen` when this window is seen again, for what no subscription tells of. */
export function useSeenAgain(onSeen: () => void) {
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => listenVisible(() => document.visibilityState === 'visible' && latest.current()), []);
}

/**
 * Calls `onChange` soon after memories of an instance, or of one of its users, were stored or changed by anybody. A
 * window that nobody sees hears nothing, since browsers keep few connections to a server open; it is told once it is seen
 * again.
 */
export function useMemoryChanges(
  { instance, user = null }: { instance: string; user?: string | null },
  onChange: (cause: Cause) => void,
) {
  const isVisible = useSyncExternalStore(listenVisible, () => document.visibilityState === 'visible');
  const latest = useRef(onChange);
  latest.current = onChange;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const toldAt = useRef(0);
  const cause = useRef<Cause>('opened');
  const tell = () => {
    const wait = Math.max(together, toldAt.current + atMostEvery - Date.now());
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      toldAt.current = Date.now();
      latest.current(cause.current);
      cause.current = 'changed'; // also when it is connected again: what happened meanwhile is not known
    }, wait);
  };
  useEffect(() => {
    const stop = onConnected(tell);
    return () => {
      stop();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
  useSubscription({ query: MemoryChanged, variables: { instance, user }, pause: !isVisible }, (_, told) => {
    cause.current = 'changed';
    tell();
    return told;
  });
}
