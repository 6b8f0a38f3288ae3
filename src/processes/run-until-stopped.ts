/* oxlint-disable no-console -- the last words of a process that has no log yet, or no longer */

/** Starts, waits for SIGINT or SIGTERM, closes, and lets the loop empty. An error ends it with one readable message. */
export async function runUntilStopped(start: () => Promise<{ close(): Promise<void> }>): Promise<void> {
  const stop = new Promise<void>((resolve) => {
    const end = () => {
      if (process.stderr.isTTY) console.error('stopping');
      resolve();
    };
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });
  try {
    const service = await start();
    await stop;
    await service.close();
  } catch (error) {
    console.error(`presage: ${error instanceof Error ? error.message : String(error)}`);
    if (process.env['LOG_LEVEL'] === 'debug') console.error(error);
    process.exitCode = 1;
  }
}
