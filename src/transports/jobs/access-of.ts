import type { Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { accessAsWorker, type Authentication } from '../../domain/tenancy/authenticate.ts';

/** A job's payload is ids only: who may do what is read from the rows again. */
export const accessOf = (d: Dependencies, job: Job): Promise<Access> => accessOfInstance(d, job.i);

export const accessOfInstance = (d: Authentication, i: bigint): Promise<Access> => accessAsWorker(d, instanceIdOf(i));
