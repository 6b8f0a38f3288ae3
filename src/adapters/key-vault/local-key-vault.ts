import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyVault } from '../../domain/sealing/key-vault.ts';

const formatVersion = 2;

/** A vault whose master key (32 bytes) is held in this process: from the environment or a key file. */
export function localKeyVault(masterKey: Buffer): KeyVault {
  return {
    masterKeyId: `local:${Buffer.from(hkdfSync('sha256', masterKey, '', 'presage master key id', 8)).toString('hex')}`,
    wrap: async (dataKey, instance) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', masterKey, iv).setAAD(Buffer.from(instance));
      const wrapped = Buffer.concat([cipher.update(dataKey), cipher.final()]);
      return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), wrapped]);
    },
    unwrap: async (wrapped, instance) => {
      const body = wrapped.subarray(1); // behind the version of the format
      const decipher = createDecipheriv('aes-256-gcm', masterKey, body.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(body.subarray(12, 28)).setAAD(Buffer.from(instance));
      try {
        return Buffer.concat([decipher.update(body.subarray(28)), decipher.final()]);
      } catch {
        throw new Error('the master key does not open this data: is it the key this data folder was made with?');
      }
    },
  };
}
