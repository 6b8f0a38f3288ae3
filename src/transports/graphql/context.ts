import type { App } from '../../app.ts';
import { DomainError, invalid } from '../../domain/errors.ts';
import { parseInstanceId } from '../../domain/ids.ts';
import type { Access, Admin, AdminRole, Named } from '../../domain/tenancy/access.ts';
import type { Caller } from '../../domain/tenancy/authenticate.ts';
import { requireRole } from '../../domain/tenancy/roles.ts';
import { notedReads, unnoted, type ContentReads } from './content-reads.ts';
import { createClientLoaders, createLoaders, type ClientLoaders, type Loaders } from './loaders.ts';

/** Who reads an instance, with the loaders of this request. */
export interface Reader {
  readonly access: Access;
  readonly loaders: Loaders;
}

/** What every resolver is given: one a request. */
export interface GraphqlContext {
  readonly app: App;
  readonly correlationId: string;
  /** The reader of a key's own instance, or of the one that an administrator names. */
  reader(instanceId?: string | null): Promise<Reader>;
  /** The same for who may also change what they read. */
  writer(instanceId?: string | null): Promise<Reader>;
  /** The reader, for agents only: an administrator never reads an agent's context or submits for it. */
  agent(): Reader;
  /** The same for who may ask for context: agents, and browsers for those they are bound to. */
  asker(): Reader;
  /** Throws for a key, and for an administrator of a lesser role than `least`; without it: than a viewer. */
  administrator(least?: AdminRole): Admin;
  /** Of administrators: throws for whoever is none. */
  readonly clients: ClientLoaders;
  /** Notes the content that the request reads, for the audit of administrators. */
  readonly contentReads: ContentReads;
  /** Throws once the credential opens no more. */
  reauthenticate(): Promise<void>;
  /** Aborted when the client is gone or the server stops. */
  readonly ended: AbortSignal;
}

const forbidden = (message: string) => new DomainError('forbidden', message);
const onlyAgents = 'an admin token does not do that: use an API key of the instance';
const onlyContext = 'a browser token does not do that: it opens `context` and `anticipated` for those it is bound to';

/** The context of a request by this caller, who was authenticated by this header. */
export function createContext(
  app: App,
  { caller, authorization }: { caller: Caller; authorization: string | undefined },
  { correlationId, ended }: Pick<GraphqlContext, 'correlationId' | 'ended'>,
): GraphqlContext {
  const readers = new Map<string, Promise<Reader>>();
  const own = caller.kind === 'admin' ? undefined : readerOf(app, caller.access);

  async function readAsAdmin(admin: Admin, instanceId: string): Promise<Reader> {
    return readerOf(app, await app.accessAsAdmin(admin, parseInstanceId(instanceId)));
  }

  async function reader(instanceId?: string | null): Promise<Reader> {
    if (caller.kind === 'browser') throw forbidden(onlyContext);
    if (caller.kind === 'instance') return ownReader(own!, instanceId);
    if (!instanceId) throw invalid('instanceId', 'is required of administrators: name the instance');
    const named = readers.get(instanceId) ?? readAsAdmin(caller.admin, instanceId);
    readers.set(instanceId, named);
    return named;
  }

  function administrator(least: AdminRole = 'viewer'): Admin {
    if (caller.kind === 'browser') throw forbidden(onlyContext);
    if (caller.kind !== 'admin') throw forbidden('an API key does not do that: use an admin token');
    requireRole(caller.admin, least);
    return caller.admin;
  }

  /** A reader that could not be had read nothing. */
  async function opened(): Promise<Access[]> {
    const had = await Promise.allSettled(readers.values());
    return had.flatMap((each) => (each.status === 'fulfilled' ? each.value.access : []));
  }
  const contentReads =
    caller.kind === 'admin' ? notedReads(app, { admin: caller.admin, correlationId, opened }) : unnoted;

  return {
    app,
    correlationId,
    ended,
    contentReads,
    reader,
    administrator,
    clients: createClientLoaders(app, administrator),
    async writer(instanceId) {
      if (caller.kind === 'admin') requireRole(caller.admin, 'admin');
      return reader(instanceId);
    },
    agent() {
      if (own && caller.kind === 'instance') return own;
      throw forbidden(caller.kind === 'browser' ? onlyContext : onlyAgents);
    },
    asker() {
      if (own) return own;
      throw forbidden(onlyAgents);
    },
    async reauthenticate() {
      await app.authenticate(authorization);
    },
  };
}

/** A reader that has read nothing yet. */
export const readerOf = (app: App, access: Access): Reader => ({ access, loaders: createLoaders(app, access) });

/** The reader on behalf of whom the caller names, if anybody: what hangs on the answer is read by the same. */
export async function narrowed({ app }: GraphqlContext, reader: Reader, named: Named): Promise<Reader> {
  if (named.userId === undefined && named.customerId === undefined) return reader;
  return readerOf(app, await app.narrow(reader.access, named));
}

function ownReader(own: Reader, instanceId: string | null | undefined): Reader {
  if (!instanceId || instanceId === own.access.instance) return own;
  throw forbidden('this API key belongs to another instance');
}
