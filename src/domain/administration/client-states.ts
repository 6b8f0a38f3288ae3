import type { ClientState } from '../tenancy/client.ts';

/** Actions of an administrator on a client. */
export const clientEvents = ['activate', 'deactivate', 'archive', 'purge'] as const;
export type ClientEvent = (typeof clientEvents)[number];

/** `active ⇄ inactive → archived → purged` (docs/decisions/0027); null: a conflict. */
export const clientTransitions: Record<ClientState, Record<ClientEvent, ClientState | null>> = {
  active: { activate: null, deactivate: 'inactive', archive: null, purge: null },
  inactive: { activate: 'active', deactivate: null, archive: 'archived', purge: null },
  archived: { activate: null, deactivate: null, archive: null, purge: 'purged' },
  purged: { activate: null, deactivate: null, archive: null, purge: null },
};
