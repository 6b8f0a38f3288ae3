import type { Telemetry } from '../telemetry.ts';

/** Ends the process with a line for an error that nobody caught: Node's own would print it with all that it quotes. */
export function logUncaught({ log }: Pick<Telemetry, 'log'>): void {
  process.once('uncaughtException', (error) => {
    log.fatal({ error }, 'nobody caught this error');
    process.exit(1);
  });
}
