import { useState, type ReactNode } from 'react';
import { useMemoryChanges } from '../api/live.ts';
import { text } from '../text.ts';
import { Button } from './parts.tsx';

/**
 * Loads a list anew when memories change, by whomever. While it is held, since somebody reads it further on, it stays and a
 * button to load it comes up instead, which is returned.
 */
export function useFresh(
  watched: { instance: string; user?: string | null },
  { isHeld, reload }: { isHeld: boolean; reload: () => void },
): ReactNode {
  const [isStale, setStale] = useState(false);
  const refresh = () => {
    setStale(false);
    reload();
  };
  // What changed before the page listened is unknown, and nobody has read far by then.
  useMemoryChanges(watched, (cause) => (isHeld && cause === 'changed' ? setStale(true) : refresh()));
  return isStale && <Button onClick={refresh}>{text.common.stale}</Button>;
}
