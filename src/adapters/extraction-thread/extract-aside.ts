import { Worker } from 'node:worker_threads';
import type { Extraction, Turn } from '../../domain/extraction/candidate.ts';
import { extract, type ExtractionOptions } from '../../domain/extraction/extract.ts';

/** What a thread is started with. */
export interface Reading {
  readonly turns: readonly Turn[];
  readonly options: ExtractionOptions;
}

/** Up to so many characters take less time to read than a thread takes to start. */
const readHere = 16_000;

/** Reads a long document in a thread of its own, so that nobody else waits for it; a megabyte takes a second and more. */
export async function extractAside(turns: readonly Turn[], options: ExtractionOptions): Promise<Extraction> {
  if (turns.reduce((sum, { content }) => sum + content.length, 0) <= readHere) return extract(turns, options);
  const reading: Reading = { turns, options };
  // Flags of the process, such as those of `node --eval`, may be none that a worker takes.
  const thread = new Worker(new URL('./extraction-worker.js', import.meta.url), { workerData: reading, execArgv: [] });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the extraction thread ended with code ${code}`)));
  });
}
