/** Only the instances of an `active` client open to their keys. */
export const clientStates = ['active', 'inactive', 'archived', 'purged'] as const;
export type ClientState = (typeof clientStates)[number];

/** An organisation that uses Presage, as it is shown. */
export interface ClientRecord {
  readonly id: string;
  readonly name: string;
  readonly state: ClientState;
  readonly createdAt: Date;
}
