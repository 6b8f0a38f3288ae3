import type { App } from '../../app.ts';
import { DomainError, invalidInputError } from '../../domain/errors.ts';
import { parseInstanceId } from '../../domain/ids.ts';
import type { Access, Admin, SubjectIds, Principal } from '../../domain/tenancy/access.ts';
import type { RequestInstance } from '../http/authenticate.ts';
import type { AuthenticatedCaller } from '../../domain/tenancy/authenticate.ts';
import { createContentReads, unrecordedContentReads, type ContentReads } from './content-reads.ts';
import { createClientLoaders, createLoaders, type Loaders } from './loaders.ts';

/** An access to an instance, with the loaders of this request. */
export interface Reader {
  readonly access: Access;
  readonly loaders: Loaders;
}

/** The context of every resolver, made once a request. */
export interface GraphqlContext {
  readonly app: App;
  readonly correlationId: string;
  /** The instance that the operation is about: of an administrator, the first that it names. */
  readonly about: RequestInstance;
  /** The accesses whose data the operation read; for an administrator, those to the instances that it named. */
  opened(): Promise<readonly Access[]>;
  /** The caller; `use-cases.ts` refuses the fields that they may not ask for. */
  readonly principal: Principal;
  /** The reader of a key's own instance, or of the one that an administrator names. */
  reader(instanceId?: string | null): Promise<Reader>;
  /** The access of that reader. */
  access(instanceId?: string | null): Promise<Access>;
  /** The reader of the instance that a key or browser token belongs to. Throws for an administrator. */
  own(): Reader;
  /** Throws for whoever is no administrator. */
  administrator(): Admin;
  /** Loaders for administrators; throws for any other caller. */
  readonly clients: ReturnType<typeof createClientLoaders>;
  /** Notes the content that the request reads, for the audit of administrators. */
  readonly contentReads: ContentReads;
  /** Throws `unauthenticated` once the credential is invalid, or grants other access than before. */
  reauthenticate(): Promise<void>;
  /** Aborted when the caller is gone or the server stops. */
  readonly ended: AbortSignal;
}

const forbidden = (message: string) => new DomainError('forbidden', message);
const onlyContext = 'a browser token does not do that: it opens `context` and `anticipated` for those it is bound to';

/** The context of a request by this caller; `reauthenticate` opens their credential once more. */
export function createContext(
  app: App,
  { caller, reauthenticate }: { caller: AuthenticatedCaller; reauthenticate: () => Promise<AuthenticatedCaller> },
  { correlationId, ended, about }: Pick<GraphqlContext, 'correlationId' | 'ended' | 'about'>,
): GraphqlContext {
  const readers = new Map<string, Promise<Reader>>();
  const ofCaller = caller.kind === 'admin' ? undefined : createReader(app, caller.access);

  async function readAsAdmin(admin: Admin, instanceId: string): Promise<Reader> {
    return createReader(app, await app.accessAsAdmin(admin, parseInstanceId(instanceId)));
  }

  async function reader(instanceId?: string | null): Promise<Reader> {
    if (caller.kind === 'browser') throw forbidden(onlyContext);
    if (caller.kind === 'instance') return ownReader(ofCaller!, instanceId);
    if (!instanceId) throw invalidInputError('instanceId', 'is required of administrators: name the instance');
    const named = readers.get(instanceId) ?? readAsAdmin(caller.admin, instanceId);
    readers.set(instanceId, named);
    return named;
  }

  function administrator(): Admin {
    if (caller.kind !== 'admin') throw forbidden('only an admin token does that');
    return caller.admin;
  }

  /** A reader that could not be had read nothing. */
  async function opened(): Promise<readonly Access[]> {
    if (ofCaller) return [ofCaller.access];
    const had = await Promise.allSettled(readers.values());
    return had.flatMap((each) => (each.status === 'fulfilled' ? each.value.access : []));
  }
  const contentReads =
    caller.kind === 'admin'
      ? createContentReads(app, { admin: caller.admin, correlationId, opened })
      : unrecordedContentReads;

  return {
    app,
    correlationId,
    about,
    opened,
    principal: caller.kind === 'admin' ? caller.admin : caller.access.principal,
    ended,
    contentReads,
    reader,
    access: async (instanceId) => (await reader(instanceId)).access,
    administrator,
    clients: createClientLoaders(app, administrator),
    own() {
      if (ofCaller) return ofCaller;
      throw forbidden('an admin token does not do that: use an API key of the instance');
    },
    async reauthenticate() {
      if (!opensTheSame(caller, await reauthenticate())) throw changedRoleError();
    },
  };
}

/** Whether a caller still has the access with which the request began: another role or client begins anew. */
const opensTheSame = (before: AuthenticatedCaller, now: AuthenticatedCaller): boolean =>
  before.kind === 'admin' && now.kind === 'admin'
    ? before.admin.role === now.admin.role && before.admin.clientId === now.admin.clientId
    : before.kind === now.kind;

const changedRoleError = () => new DomainError('unauthenticated', 'your role has changed since: subscribe again');

/** A reader that has read nothing yet. */
export const createReader = (app: App, access: Access): Reader => ({ access, loaders: createLoaders(app, access) });

/** The reader on behalf of whom the caller names, if anybody: what hangs on the answer is read by the same. */
export async function narrowReader({ app }: GraphqlContext, reader: Reader, named: SubjectIds): Promise<Reader> {
  if (named.userId === undefined && named.customerId === undefined) return reader;
  return createReader(app, await app.narrow(reader.access, named));
}

function ownReader(own: Reader, instanceId: string | null | undefined): Reader {
  if (!instanceId || instanceId === own.access.instance) return own;
  throw forbidden('this API key belongs to another instance');
}
