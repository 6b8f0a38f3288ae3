import type { InstanceState } from '../tenancy/instance.ts';

/** Actions of an administrator on an instance; `complete` ends its provisioning. */
const instanceEvents = ['complete', 'suspend', 'resume', 'archive', 'purge'] as const;
export type InstanceEvent = (typeof instanceEvents)[number];

/**
 * `provisioning → active ⇄ suspended`, either `→ archived → purged`, and `archived → suspended` (docs/decisions/0027);
 * null: a conflict.
 */
export const instanceTransitions: Record<InstanceState, Record<InstanceEvent, InstanceState | null>> = {
  provisioning: { complete: 'active', suspend: null, resume: null, archive: null, purge: null },
  active: { complete: null, suspend: 'suspended', resume: null, archive: 'archived', purge: null },
  suspended: { complete: null, suspend: null, resume: 'active', archive: 'archived', purge: null },
  archived: { complete: null, suspend: 'suspended', resume: null, archive: null, purge: 'purged' },
  purged: { complete: null, suspend: null, resume: null, archive: null, purge: null },
};
