import { readEnvironment } from '../environment.ts';
import { credentialsPath, readCredentials } from '../processes/credentials-file.ts';

/** A running server, and what opens it. */
export interface Server {
  /** Without a slash at its end. */
  readonly url: string;
  readonly adminToken: string;
  /** A key of the instance whose memories are meant. */
  readonly key: string;
}

const variableOf = { url: 'PRESAGE_URL', adminToken: 'PRESAGE_ADMIN_TOKEN', key: 'PRESAGE_KEY' } as const;

/**
 * These of the server that the environment names, or else of the one that was started on this machine. Throws an error
 * that tells what to set.
 */
export function findServer<K extends keyof Server>(
  variables: NodeJS.ProcessEnv,
  needed: readonly K[],
): Pick<Server, K> {
  const environment = readEnvironment(variables);
  const known = readCredentials(environment);
  const found: { readonly [name in keyof Server]: string | undefined } = {
    url: (variables['PRESAGE_URL'] || known?.base_url)?.replace(/\/+$/, ''),
    adminToken: variables['PRESAGE_ADMIN_TOKEN'] || known?.admin_token,
    key: variables['PRESAGE_KEY'] || variables['PRESAGE_API_KEY'] || known?.api_key,
  };
  const missing = needed.filter((each) => !found[each]).map((each) => variableOf[each]);
  if (!missing.length) return found as Pick<Server, K>;
  const path = credentialsPath(environment);
  throw new Error(
    known
      ? `${path} lacks what this needs: start the server once more, or set ${missing.join(' and ')}`
      : `no server is known here: ${path} is not there. Start one in this folder, or set ${needed.map((each) => variableOf[each]).join(' and ')}`,
  );
}
