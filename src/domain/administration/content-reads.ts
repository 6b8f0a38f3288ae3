import type { Db } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { requireContentReader } from '../tenancy/roles.ts';
import type { AuditedReads, ReadIds } from './audited-reads.ts';
import { saveInstanceAudit } from './audit-store.ts';

/** The content of an instance that one request read: ids, by the kind of record. */
export interface ContentRead {
  /** The correlation id of the request, where it has one. */
  readonly request?: string | undefined;
  readonly ids: ReadIds;
}

/** The dependencies of reading content. */
export interface ReadingContent {
  readonly db: Db;
  readonly auditedReads: AuditedReads;
  readonly now: () => Date;
}

/** An audit row keeps so many ids of a kind at most. */
const mostIds = 1_000;

/**
 * Leaves a row in the audit that tells what an administrator read, and never the content itself; to be awaited before
 * anything is shown. A session of the dashboard leaves one for what it read last more than an hour ago, or never: its
 * pages ask again whenever something changes. Throws `forbidden` for one who may not read content.
 */
export async function recordContentRead(
  deps: ReadingContent,
  access: Access,
  { request, ids }: ContentRead,
): Promise<void> {
  const { principal, instance } = access;
  requireContentReader(principal);
  const at = deps.now();
  const sessionId = principal.kind === 'admin' ? principal.sessionId : undefined;
  const session = sessionId === undefined ? undefined : { sessionId, instance };
  const unaudited = session ? deps.auditedReads.unaudited(session, ids, at) : ids;
  const kinds = Object.entries(unaudited).map(([kind, of]) => ({ kind, count: of.length, ids: of.slice(0, mostIds) }));
  if (!kinds.length) return;
  const read = kinds.map(({ kind, ...of }) => [kind, of]);
  const after = { ...(request ? { request } : {}), ...Object.fromEntries(read) };
  await saveInstanceAudit(deps.db, access, { action: 'content.read', target: instance, at, after });
  if (session) deps.auditedReads.note(session, Object.fromEntries(kinds.map((each) => [each.kind, each.ids])), at);
}
