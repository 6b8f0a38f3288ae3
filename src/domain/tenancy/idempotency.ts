import type { Db, Sql } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import { credentialIdOf, type Access } from './access.ts';
import { dayMs, minuteMs } from '../time.ts';

/** A caller that may repeat a request, and the keys that seal the answers. Browsers change nothing by POST. */
export type IdempotentCaller = Pick<Access, 'principal' | 'keys'>;

/** A request that its sender may repeat: the key they chose, and all that makes two requests the same. */
export interface RepeatableRequest {
  readonly key: string;
  readonly content: string;
}

/** The first answer, as a repetition is answered. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `first`: nobody did this yet. `again`: it was done, and what it answers must be read anew. Else the first answer. */
export type IdempotencyOutcome = 'first' | 'again' | StoredAnswer;

const keptMs = dayMs;
/** A process that died holds its keys this long; longer than any request takes. */
const underWayMs = 5 * minuteMs;

/** Answers a repeated request with what the first was answered. */
export const createIdempotency = (db: Db) => ({
  /** Claims the key for a first request. Throws `conflict` while that is under way, and for another request. */
  async begin(repeater: IdempotentCaller, request: RepeatableRequest, now: Date): Promise<IdempotencyOutcome> {
    const place = placeOf(repeater, request.key);
    const requestHash = repeater.keys.hash('request', `idempotent request\0${request.content}`);
    await db.idempotency.deleteMany({ where: { expiresAt: { lte: now } } });
    const expiresAt = new Date(now.getTime() + underWayMs);
    // One statement decides among simultaneous requests; the primary key lets only one of them in.
    const claimed = await db.idempotency.createMany({
      data: [{ ...place, requestHash, expiresAt }],
      skipDuplicates: true,
    });
    if (claimed.count === 1) return 'first';
    const row = await db.idempotency.findUnique({ where: { actor_keyHash: place } });
    if (row && !Buffer.from(row.requestHash).equals(requestHash)) {
      throw new DomainError('conflict', 'Idempotency-Key: this key was used for another request; choose a new one');
    }
    if (!row || row.status === null) {
      const message = 'Idempotency-Key: the first request with this key is still under way; try again';
      throw new DomainError('conflict', message, { details: { retry_after: 1 } });
    }
    if (!row.response) return 'again';
    return JSON.parse(repeater.keys.open('idempotency.response', sealedAt(place), row.response)) as StoredAnswer;
  },

  /** Ends a first request with what repetitions are answered for a day; null when they are to be read anew. */
  async keep(
    repeater: IdempotentCaller,
    key: string,
    { status, kept, now }: { status: number; kept: StoredAnswer | null; now: Date },
  ): Promise<void> {
    const place = placeOf(repeater, key);
    const response = kept && repeater.keys.seal('idempotency.response', sealedAt(place), JSON.stringify(kept));
    const expiresAt = new Date(now.getTime() + keptMs);
    await db.idempotency.updateMany({ where: place, data: { status, response, expiresAt } });
  },

  /** Ends a first request that changed nothing: the key is free again. */
  async release(repeater: IdempotentCaller, key: string): Promise<void> {
    await db.idempotency.deleteMany({ where: { ...placeOf(repeater, key), status: null } });
  },
});
export type Idempotency = ReturnType<typeof createIdempotency>;

/** Removes what the keys of an instance hold. */
export const releaseKeysOfInstance = (sql: Sql, instanceNumber: bigint) => sql.$executeRaw`
  DELETE FROM idempotency WHERE actor IN (SELECT 'key/' || id FROM api_key WHERE i = ${instanceNumber})`;

/** Two credentials never share a key. Hashed with the instance's key: a caller may have put anything into theirs. */
function placeOf({ principal, keys }: IdempotentCaller, key: string) {
  const actor = `${principal.kind}/${credentialIdOf(principal)}`;
  return { actor, keyHash: keys.hash('request', `idempotency key\0${key}`) };
}

const sealedAt = (place: { actor: string; keyHash: Buffer }) => `${place.actor}/${place.keyHash.toString('hex')}`;
