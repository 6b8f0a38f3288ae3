import type { Sql } from '../../db/database.ts';
import { pageByVersion, stretchByVersion, type Page, type PageRequest } from '../cursor.ts';
import { readableConversation } from '../conversations/read-conversation.ts';
import type { InConversation } from '../conversations/conversation.ts';
import { notFound } from '../errors.ts';
import { conversationUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { Compaction } from './compaction.ts';
import { readCompaction, readCompactions, readSummary, type Summary } from './compaction-store.ts';

/** A version of the compaction of a conversation that the caller may read, the newest by default. Throws `not_found`. */
export async function readVersion(
  sql: Sql,
  access: Access,
  { version, ...input }: InConversation & { version?: number | undefined },
): Promise<Compaction> {
  const { id } = await readableConversation(sql, access, input);
  const compaction = await readCompaction(sql, access, { conversationId: id, version });
  if (!compaction) throw notFound('compaction');
  return compaction;
}

/** A page of the versions, the newest first. Throws `not_found` for a conversation that the caller may not read. */
export async function listVersions(
  sql: Sql,
  access: Access,
  input: InConversation,
  request: PageRequest,
): Promise<Page<Compaction>> {
  const { id } = await readableConversation(sql, access, input);
  const stretch = stretchByVersion('compactions', request);
  return pageByVersion(await readCompactions(sql, access, id, stretch), stretch);
}

/** Reads the newest summary of a conversation. The caller must know that the reader may read it. */
export const summaryOf = (sql: Sql, access: Access, conversationId: string): Promise<Summary | null> =>
  readSummary(sql, access, conversationUuid(access.instance, conversationId).id);
