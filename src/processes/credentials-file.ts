import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../environment.ts';

/** Addresses and credentials for the demo and the command line: written at the first start, mode 0600. */
export interface Credentials {
  readonly base_url: string;
  readonly graphql_url: string;
  readonly grpc_address: string;
  readonly api_key: string;
  readonly admin_token: string;
}

/** Outside the data folder: whoever has a copy of the data has no key to it. */
export const credentialsPath = (environment: Pick<Environment, 'ownFolder'>) =>
  join(environment.ownFolder, 'credentials.json');

export function writeCredentials(environment: Environment, credentials: Credentials): void {
  mkdirSync(environment.ownFolder, { recursive: true, mode: 0o700 });
  writeFileSync(credentialsPath(environment), `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
}

/** Null when they are gone, or not to be read. */
export function readCredentials(environment: Pick<Environment, 'ownFolder'>): Credentials | null {
  try {
    return JSON.parse(readFileSync(credentialsPath(environment), 'utf8')) as Credentials;
  } catch {
    return null;
  }
}

/** Those of every server that this user ever started, whatever its data folder. */
export function readAllCredentials({ ownFolder }: Pick<Environment, 'ownFolder'>): readonly Credentials[] {
  const folders = namesIn(dirname(ownFolder)).map((name) => join(dirname(ownFolder), name));
  const all = folders.map((folder) => readCredentials({ ownFolder: folder }));
  // A start that failed before it listened has left keys without an address.
  return all.filter((each) => each !== null).filter((each) => each.base_url);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
