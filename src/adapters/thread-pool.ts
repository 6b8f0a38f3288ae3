import pLimit from 'p-limit';
import { Piscina } from 'piscina';

/** A task exceeded its limit of time or memory, and its thread was ended. */
export class ResourceLimitExceeded extends Error {}

/** The module of a worker: each function that it exports is a task, asked for by its name. */
type Tasks = Readonly<Record<string, (input: never) => unknown>>;

export interface ThreadPool<T extends Tasks> {
  /** The number of tasks that wait for a thread. */
  waiting(): number;
  /** Runs a task in a thread. Throws `ResourceLimitExceeded` when it takes longer than `withinMs`, or more memory than the thread has. */
  run<Name extends keyof T>(
    name: Name & string,
    input: Parameters<T[Name]>[0],
    options?: { readonly withinMs?: number; readonly transferList?: ArrayBuffer[] },
  ): Promise<Awaited<ReturnType<T[Name]>>>;
  close(): Promise<void>;
}

/**
 * The young generation of each thread's heap, in MiB. V8 would let it grow to 48, most of which a thread soon takes
 * and keeps; with a quarter of that, texts take about as long to read.
 */
export const youngHeapMiB = 12;

/**
 * Threads that are there while there is work for them: at most `max`, each ended after `idleMs` without any. `heap`: the
 * memory that each may hold, in MiB, which is given back when it ends.
 */
export function openThreadPool<T extends Tasks>(
  worker: URL,
  { max, idleMs, heap }: { max: number; idleMs: number; heap?: number },
): ThreadPool<T> {
  const pool = new Piscina({
    filename: worker.href,
    minThreads: 0,
    maxThreads: max,
    idleTimeout: idleMs,
    resourceLimits: { maxYoungGenerationSizeMb: youngHeapMiB, ...(heap ? { maxOldGenerationSizeMb: heap } : {}) },
    execArgv: [], // flags of the process, such as those of `node --eval`, may be none that a thread takes
  });
  // The error of a thread that has no task any more: one that is ended for taking too long may run out of memory then.
  pool.on('error', () => undefined);
  // The pool's own queue would count waiting for a thread as time of the task.
  const inTurn = pLimit(max);
  return {
    waiting: () => inTurn.pendingCount,
    run: (name, input, { withinMs, transferList = [] } = {}) =>
      inTurn(async () => {
        const late = withinMs === undefined ? null : AbortSignal.timeout(withinMs);
        try {
          return await pool.run(input, { name, signal: late, transferList });
        } catch (error) {
          throw late?.aborted || isOutOfMemory(error)
            ? new ResourceLimitExceeded('the task exceeded its limit of time or memory', { cause: error })
            : error;
        }
      }),
    close: () => pool.close({ force: true }),
  };
}

const isOutOfMemory = (error: unknown) => (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
