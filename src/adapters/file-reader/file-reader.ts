import { DomainError } from '../../domain/errors.ts';
import type { FileReader, FileReadResult } from '../../domain/ingestion/read-file.ts';
import { openThreadPool, TookTooMuch } from '../thread-pool.ts';
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
  const pool = openThreadPool<typeof tasks>(new URL('./worker.js', import.meta.url), threads);
  async function readInThread(bytes: Uint8Array, name: keyof typeof tasks): Promise<FileReadResult> {
    try {
      return await pool.run(name, Uint8Array.from(bytes), threads);
    } catch (error) {
      // Whatever else a parser stumbled over is in the file.
      return { refusal: error instanceof TookTooMuch ? 'too-costly' : 'damaged' };
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
