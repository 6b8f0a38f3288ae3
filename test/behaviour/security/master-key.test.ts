import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localKeyVault } from '../../../src/adapters/key-vault/local-key-vault.ts';
import { parseMasterKey } from '../../../src/adapters/key-vault/master-key.ts';
import { rewrapDataKeys } from '../../../src/domain/administration/master-key.ts';
import { KeyRing } from '../../../src/domain/sealing/key-ring.ts';
import type { KeyVault } from '../../../src/domain/sealing/key-vault.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { accessAsAdmin } from '../../../src/domain/tenancy/authenticate.ts';
import { newFolder, startWorld, type World } from '../../support/world.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const [before, now] = [localKeyVault(first), localKeyVault(second)];
const text = (key: Buffer) => key.toString('base64');

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the master key is changed while the service runs: nothing stops, and the old one is needed no more', async () => {
  const opened = async (variables: NodeJS.ProcessEnv, work: (world: World) => Promise<void>) => {
    const world = await startWorld({}, { folder, variables });
    await work(world).finally(() => world.close());
  };
  const agents: { key: string; access: Access }[] = [];
  const recalled = async (world: World, key: string) => {
    const caller = await world.app.authenticate(`Bearer ${key}`);
    if (caller.kind !== 'instance') throw new Error('a key opens an instance');
    return (await world.user('ada', { access: caller.access })).recalls('Where does Ada live?');
  };

  await opened({ MASTER_KEY: text(first) }, async (world) => {
    for (let n = 0; n < 3; n++) {
      const { access, key } = await world.instance();
      await (await world.user('ada', { access })).says(`I live in Leeds, at number ${n + 10}.`);
      agents.push({ key, access });
    }
  });

  await opened({ MASTER_KEY: text(second), MASTER_KEY_PREVIOUS: text(first) }, async (world) => {
    expect(await world.app.masterKeyRotation(world.admin)).toEqual({ masterKeyId: now.masterKeyId, done: 0, total: 3 });
    const over = new AbortController();
    // Another process, which has the two keys the other way round: it opens what either wrapped, at any time.
    const elsewhere = { ...world.deps, keyRing: new KeyRing(before, now) };
    const reading = (async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const { key, access } = agents[n % 3]!;
        elsewhere.keyRing.forget(access.instance);
        await accessAsAdmin(elsewhere, world.admin, access.instance);
        expect(await recalled(world, key)).toContain(`I live in Leeds, at number ${(n % 3) + 10}.`);
      }
    })();
    await world.app.rotateMasterKey(world.admin);
    await vi.waitFor(
      async () => expect(await world.app.masterKeyRotation(world.admin)).toMatchObject({ done: 3, total: 3 }),
      20_000,
    );
    over.abort();
    await reading;
  });

  await opened({ MASTER_KEY: text(second) }, async (world) => {
    for (const { key } of agents) expect(await recalled(world, key)).not.toEqual([]);
  });
  const withTheOldKey = opened({ MASTER_KEY: text(first) }, async () => undefined);
  await expect(withTheOldKey).rejects.toThrow(`was sealed with the master key ${now.masterKeyId}`);
});

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld({}, { variables: { MASTER_KEY: text(first) } });
});
afterAll(() => world.close());

test('a rotation that is stopped goes on from where it was', async () => {
  for (let n = 0; n < 5; n++) await world.instance();
  const wrapped: string[] = [];
  const stopping = new AbortController();
  const vault: KeyVault = {
    ...now,
    async wrap(dataKey, instance) {
      wrapped.push(instance);
      if (wrapped.length === 2) stopping.abort();
      return now.wrap(dataKey, instance);
    },
  };
  const rotation = { db: world.deps.db, keyRing: new KeyRing(vault, before) };
  await rewrapDataKeys(rotation, stopping.signal, () => undefined);
  expect(wrapped).toHaveLength(2);
  await rewrapDataKeys(rotation, new AbortController().signal, () => undefined);
  expect(new Set(wrapped).size).toBe(wrapped.length); // none twice
  expect(await world.deps.db.instance.count({ where: { masterKeyId: { not: now.masterKeyId } } })).toBe(0);
});

test('a data key that cannot be opened is told and left as it is; the others are done', async () => {
  const lost = await world.instance();
  const { instanceNumber } = lost.access;
  await world.deps.db.instance.update({ where: { instanceNumber }, data: { masterKeyId: 'local:0000000000000000' } });
  const other = await world.instance();
  const failed: string[] = [];
  const rotation = { db: world.deps.db, keyRing: new KeyRing(now, before) };
  const failures = await rewrapDataKeys(rotation, new AbortController().signal, (id) => failed.push(id));
  expect([failures, failed]).toEqual([1, [lost.id]]);
  const rows = await world.deps.db.instance.findMany({
    where: { instanceNumber: { in: [instanceNumber, other.access.instanceNumber] } },
  });
  expect(new Map(rows.map((row) => [row.instanceNumber, row.masterKeyId]))).toEqual(
    new Map([
      [instanceNumber, 'local:0000000000000000'],
      [other.access.instanceNumber, now.masterKeyId],
    ]),
  );
});

test.each(['admin', 'viewer'] as const)('an administrator who is %s changes no master key', async (role) => {
  const admin = { ...world.admin, role };
  const { app } = world;
  await expect(async () => app.rotateMasterKey(admin)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(async () => app.masterKeyRotation(admin)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a master key is 32 bytes in base64 or hex, and nothing beside them', () => {
  for (const given of [text(first), ` ${text(first)}\n`, first.toString('base64url'), first.toString('hex')])
    expect(parseMasterKey(given)).toEqual(first);
  for (const wrong of [`!!${text(first)}`, `${text(first)}?`, text(first).slice(0, -4), `${text(first)} x`, ''])
    expect(() => parseMasterKey(wrong)).toThrow('32 bytes in base64 or hex');
});
