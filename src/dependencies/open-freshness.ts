import type { Db } from '../db/database.ts';
import { FreshAmongProcesses, hints, type Hint } from '../domain/freshness/among-processes.ts';
import { steadyClock, type Freshness, type Showing } from '../domain/freshness/freshness.ts';
import { freshInOneProcess } from '../domain/freshness/in-one-process.ts';

interface FreshnessOptions {
  readonly db: Db;
  /** There are no other processes. */
  readonly isAlone: boolean;
  readonly showing: Showing;
  /** Tells the other processes, soon. */
  readonly tell: (subject: string) => void;
  readonly warn: (message: string, error: unknown) => void;
}

const isHint = (subject: string): subject is Hint => (hints as readonly string[]).includes(subject);

/** How this process keeps what it shows from going stale, and what it hears of it from the others. */
export function openFreshness({ isAlone, tell, ...d }: FreshnessOptions) {
  if (isAlone) {
    const freshness = freshInOneProcess(d.showing);
    return { freshness, heard: () => false, missed: () => undefined };
  }
  const among = new FreshAmongProcesses({ ...d, tellOthers: tell, clock: steadyClock });
  return {
    freshness: among as Freshness,
    /** Whether what another process told is about a change. */
    heard(subject: string): boolean {
      if (!isHint(subject)) return false;
      among.heard(subject);
      return true;
    },
    missed: () => hints.forEach((hint) => among.heard(hint)),
  };
}
