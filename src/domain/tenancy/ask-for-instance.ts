import type { Sql } from '../../db/database.ts';
import { askFor, type QueueName } from '../../db/queue.ts';
import { instanceIdOf, instanceUuid, namedUuid } from '../ids.ts';
import type { Access } from './access.ts';

/** Asks for the instance's job of this queue: there is one, however often it is asked for. */
export const askForInstance = (sql: Sql, queue: QueueName, { i }: Pick<Access, 'i'>): Promise<void> =>
  askFor(sql, queue, { id: namedUuid(instanceUuid(instanceIdOf(i)), queue), i });
