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

/** Filters a list of instances: all given fields must match. */
export interface InstanceFilter {
  readonly clientId?: string | undefined;
  readonly state?: InstanceState | undefined;
}
