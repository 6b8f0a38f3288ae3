import type { Sql } from '../../db/database.ts';
import { enqueue, type InstanceJobName } from '../../jobs/queue.ts';
import { instanceIdOf, instanceUuid, namedUuid } from '../ids.ts';
import type { Access } from './access.ts';

/** Enqueues the instance's job of this name: there is one, however often it is asked for. */
export const enqueueForInstance = (
  sql: Sql,
  name: InstanceJobName,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
): Promise<void> =>
  enqueue(sql, name, { id: namedUuid(instanceUuid(instanceIdOf(instanceNumber)), name), instanceNumber });
