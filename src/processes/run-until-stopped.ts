/* oxlint-disable no-console -- the last words of a process that has no log yet, or no longer */
import { constants } from 'node:os';

/** A process that has been started. */
interface RunningProcess {
  /** Rejects with the reason when it cannot go on. */
  readonly failed?: Promise<never>;
  close(): Promise<void>;
}

/** After the closing, the loop may take so long to empty: what still runs was abandoned, such as a thread that reads. */
const lingerMs = 500;
/** The time to stop: less than the ten seconds after which Docker kills. */
const stopWithinMs = 8_000;

/**
 * Starts, waits for SIGINT or SIGTERM, and closes. An error ends it with one readable message.
 * Whatever hangs meanwhile, the process ends eight seconds after a signal, and at once after a second one.
 */
export async function runUntilStopped(start: () => Promise<RunningProcess>): Promise<void> {
  let limit: NodeJS.Timeout | undefined; // until all is closed, it also keeps the loop from being empty
  const stop = new Promise<void>((resolve) => {
    const end = (signal: 'SIGINT' | 'SIGTERM') => {
      if (limit) process.exit(128 + constants.signals[signal]);
      limit = setTimeout(endNow, stopWithinMs);
      if (process.stderr.isTTY) console.error('stopping');
      resolve();
    };
    process.on('SIGINT', end).on('SIGTERM', end);
  });
  try {
    const running = await start();
    const failing = running.failed?.catch((error: unknown) => {
      tell(error);
      process.exit(1); // what failed cannot be closed
    });
    await Promise.race([stop, failing ?? stop]);
    await running.close();
  } catch (error) {
    tell(error);
    process.exitCode = 1;
  }
  clearTimeout(limit);
  setTimeout(() => process.exit(), lingerMs).unref();
}

function endNow(): void {
  const seconds = stopWithinMs / 1_000;
  tell(`it did not stop within ${seconds} seconds and was ended; what it accepted is kept, and goes on at a start`);
  process.exit(1);
}

function tell(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const isJson = process.argv.includes('--json'); // as every command tells its errors then
  console.error(isJson ? JSON.stringify({ error: { code: 'failed', message } }) : `presage: ${message}`);
  if (process.env['LOG_LEVEL'] === 'debug') console.error(error);
}
