import type { Sql } from '../../db/database.ts';
import { pageFromRows, parsePageRequest, versionFormat, type Page, type PageRequest } from '../pagination.ts';
import { readableConversation } from '../conversations/read-conversation.ts';
import type { ConversationReference, ConversationSummary } from '../conversations/conversation.ts';
import { notFoundError } from '../errors.ts';
import { conversationUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { Compaction } from './compaction.ts';
import { readCompaction, readCompactions, readCurrentCompaction } from './compaction-store.ts';

/** A version of a conversation's compaction that the caller may read, the newest by default. Throws `not_found`. */
export async function readVersion(
  sql: Sql,
  access: Access,
  { version, ...input }: ConversationReference & { version?: number | undefined },
): Promise<Compaction> {
  const { id } = await readableConversation(sql, access, input);
  const compaction = await readCompaction(sql, access, { conversationId: id, version });
  if (!compaction) throw notFoundError('compaction');
  return compaction;
}

/** A page of the versions, the newest first. Throws `not_found` for a conversation that the caller may not read. */
export async function listVersions(
  sql: Sql,
  access: Access,
  input: ConversationReference,
  request: PageRequest,
): Promise<Page<Compaction>> {
  const { id } = await readableConversation(sql, access, input);
  const page = parsePageRequest('compactions', request, versionFormat);
  return pageFromRows(await readCompactions(sql, access, id, page), page, ({ version }) => version);
}

/**
 * The newest version, unless it tells what was replaced since: then there is none. Throws `not_found` for a
 * conversation that the caller may not read.
 */
export async function readCurrentVersion(
  sql: Sql,
  access: Access,
  input: ConversationReference,
): Promise<Compaction | null> {
  const { id } = await readableConversation(sql, access, input);
  return readCurrentCompaction(sql, access, id);
}

/** The summary of a conversation, as `readCurrentVersion`. The caller must know that the reader may read it. */
export async function readSummary(
  sql: Sql,
  access: Access,
  conversationId: string,
): Promise<ConversationSummary | null> {
  const current = await readCurrentCompaction(sql, access, conversationUuid(access.instance, conversationId).id);
  return current && { compactionId: current.id, version: current.version, text: current.systemPrompt };
}
