import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDiskFull } from './database-connection.ts';

/**
 * Opens the embedded database of `folder` with `open`. A first start that was killed while it copied the new database
 * there is begun anew: nothing was accepted yet. Throws when the folder holds none that can be opened, and says what
 * to do.
 */
export async function openDataFolder<T>(folder: string, open: () => Promise<T>): Promise<T> {
  const making = `${folder}.making`;
  if (existsSync(making)) rmSync(folder, { recursive: true, force: true });
  if (isEmpty(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(making, '');
  } else if (!existsSync(`${folder}/PG_VERSION`)) {
    throw cannotOpen(folder, 'it holds files, and no database (PG_VERSION is not there)');
  }
  try {
    const opened = await open();
    rmSync(making, { force: true });
    return opened;
  } catch (error) {
    throw cannotOpen(folder, (error as Error).message, error);
  }
}

function isEmpty(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw cannotOpen(folder, 'it is a file, and no folder');
  return !found || readdirSync(folder).length === 0;
}

function cannotOpen(folder: string, reason: string, cause?: unknown): Error {
  const advice = isDiskFull(reason)
    ? 'make room on its disk'
    : 'put back a copy that was made while no Presage ran, or set PRESAGE_DATA_DIR to another folder';
  return new Error(`the embedded database in ${folder} cannot be opened: ${reason}. To go on, ${advice}.`, { cause });
}
