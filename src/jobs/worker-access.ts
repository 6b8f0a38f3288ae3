import { instanceIdOf } from '../domain/ids.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { accessAsWorker, type AuthenticationDependencies } from '../domain/tenancy/authenticate.ts';

/** A job's payload is ids only: who may do what is read from the rows again. */
export const workerAccessOf = (
  deps: AuthenticationDependencies,
  { instanceNumber }: { readonly instanceNumber: bigint },
): Promise<Access> => accessAsWorker(deps, instanceIdOf(instanceNumber));
