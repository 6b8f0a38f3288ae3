import type * as tasks from './worker.ts';
import { DomainError, unavailableError } from '../../domain/errors.ts';
import type { FileReader, FileReadResult } from '../../domain/ingestion/read-file.ts';
import { openThreadPool, ResourceLimitExceeded } from '../thread-pool.ts';
import { isDocx, isPdf } from './media-type.ts';
import { limits } from '../../domain/limits.ts';

/** A few files at a time, each of which may cost its thread `heap` MiB and `withinMs`, and no more. */
const threads = { max: 2, heap: 192, idleMs: 10_000, withinMs: 10_000 } as const;
/** Queue limit; further files are refused, since their senders would time out first. */
const mostWaiting = 10;
const retryAfterSeconds = 5;

export interface FileReaderOptions {
  readonly warn: (message: string, error: unknown) => void;
  /** The module of its threads. */
  readonly worker?: URL;
}

/**
 * Reads files in threads. PDF and DOCX are formats in which a few bytes can ask for years or gigabytes, so a thread that
 * takes too long or holds too much is ended, and its file is refused. What a parser stumbles over in a file is an answer
 * of its task; a thread that gives none is a fault of ours, and the file is read once more.
 */
export function openFileReader({
  warn,
  worker = new URL('./worker.js', import.meta.url),
}: FileReaderOptions): FileReader & { close(): Promise<void> } {
  const pool = openThreadPool<typeof tasks>(worker, threads);
  async function readInThread(bytes: Uint8Array, name: keyof typeof tasks, isAgain = false): Promise<FileReadResult> {
    try {
      return await pool.run(name, Uint8Array.from(bytes), threads);
    } catch (error) {
      if (error instanceof ResourceLimitExceeded) return { refusal: 'too-costly' };
      if (!isAgain) return readInThread(bytes, name, true);
      warn('a file could not be read', error);
      throw unavailableError('the file could not be read at the moment: try again', error);
    }
  }
  return {
    async read(bytes) {
      const name = isPdf(bytes) ? 'readPdf' : isDocx(bytes) ? 'readDocx' : null;
      if (!name) return decodeText(bytes);
      if (pool.waiting() >= mostWaiting) {
        const message = 'too many files are being read: try again';
        throw new DomainError('unavailable', message, { details: { retry_after: retryAfterSeconds } });
      }
      return readInThread(bytes, name);
    },
    close: () => pool.close(),
  };
}

/** The text of a file that is nothing but text. */
function decodeText(bytes: Uint8Array): FileReadResult {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return { refusal: 'unknown' };
    if (bytes.length > limits.document.max) return { refusal: 'too-long' };
    return text.trim() ? { text } : { refusal: 'no-text' };
  } catch {
    return { refusal: 'unknown' }; // bytes that are no text
  }
}
