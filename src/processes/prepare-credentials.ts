import {
  createFirstCredentials,
  acceptGivenCredentials,
  type FirstCredentials,
} from '../domain/administration/first-start.ts';
import { hasActiveAdminToken } from '../domain/tenancy/admin-token-store.ts';
import { readCredentials, writeCredentials, type Credentials } from './credentials-file.ts';
import type { Service } from './open-service.ts';

/**
 * Credentials of this service, as far as they are known here, and whether this start made them: they are shown once.
 */
export interface PreparedCredentials {
  readonly isFirst: boolean;
  readonly credentials: Pick<Credentials, 'api_key' | 'admin_token'>;
}

const asKept = ({ apiKey, adminToken }: FirstCredentials) => ({ api_key: apiKey, admin_token: adminToken });

const givenOf = ({ environment }: Service) => ({
  apiKey: environment.PRESAGE_API_KEY,
  adminToken: environment.PRESAGE_ADMIN_TOKEN,
});

/** Takes the credentials of the environment, and makes those that a new database lacks; once, whoever else starts. */
export function createCredentials(service: Service): Promise<PreparedCredentials> {
  const { deps, environment } = service;
  const input = givenOf(service);
  return deps.exclusively(async () => {
    const first = await createFirstCredentials(deps, input, (made) => {
      writeCredentials(environment, { base_url: '', graphql_url: '', grpc_address: '', ...asKept(made) });
    });
    if (first) return { isFirst: true, credentials: asKept(first) };
    await acceptGivenCredentials(deps, input);
    const existing = readCredentials(environment);
    return {
      isFirst: false,
      credentials: {
        api_key: input.apiKey ?? existing?.api_key ?? '',
        admin_token: input.adminToken ?? existing?.admin_token ?? '',
      },
    };
  });
}

/**
 * Makes a link that opens the dashboard once, for a service that can only be reached from this machine; at the instance of
 * the key that is shown beside it, though others were made since.
 */
export async function dashboardLink(
  { app, environment }: Service,
  { admin_token: adminToken, api_key: apiKey }: PreparedCredentials['credentials'],
): Promise<string | null> {
  const isOwn = environment.DATABASE_URL === undefined && isLoopback(environment.HOST);
  if (!isOwn || !adminToken) return null;
  const caller = await app.authenticate(`Bearer ${adminToken}`).catch(() => null);
  if (caller?.kind !== 'admin') return null;
  const { secret } = await app.members.createSignInLink(caller.admin);
  const keyed = await app.authenticate(`Bearer ${apiKey}`).catch(() => null);
  const at = keyed && keyed.kind !== 'admin' ? `?instance=${keyed.access.instance}` : '';
  return `/dashboard/open${at}#${secret}`;
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** As `createCredentials`, without making up secrets: no terminal shows them. Throws when nobody could sign in. */
export async function applyGivenCredentials(service: Service): Promise<void> {
  const { deps } = service;
  const input = givenOf(service);
  await deps.exclusively(async () => {
    if (input.apiKey && input.adminToken && (await createFirstCredentials(deps, input))) return;
    if (!input.adminToken && !(await hasActiveAdminToken(deps.db))) {
      throw new Error(
        'nobody may administer this database yet: set PRESAGE_ADMIN_TOKEN to a token of 16 to 200 characters, no spaces',
      );
    }
    await acceptGivenCredentials(deps, input);
  });
}
