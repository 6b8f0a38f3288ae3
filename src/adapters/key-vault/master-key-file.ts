import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A master key and where it is. */
export interface MasterKeyFile {
  readonly path: string;
  readonly text: string;
  /** The file is not there yet: the key is lost with this process unless it is kept. */
  readonly isNew: boolean;
  /** Writes the file (mode 0600) when it is not there yet. */
  keep(): void;
}

/** Reads the file; throws with its name when that fails. */
export function readMasterKeyFile(path: string): MasterKeyFile {
  try {
    return { path, text: readFileSync(path, 'utf8'), isNew: false, keep: () => undefined };
  } catch (cause) {
    throw new Error(`the master key file ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Reads the file; where there is none, makes up a key for it. */
export function readOrMakeMasterKeyFile(path: string): MasterKeyFile {
  if (existsSync(path)) return readMasterKeyFile(path);
  const text = `${randomBytes(32).toString('base64')}\n`;
  const keep = () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  };
  return { path, text, isNew: true, keep };
}
