import type { Db } from '../db/database.ts';
import { InvalidationAmongProcesses, processHints, type ProcessHint } from '../domain/invalidation/among-processes.ts';
import {
  steadyClock,
  type Invalidation,
  type Revision,
  type InvalidationHandler,
} from '../domain/invalidation/invalidation.ts';
import { invalidationWithinProcess } from '../domain/invalidation/within-process.ts';

interface InvalidationOptions {
  readonly db: Db;
  /** No other process has this database, so that nothing is told or heard. */
  readonly isSingleProcess: boolean;
  readonly handler: InvalidationHandler;
  /** Tells the other processes, soon. */
  readonly tell: (subject: string) => void;
  /** Called with each change that this process committed. */
  readonly committed: (revised: readonly Revision[]) => void;
  readonly warn: (message: string, error: unknown) => void;
}

const isHint = (subject: string): subject is ProcessHint => (processHints as readonly string[]).includes(subject);

/** How this process keeps what it shows from going stale, and what it hears of it from the others. */
export function openInvalidation({ isSingleProcess, tell, ...deps }: InvalidationOptions) {
  if (isSingleProcess) {
    const invalidation = invalidationWithinProcess(deps.handler, deps.committed);
    return { invalidation, heard: () => false, missed: () => undefined };
  }
  const among = new InvalidationAmongProcesses({ ...deps, tellOthers: tell, clock: steadyClock });
  return {
    invalidation: among as Invalidation,
    /** Takes the notice of another process; false: it is about no change. */
    heard(subject: string): boolean {
      if (!isHint(subject)) return false;
      among.heard(subject);
      return true;
    },
    missed: () => processHints.forEach((hint) => among.heard(hint)),
  };
}
