import { SubscriptionRegistry } from '../../src/domain/anticipation/subscription-registry.ts';
import { instanceOwnerNo } from '../../src/domain/invalidation/invalidation.ts';
import { invalidationWithinProcess } from '../../src/domain/invalidation/within-process.ts';
import type { Access, ReadableOwner } from '../../src/domain/tenancy/access.ts';

/** The owner of all memories of a test that has no database. */
export const onlyOwner: ReadableOwner = {
  ownerNo: 7,
  scope: 'USER',
  customerId: '',
  userId: 'ada',
  revision: 1n,
  memoryCount: 0,
  termTotal: 0,
};

/**
 * What a stream needs of its process, and the access of somebody whose instance a test changes by hand. No memory holds
 * any more once its owner is said to have changed.
 */
export function oneProcess() {
  const subscriptions = new SubscriptionRegistry(async () => []);
  const invalidation = invalidationWithinProcess(subscriptions, () => undefined);
  let access = {
    principal: { kind: 'key', keyId: 'k' },
    instance: 'inst_0000000000000001',
    instanceNumber: 1n,
    configurationVersion: 1,
    instanceRevision: 0n,
    readableOwners: 'instance',
  } as unknown as Access; // nothing is opened with it
  return {
    subscriptions,
    invalidation,
    recheck: async () => null,
    summaryOf: async () => null,
    isolationOf: async () => 'b2c' as const,
    /** As it is now. */
    access: () => access,
    /** Something of the instance changes; resolves when that may be acknowledged. */
    async change(): Promise<void> {
      access = { ...access, instanceRevision: access.instanceRevision + 1n };
      const change = invalidation.beginChange();
      change.revised.push({
        instanceNumber: access.instanceNumber,
        ownerNo: instanceOwnerNo,
        revision: access.instanceRevision,
      });
      await change.propagate();
      change.end();
    },
  };
}
