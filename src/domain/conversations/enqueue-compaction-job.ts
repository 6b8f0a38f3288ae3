import type { Sql } from '../../db/database.ts';
import { enqueue, type JobPayloads } from '../../jobs/queue.ts';
import { instanceUuid, namedUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';

export type QueuedCompaction = JobPayloads['compact-conversation'];

/**
 * Enqueues the compaction of a conversation. Its id is named within the instance, as callers may choose the UUID of a
 * conversation; one that was requested has its own, so that one without a request never takes its place.
 */
export const enqueueCompactionJob = (
  sql: Sql,
  { instance, instanceNumber }: Access,
  payload: QueuedCompaction,
): Promise<void> => {
  const name = `compact-conversation/${payload.isRequested ? 'requested/' : ''}${payload.conversationId}`;
  return enqueue(sql, 'compact-conversation', { id: namedUuid(instanceUuid(instance), name), instanceNumber, payload });
};
