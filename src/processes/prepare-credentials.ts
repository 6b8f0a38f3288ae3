import { firstStart, takeGivenCredentials, type FirstCredentials } from '../domain/administration/first-start.ts';
import { anyAdminToken } from '../domain/tenancy/admin-token-store.ts';
import { readCredentials, writeCredentials, type Credentials } from './credentials-file.ts';
import type { Service } from './open-service.ts';

/**
 * Credentials of this service, as far as they are known here, and whether this start made them: they are shown once.
 */
export interface Prepared {
  readonly isFirst: boolean;
  readonly credentials: Pick<Credentials, 'api_key' | 'admin_token'>;
}

const asKept = ({ apiKey, adminToken }: FirstCredentials) => ({ api_key: apiKey, admin_token: adminToken });

const givenOf = ({ environment }: Service) => ({
  apiKey: environment.PRESAGE_API_KEY,
  adminToken: environment.PRESAGE_ADMIN_TOKEN,
});

/** Takes the credentials of the environment, and makes those that a new database lacks; once, whoever else starts. */
export function makeCredentials(service: Service): Promise<Prepared> {
  const { deps, environment } = service;
  const given = givenOf(service);
  return deps.exclusively(async () => {
    const first = await firstStart(deps, given, (made) => {
      writeCredentials(environment, { base_url: '', graphql_url: '', grpc_address: '', ...asKept(made) });
    });
    if (first) return { isFirst: true, credentials: asKept(first) };
    await takeGivenCredentials(deps, given);
    const known = readCredentials(environment);
    return {
      isFirst: false,
      credentials: {
        api_key: given.apiKey ?? known?.api_key ?? '',
        admin_token: given.adminToken ?? known?.admin_token ?? '',
      },
    };
  });
}

/** Makes a link that opens the dashboard once, for a service that can only be reached from this machine. */
export async function dashboardLink({ app, environment }: Service, adminToken: string): Promise<string | null> {
  const isOwn = environment.DATABASE_URL === undefined && isLoopback(environment.HOST);
  if (!isOwn || !adminToken) return null;
  const caller = await app.authenticate(`Bearer ${adminToken}`).catch(() => null);
  if (caller?.kind !== 'admin') return null;
  const { secret } = await app.members.createSignInLink(caller.admin);
  return `/dashboard/open#${secret}`;
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.');

/**
 * Like `makeCredentials`, for processes that have no terminal to show a secret on: they make none up. Throws when
 * nobody could sign in.
 */
export async function takeCredentials(service: Service): Promise<void> {
  const { deps } = service;
  const given = givenOf(service);
  await deps.exclusively(async () => {
    if (given.apiKey && given.adminToken && (await firstStart(deps, given))) return;
    if (!given.adminToken && !(await anyAdminToken(deps.db))) {
      throw new Error(
        'nobody may administer this database yet: set PRESAGE_ADMIN_TOKEN to a token of 16 to 200 characters, no spaces',
      );
    }
    await takeGivenCredentials(deps, given);
  });
}
