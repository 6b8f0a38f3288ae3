import { instanceIdOf } from '../domain/ids.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { accessAsWorker, type Authentication } from '../domain/tenancy/authenticate.ts';

/** A job's payload is ids only: who may do what is read from the rows again. */
export const accessOf = (deps: Authentication, { i }: { readonly i: bigint }): Promise<Access> =>
  accessAsWorker(deps, instanceIdOf(i));
