import type { AdminRole } from './access.ts';

/** A key, as it is shown: never the key itself. */
export interface KeyRecord {
  readonly id: string;
  readonly label: string | null;
  readonly last4: string;
  /** A rate of its own; null, both: the usual one. */
  readonly requestsPerMinute: number | null;
  readonly burst: number | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** An admin token, as it is shown: never the token itself. */
export interface AdminTokenRecord {
  readonly id: string;
  readonly role: AdminRole;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}
