import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeyVault } from '../../domain/sealing/key-vault.ts';

/** A vault whose master key (32 bytes) is held in this process: from the environment or a key file. */
export function localKeyVault(masterKey: Buffer): KeyVault {
  return {
    wrap: async (dataKey) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', masterKey, iv);
      const wrapped = Buffer.concat([cipher.update(dataKey), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), wrapped]);
    },
    unwrap: async (wrapped) => {
      const decipher = createDecipheriv('aes-256-gcm', masterKey, wrapped.subarray(0, 12));
      decipher.setAuthTag(wrapped.subarray(12, 28));
      try {
        return Buffer.concat([decipher.update(wrapped.subarray(28)), decipher.final()]);
      } catch {
        throw new Error('the master key does not open this data: is it the key this data folder was made with?');
      }
    },
  };
}

/** The master key of the file, made (mode 0600) when the file is not there. */
export function masterKeyOfFile(path: string, create: boolean): Buffer {
  try {
    return parseMasterKey(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !create) throw error;
    const key = randomBytes(32);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  }
}

/** 32 bytes in base64 or hex; throws otherwise. */
export function parseMasterKey(text: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== 32) throw new Error('a master key is 32 bytes in base64 or hex');
  return key;
}
