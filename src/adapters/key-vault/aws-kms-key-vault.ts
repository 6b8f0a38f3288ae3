import { unavailableError } from '../../domain/errors.ts';
import type { KeyVault } from '../../domain/sealing/key-vault.ts';

const attempts = 3;
const connectMs = 2_000;
const answerMs = 5_000;

/** KMS said no, and will again: not a vault that is away. */
const lasting = /^(AccessDenied|IncorrectKey|InvalidCiphertext|InvalidKeyUsage|KMSInvalidState|NotFound|Disabled)/;

/**
 * A vault in AWS KMS: the master key never leaves it. `key` is an id, ARN or alias of a symmetric key; region,
 * credentials and endpoint are those of AWS' own variables and files. The instance is the encryption context, so that
 * CloudTrail shows whose key was opened. Needs kms:DescribeKey, kms:Encrypt and kms:Decrypt.
 */
export async function awsKmsKeyVault(key: string): Promise<KeyVault & { close(): void }> {
  // Only those who use it load it: it takes some 100 ms.
  const { DecryptCommand, DescribeKeyCommand, EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const client = new KMSClient({
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs },
  });
  // An alias may come to name another key: what is stored beside a wrapped key must not.
  const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: key })).catch((cause: Error) => {
    throw new Error(`AWS KMS does not tell of the master key ${key}: ${cause.name}`, { cause });
  });
  const arn = KeyMetadata!.Arn!;
  const context = (instance: string) => ({ KeyId: arn, EncryptionContext: { 'presage-instance': instance } });
  return {
    masterKeyId: `kms:${arn}`,
    wrap: async (dataKey, instance) => {
      const { CiphertextBlob } = await answered(
        client.send(new EncryptCommand({ ...context(instance), Plaintext: dataKey })),
      );
      return Buffer.from(CiphertextBlob!);
    },
    unwrap: async (wrapped, instance) => {
      const { Plaintext } = await answered(
        client.send(new DecryptCommand({ ...context(instance), CiphertextBlob: wrapped })),
      );
      return Buffer.from(Plaintext!);
    },
    close: () => client.destroy(),
  };
}

async function answered<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    const { name } = error as Error;
    if (lasting.test(name)) throw new Error(`KMS refuses the master key: ${name}`, { cause: error });
    throw unavailableError('the key vault does not answer at the moment', error);
  }
}
