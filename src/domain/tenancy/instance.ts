import type { AdminRole } from './access.ts';

/** Only an `active` instance opens to its keys. */
export const instanceStates = ['provisioning', 'active', 'suspended', 'archived', 'purged'] as const;
export type InstanceState = (typeof instanceStates)[number];

/** An isolated tenant, as it is shown. */
export interface InstanceRecord {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly region: string;
  readonly state: InstanceState;
  readonly activeVersion: number;
  readonly createdAt: Date;
}

/** Which instances are listed: those that match all that is given. */
export interface InstanceFilter {
  readonly clientId?: string | undefined;
  readonly state?: InstanceState | undefined;
}

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
