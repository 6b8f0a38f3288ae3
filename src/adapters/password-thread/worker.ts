import { randomBytes } from 'node:crypto';
import { argon2id, argon2Verify } from 'hash-wasm';

/** argon2id with the costs that OWASP names first for it: 19 MiB, two passes. */
const costs = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;
const saltBytes = 16;

/** The hash of a password with its salt and costs, in the PHC string format. */
export const hash = (password: string): Promise<string> =>
  argon2id({ password, salt: randomBytes(saltBytes), outputType: 'encoded', ...costs });

export const verify = ({ password, hashed }: { password: string; hashed: string }): Promise<boolean> =>
  argon2Verify({ password, hash: hashed });
