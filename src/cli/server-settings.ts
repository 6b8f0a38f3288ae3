import { readEnvironment, type Environment } from '../environment.ts';
import {
  credentialsPath,
  readAllCredentials,
  readCredentials,
  type Credentials,
} from '../processes/credentials-file.ts';

/** A running server, and what opens it. */
export interface ServerSettings {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly adminToken: string;
  /** A key of the instance whose memories are meant. */
  readonly key: string;
  /** `host:port` of its streams. */
  readonly stream: string;
}

const variableOf = {
  url: 'PRESAGE_URL',
  adminToken: 'PRESAGE_ADMIN_TOKEN',
  key: 'PRESAGE_KEY',
  stream: 'PRESAGE_GRPC',
} as const;

const defaultStreamPort = 50051;

/**
 * These of the server that the environment names, or else of the one that was started in this folder, or of the only one
 * that was started on this machine. Throws an error that tells what to set.
 */
export function readServerSettings<K extends keyof ServerSettings>(
  variables: NodeJS.ProcessEnv,
  needed: readonly K[],
): Pick<ServerSettings, K> {
  const environment = readEnvironment(variables);
  const existing = knownServer(environment, variables);
  const url = readUrl(variables['PRESAGE_URL']);
  const found: { readonly [name in keyof ServerSettings]: string | undefined } = {
    url: url ?? existing?.base_url,
    adminToken: variables['PRESAGE_ADMIN_TOKEN'] || existing?.admin_token,
    key: variables['PRESAGE_KEY'] || variables['PRESAGE_API_KEY'] || existing?.api_key,
    stream:
      variables['PRESAGE_GRPC'] || (url ? `${new URL(url).hostname}:${defaultStreamPort}` : existing?.grpc_address),
  };
  const missing = needed.filter((each) => !found[each]).map((each) => variableOf[each]);
  if (!missing.length) return found as Pick<ServerSettings, K>;
  const path = credentialsPath(environment);
  throw new Error(
    existing
      ? `${path} lacks what this needs: start the server once more, or set ${missing.join(' and ')}`
      : found.url
        ? `set ${missing.join(' and ')} for ${found.url}: a server that was started here would have written it to ${path}`
        : `no server was started from this folder, and this machine has none or several others: start one with "npx presage", run this from the folder of your server, name its data folder in PRESAGE_DATA_DIR, or set ${missing.join(' and ')}`,
  );
}

/** Assistants start commands in folders of their own: a server that is the only one is found from there too. */
function knownServer(environment: Environment, variables: NodeJS.ProcessEnv): Credentials | null {
  const own = readCredentials(environment);
  if (own || variables['PRESAGE_DATA_DIR']) return own;
  const [only, ...others] = readAllCredentials(environment);
  return only && others.length === 0 ? only : null;
}

function readUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new Error(`PRESAGE_URL must be an address such as http://127.0.0.1:8080, and is ${text}`);
  return text.replace(/\/+$/, '');
}
