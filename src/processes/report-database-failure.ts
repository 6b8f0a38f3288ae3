import { isDiskFull } from '../db/database-connection.ts';
import type { Environment } from '../environment.ts';

/** An embedded database that failed, told to whoever started the process: which folder, why, and what to do. */
export function reportDatabaseFailure({ PRESAGE_DATA_DIR: folder }: Environment, reason: string): Error {
  const advice = isDiskFull(reason)
    ? 'Make room on its disk, then start Presage again'
    : 'Start Presage again; if it happens again, copy the folder and report it';
  return new Error(`the embedded database in ${folder} failed: ${reason}. ${advice}: what was accepted is kept.`);
}
