import { EventEmitter } from 'node:events';
import { notFoundError } from '../errors.ts';
import { withDeadline } from '../flow/with-deadline.ts';
import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import { parseId, toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { Ingestion, IngestionResult } from './ingestion.ts';
import { readAcknowledgedIngestion } from './acknowledged-ingestion.ts';
import type { AcceptedDocument } from './accept-document.ts';

/** A run of an ingestion of this instance. */
interface Run {
  readonly instanceNumber: bigint;
  isOver: boolean;
  completed: Ingestion | undefined;
}

const asCompleted = (ingestion: Ingestion, { memoryIds, at, ...stored }: IngestionResult): Ingestion => ({
  ...ingestion,
  ...stored,
  status: 'completed',
  completedAt: at,
  memoryIds: memoryIds.map((id) => toPublicId('memory', id)),
});

/** Tells waiters that ingestions moved. Notices of other processes may be lost: those moves are found by polling. */
export class IngestionProgress {
  readonly #moved = new EventEmitter().setMaxListeners(0);
  readonly #runs = new Map<string, Run>();
  readonly #tellOthers: (ingestionId: string) => void;

  constructor(tellOthers: (ingestionId: string) => void) {
    this.#tellOthers = tellOthers;
  }

  moved(ingestionId: string): void {
    this.movedElsewhere(ingestionId);
    this.#tellOthers(ingestionId);
  }

  /** Takes the notice of another process that an ingestion moved. */
  movedElsewhere(ingestionId: string): void {
    this.#moved.emit(ingestionId);
  }

  /**
   * A worker of this process runs it from now on: who waits for its end is told, and need not look. What is returned is
   * to be called when the run is over, with what it stored, if it did.
   */
  runsHere({
    ingestion,
    access: { instanceNumber },
    work: { ingestionId },
  }: AcceptedDocument): (stored?: IngestionResult) => void {
    const run: Run = { instanceNumber, isOver: false, completed: undefined };
    this.#runs.set(ingestionId, run);
    return (stored) => {
      if (run.isOver) return;
      run.isOver = true;
      run.completed = stored && asCompleted(ingestion, stored);
      this.#runs.delete(ingestionId);
      this.movedElsewhere(ingestionId);
    };
  }

  /** The ingestion once a run in this process has completed it; undefined when none does, and after `ms`: then look. */
  async completedHere(
    instanceNumber: bigint,
    ingestionId: string,
    { ms, signal }: { ms: number; signal: AbortSignal },
  ): Promise<Ingestion | undefined> {
    const until = performance.now() + ms;
    const run = this.#runs.get(ingestionId);
    if (run?.instanceNumber !== instanceNumber) return undefined;
    for (let remaining = ms; remaining > 0 && !run.isOver && !signal.aborted; remaining = until - performance.now()) {
      await this.next(ingestionId, remaining, signal);
    }
    return run.completed;
  }

  /** Resolves when the ingestion moved, at the latest after `ms`. */
  next(ingestionId: string, ms: number, signal: AbortSignal): Promise<void> {
    // By hand: Node 20 collects an `AbortSignal.any` or `.timeout` that nothing else holds, and the wait never ends.
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', goOn);
        this.#moved.off(ingestionId, goOn);
        resolve();
      };
      const timer = setTimeout(goOn, ms);
      signal.addEventListener('abort', goOn, { once: true });
      this.#moved.once(ingestionId, goOn);
    });
  }
}

const lookEveryMs = 500;

/** Yields each state in which an ingestion is seen, to its end. Throws `not_found`. */
export async function* watchIngestion(
  deps: WriteDependencies & { ingestionProgress: IngestionProgress },
  access: Access,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Ingestion, void, undefined> {
  const ingestionId = parseId('ingestion', id);
  let seen: string | undefined;
  while (!signal.aborted) {
    // Listen before reading: no move is missed.
    const moved = deps.ingestionProgress.next(ingestionId, lookEveryMs, signal);
    const ingestion = await readAcknowledgedIngestion(deps, access, ingestionId);
    if (!ingestion) throw notFoundError('ingestion');
    if (ingestion.status !== seen) yield ingestion;
    seen = ingestion.status;
    if (seen === 'completed' || seen === 'failed') return;
    await moved;
  }
}

/** An ingestion as it stands when it has ended, or after `ms`, or when the caller left. Throws `not_found`. */
export async function waitForIngestion(
  deps: WriteDependencies & { ingestionProgress: IngestionProgress },
  access: Access,
  id: string,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<Ingestion> {
  const began = performance.now();
  const completed = await deps.ingestionProgress.completedHere(access.instanceNumber, parseId('ingestion', id), {
    ms,
    signal,
  });
  if (completed) return completed;
  return withDeadline({ ms: ms - (performance.now() - began), signal }, async (ending) => {
    let seen: Ingestion | undefined;
    for await (const ingestion of watchIngestion(deps, access, id, ending)) seen = ingestion;
    // Nothing was seen where the caller had left at once.
    seen ??= (await readAcknowledgedIngestion(deps, access, parseId('ingestion', id))) ?? undefined;
    if (!seen) throw notFoundError('ingestion');
    return seen;
  });
}
