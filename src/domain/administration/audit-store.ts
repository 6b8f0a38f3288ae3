import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { KeysetQuery } from '../pagination.ts';
import { afterOperatorSql, directionSql } from '../tenancy/keyset-store.ts';
import { allClients } from '../tenancy/dashboard-user-store.ts';
import { newUuid, toPublicId } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import { credentialIdOf, type Access, type Principal } from '../tenancy/access.ts';

/** The subject of an audit entry: an instance, or a client (then the keys are the service's). */
export type AuditSubject = { readonly keys: InstanceKeys } & (
  | { readonly instanceNumber: bigint }
  | { readonly clientId: string }
);

/** The subject of a change of a client; null, which the whole service is, where it is of every client. */
export const clientOrService = (clientId: string | null, keys: InstanceKeys): AuditSubject | null =>
  clientId === null || clientId === allClients ? null : { clientId, keys };

/** The name of a principal in configuration steps and audit rows. */
export const actorOf = (principal: Principal) =>
  principal.kind === 'admin' && principal.userId
    ? userActor(principal.userId)
    : `${principal.kind}:${credentialIdOf(principal)}`;

/** The name of a user of the dashboard, in whatever role. */
export const userActor = (userId: string) => `user:${userId}`;

/** The name of whoever holds an admin token. */
export const tokenActor = (tokenId: string) => `admin:${tokenId}`;

/** A change, about to be stored; `before` and `after` are sealed. */
interface NewAuditEntry {
  readonly action: string;
  readonly target: string;
  readonly at: Date;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Stores the audit entry of a change in an instance; the actor is whoever made the access. */
export const saveInstanceAudit = (sql: Sql, access: Access, entry: NewAuditEntry): Promise<void> =>
  saveAudit(sql, access, { actor: access.principal, ...entry });

/** Every change by an administrator leaves a row, in the transaction of the change; `of` null: of the whole service. */
export async function saveAudit(
  sql: Sql,
  of: AuditSubject | null,
  entry: NewAuditEntry & { readonly actor: Principal },
): Promise<void> {
  const id = newUuid();
  const { actor, before, after } = entry;
  const sealed = (column: 'audit.before' | 'audit.after', value: unknown) =>
    value === undefined || !of ? null : of.keys.seal(column, id, JSON.stringify(value));
  await sql.audit.create({
    data: {
      id,
      instanceNumber: of && 'instanceNumber' in of ? of.instanceNumber : null,
      clientId: of && 'clientId' in of ? of.clientId : null,
      actor: actorOf(actor),
      action: entry.action,
      target: entry.target,
      at: entry.at,
      before: sealed('audit.before', before),
      after: sealed('audit.after', after),
    },
  });
}

/** A change by an administrator. `before` and `after`: null where there was nothing, or the key was destroyed. */
export interface AuditEntry {
  readonly id: string;
  readonly uuid: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly at: Date;
  readonly before: unknown;
  readonly after: unknown;
}

/** A row, and the wrapped key of the instance that it is about. */
interface AuditRow extends Omit<AuditEntry, 'before' | 'after' | 'id'> {
  readonly instanceNumber: bigint | null;
  readonly dataKey: Uint8Array<ArrayBuffer> | null;
  readonly masterKeyId: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** Changes of the client and its instances, sealed. */
export const listAuditRows = (
  sql: Sql,
  clientId: string,
  { direction, after, limit }: KeysetQuery,
): Promise<AuditRow[]> =>
  sql.$queryRaw<AuditRow[]>`
    SELECT a.id AS uuid, a.i AS "instanceNumber", a.actor, a.action, a.target, a.at, a.before, a.after,
      CASE WHEN n.state <> 'purged' THEN n.data_key END AS "dataKey", coalesce(n.master_key_id, '') AS "masterKeyId"
    FROM audit a LEFT JOIN instance n ON n.i = a.i
    WHERE ${after ? Prisma.sql`(a.at, a.id) ${afterOperatorSql(direction)} (${after.at}, ${after.id}::uuid) AND` : Prisma.empty}
      (a.client_id = ${clientId} OR a.i IN (SELECT i FROM instance WHERE client_id = ${clientId}))
    ORDER BY a.at ${directionSql(direction)}, a.id ${directionSql(direction)} LIMIT ${limit}`;

/** A row opened with the keys that sealed it; without keys what was changed stays unknown. */
export function decryptAuditEntry(
  { uuid, actor, action, target, at, before, after }: AuditRow,
  keys: InstanceKeys | null,
): AuditEntry {
  const opened = (column: 'audit.before' | 'audit.after', sealed: Uint8Array | null): unknown =>
    sealed && keys && JSON.parse(keys.open(column, uuid, sealed));
  return {
    id: toPublicId('audit', uuid),
    uuid,
    actor,
    action,
    target,
    at,
    before: opened('audit.before', before),
    after: opened('audit.after', after),
  };
}

/** Removes the contents of a purged client's or instance's audit entries; who did it, and when, stays. */
export const eraseAuditContents = (sql: Sql, of: { clientId: string } | { instanceNumber: bigint }) =>
  sql.audit.updateMany({ where: of, data: { before: null, after: null } });
