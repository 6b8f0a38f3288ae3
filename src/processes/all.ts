import { readEnvironment } from '../environment.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { serveAll } from './serve-all.ts';
import { welcome } from './welcome.ts';

/** `npm start`: everything in one process, on the embedded Postgres. */
await runUntilStopped(async () => {
  // A line a request would bury the welcome in a terminal.
  const environment = readEnvironment({ LOG_LEVEL: process.stdout.isTTY ? 'warn' : 'info', ...process.env });
  const service = await serveAll(environment);
  welcome(environment, service);
  return service;
});
