import { Shown } from '../../src/domain/anticipation/shown.ts';
import { instanceItself } from '../../src/domain/freshness/freshness.ts';
import { freshInOneProcess } from '../../src/domain/freshness/in-one-process.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';

/** What a stream needs of its process, and the access of somebody whose instance a test changes by hand. */
export function oneProcess() {
  const shown = new Shown(async (_access, uuids) => uuids);
  const freshness = freshInOneProcess(shown);
  let access = {
    principal: { kind: 'key', keyId: 'k' },
    instance: 'inst_0000000000000001',
    i: 1n,
    configurationVersion: 1,
    instanceRevision: 0n,
    reads: 'instance',
  } as unknown as Access; // nothing is opened with it
  return {
    shown,
    freshness,
    recheck: async () => null,
    isolationOf: async () => 'b2c' as const,
    /** As it is now. */
    access: () => access,
    /** Something of the instance changes; resolves when that may be acknowledged. */
    async change(): Promise<void> {
      access = { ...access, instanceRevision: access.instanceRevision + 1n };
      const change = freshness.announce();
      change.revised.push({ i: access.i, ownerNo: instanceItself, revision: access.instanceRevision });
      await change.passed();
      change.end();
    },
  };
}
