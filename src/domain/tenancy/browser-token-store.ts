import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Access } from './access.ts';
import { keyColumns, type KeyRow } from './credential-store.ts';
import { hashSecret } from './credentials.ts';
import { removeRateLimits } from './rate-store.ts';
import { dayMs } from '../time.ts';

/** A browser token with the key that made it, on which it hangs. Empty ids mean none. */
export interface BrowserTokenRow extends KeyRow {
  readonly tokenId: string;
  readonly expiresAt: Date;
  readonly userId: string;
  readonly customerId: string;
  readonly conversationId: string | null;
}

const tokenColumns = Prisma.sql`t.id AS "tokenId", t.expires_at AS "expiresAt", o.user_id AS "userId",
  o.customer_id AS "customerId", t.conversation_id AS "conversationId", ${keyColumns}`;
const tokenTables = Prisma.sql`browser_token t JOIN owner o ON o.i = t.i AND o.owner_no = t.owner_no
  JOIN api_key k ON k.id = t.key_id JOIN instance i ON i.i = t.i JOIN client c ON c.id = i.client_id`;

/** The token of this hash, whether it still opens something or not. */
export async function findBrowserToken(sql: Sql, hash: Uint8Array): Promise<BrowserTokenRow | undefined> {
  const rows = await sql.$queryRaw<
    BrowserTokenRow[]
  >`SELECT ${tokenColumns} FROM ${tokenTables} WHERE t.hash = ${hash}`;
  return rows[0];
}

/** Finds a browser token by its UUID within the instance. */
export async function findBrowserTokenById(
  sql: Sql,
  instanceNumber: bigint,
  id: string,
): Promise<BrowserTokenRow | undefined> {
  const rows = await sql.$queryRaw<BrowserTokenRow[]>`
    SELECT ${tokenColumns} FROM ${tokenTables} WHERE t.id = ${id}::uuid AND t.i = ${instanceNumber}`;
  return rows[0];
}

/** Stores a token of the instance; of the token itself only the hash. */
export async function saveBrowserToken(
  tx: Tx,
  access: Access,
  {
    secret,
    ...token
  }: { id: string; secret: string; keyId: string; ownerNo: number; conversationId: string | null; expiresAt: Date },
): Promise<void> {
  await tx.browserToken.create({ data: { ...token, hash: hashSecret(secret), instanceNumber: access.instanceNumber } });
}

/**
 * Expired tokens are kept this long: for a day their users get `token_expired`, and after that the token is unknown.
 */
const toldExpiredMs = dayMs;

/** Removes tokens of every instance that expired a day ago, with what was left of their rate; returns how many. */
export async function removeExpiredTokens(sql: Sql, now: Date): Promise<number> {
  const before = new Date(now.getTime() - toldExpiredMs);
  const gone = await sql.$queryRaw<{ instanceNumber: bigint; id: string }[]>`
    DELETE FROM browser_token WHERE expires_at <= ${before}::timestamptz RETURNING i AS "instanceNumber", id`;
  if (gone.length) await removeRateLimits(sql, gone);
  return gone.length;
}
