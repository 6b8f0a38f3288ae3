import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import { DomainError } from '../../domain/errors.ts';
import type { FileReader, FileReading } from '../../domain/ingestion/read-file.ts';
import { isDocx, isPdf } from './media-type.ts';
import { decodeText } from './read-text.ts';
import type * as tasks from './worker.ts';

/** A few files at a time, each of which may cost its thread `heap` MiB and `withinMs`, and no more. */
const threads = { most: 2, heap: 192, idleMs: 10_000, withinMs: 10_000 } as const;
/** More than these wait for nothing: the last of them would wait longer than its sender does. */
const mostWaiting = 10;
const retryAfterSeconds = 5;

/**
 * Reads files in threads. PDF and DOCX are formats in which a few bytes can ask for years or gigabytes, so a thread that
 * takes too long or holds too much is ended, and its file is refused.
 */
export function openFileReader(): FileReader & { close(): Promise<void> } {
  let pool: Piscina | undefined;
  // The pool's own queue would count waiting for a thread as time of the task.
  const inTurn = pLimit(threads.most);
  async function readInThread(bytes: Uint8Array, name: keyof typeof tasks): Promise<FileReading> {
    pool ??= new Piscina({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads.most,
      idleTimeout: threads.idleMs,
      resourceLimits: { maxOldGenerationSizeMb: threads.heap },
      execArgv: [],
    });
    const late = AbortSignal.timeout(threads.withinMs);
    try {
      return (await pool.run(Uint8Array.from(bytes), { name, signal: late })) as FileReading;
    } catch (error) {
      if (late.aborted || isOutOfMemory(error)) return { refusal: 'too-costly' };
      return { refusal: 'damaged' }; // whatever a parser stumbled over is in the file
    }
  }
  return {
    async read(bytes) {
      const name = isPdf(bytes) ? 'readPdf' : isDocx(bytes) ? 'readDocx' : null;
      if (!name) return decodeText(bytes);
      if (inTurn.pendingCount >= mostWaiting) {
        const message = 'too many files are being read: try again';
        throw new DomainError('unavailable', message, { details: { retry_after: retryAfterSeconds } });
      }
      return inTurn(() => readInThread(bytes, name));
    },
    close: async () => pool?.destroy(),
  };
}

const isOutOfMemory = (error: unknown) => (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
