import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useSubscription } from 'urql';
import { onConnected } from './client.ts';
import { graphql } from '../generated/index.ts';

const MemoryChanged = graphql(`
  subscription MemoryChanged($instance: ID!, $user: String) {
    memoryChanged(instanceId: $instance, userId: $user) {
      id
    }
  }
`);

/** Changes that follow each other within this time are told as one. */
const together = 400;
/** How often a page asks anew at most: each reading of content by an administrator leaves a row in the audit. */
const atMostEvery = 3_000;

const listenVisible = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/**
 * Calls `onChange` soon after memories of an instance, or of one of its users, were stored or changed by anybody. A
 * window that nobody sees hears nothing, since browsers keep few connections to a server open; it is told once it is seen
 * again.
 */
export function useMemoryChanges(
  { instance, user = null }: { instance: string; user?: string | null },
  onChange: () => void,
) {
  const isVisible = useSyncExternalStore(listenVisible, () => document.visibilityState === 'visible');
  const latest = useRef(onChange);
  latest.current = onChange;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const toldAt = useRef(0);
  const tell = () => {
    const wait = Math.max(together, toldAt.current + atMostEvery - Date.now());
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      toldAt.current = Date.now();
      latest.current();
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
    tell();
    return told;
  });
}
