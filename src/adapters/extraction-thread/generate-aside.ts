import { Worker } from 'node:worker_threads';
import { invalid } from '../../domain/errors.ts';
import { generate, type Generated } from '../../domain/generation/generate.ts';

/** Up to so many characters nothing takes long to read, however it is written. */
const readHere = 4_000;
/** A page that a person wrote takes a fraction of a second. */
const withinMs = 10_000;

/**
 * The configuration that a use-case file asks for, by rules. A long file is read in a thread of its own, which is ended
 * when it takes too long: Markdown can be written so that reading it takes minutes. Throws `invalid_input` for such a one.
 */
export async function generateAside(useCase: string): Promise<Generated> {
  if (useCase.length <= readHere) return generate(useCase);
  const thread = new Worker(new URL('./generation-worker.js', import.meta.url), { workerData: useCase, execArgv: [] });
  const timer = setTimeout(() => void thread.terminate(), withinMs);
  try {
    return await new Promise<Generated>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', (error) => reject(error instanceof RangeError ? unreadable() : error));
      thread.once('exit', () => reject(unreadable()));
    });
  } finally {
    clearTimeout(timer);
    void thread.terminate();
  }
}

const unreadable = () => invalid('use_case', 'takes too long to read: make it shorter, its lists flatter');
