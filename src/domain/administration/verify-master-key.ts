import type { Db } from '../../db/database.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import { findMasterKeyIds } from '../tenancy/instance-store.ts';

interface MasterKeyDependencies {
  readonly db: Db;
  readonly keyRing: KeyRing;
  /** Holds the key where the environment gives none. */
  readonly keyFile: { readonly path: string; readonly isMissing: boolean };
  readonly warn: (message: string, error: unknown) => void;
}

/**
 * Throws when nothing that is stored was sealed with a master key that this process has: it would answer every call
 * with an error. Where only some was, those instances alone are shut, and the log says so.
 */
export async function verifyMasterKey({ db, keyRing, keyFile, warn }: MasterKeyDependencies): Promise<void> {
  const inUse = await findMasterKeyIds(db);
  // By their ids, and not by opening anything: a vault beyond a network may be away.
  const others = inUse.filter((id) => !keyRing.has(id));
  if (!others.length) return;
  const advice =
    `set MASTER_KEY, MASTER_KEY_FILE or MASTER_KEY_KMS to it (or put its file back as ${keyFile.path}); ` +
    'while a master key is changed, MASTER_KEY_PREVIOUS is the one before';
  const own = keyFile.isMissing
    ? `the file ${keyFile.path} that should hold it is not there`
    : `this process has ${keyRing.masterKeyId}`;
  const words = `this database was sealed with the master key ${others.join(', ')}, and ${own}: ${advice}`;
  if (others.length === inUse.length) throw new Error(words);
  warn('some instances cannot be opened', new Error(words));
}
