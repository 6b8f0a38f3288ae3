import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsKmsKeyVault } from '../../src/adapters/key-vault/aws-kms-key-vault.ts';
import { localKeyVault } from '../../src/adapters/key-vault/local-key-vault.ts';
import { parseNewMasterKey } from '../../src/adapters/key-vault/master-key.ts';
import { KeyRing } from '../../src/domain/sealing/key-ring.ts';
import type { KeyVault } from '../../src/domain/sealing/key-vault.ts';
import { motoServer, startKms } from '../support/moto.ts';

const dataKey = randomBytes(32);

/** What every vault does; `open` gives one with another master key at each call. */
function keyVaultContract(open: () => Promise<KeyVault>) {
  test('unwraps what it wrapped', async () => {
    const vault = await open();
    const wrapped = await vault.wrap(dataKey, 'inst_1');
    expect(wrapped.includes(dataKey)).toBe(false);
    expect(await vault.unwrap(wrapped, 'inst_1')).toEqual(dataKey);
  });

  test('never wraps to the same bytes twice', async () => {
    const vault = await open();
    expect(await vault.wrap(dataKey, 'inst_1')).not.toEqual(await vault.wrap(dataKey, 'inst_1'));
  });

  test('opens nothing for another instance', async () => {
    const vault = await open();
    const wrapped = await vault.wrap(dataKey, 'inst_1');
    await expect(vault.unwrap(wrapped, 'inst_2')).rejects.toThrow(/master key/);
  });

  test('opens nothing that was changed', async () => {
    const vault = await open();
    const wrapped = await vault.wrap(dataKey, 'inst_1');
    wrapped[wrapped.length - 1]! ^= 1;
    await expect(vault.unwrap(wrapped, 'inst_1')).rejects.toThrow(/master key/);
  });

  test('opens nothing of another master key, and has another name', async () => {
    const [one, other] = [await open(), await open()];
    expect(one.masterKeyId).not.toBe(other.masterKeyId);
    await expect(other.unwrap(await one.wrap(dataKey, 'inst_1'), 'inst_1')).rejects.toThrow(/master key/);
  });

  test('with another as the one before, opens what that wrapped and wraps by itself', async () => {
    const [before, now] = [await open(), await open()];
    const wrapped = await new KeyRing(before).newDataKey('inst_1');
    const both = new KeyRing(now, before);
    const rewrapped = await both.rewrap('inst_1', wrapped);
    expect([wrapped.masterKeyId, rewrapped.masterKeyId]).toEqual([before.masterKeyId, now.masterKeyId]);
    const sealed = (await new KeyRing(before).keysOf('inst_1', wrapped)).seal('entity.name', 'ent_1', 'Ada');
    const keys = await new KeyRing(now).keysOf('inst_1', rewrapped);
    expect(keys.open('entity.name', 'ent_1', sealed)).toBe('Ada');
    await expect(new KeyRing(now).keysOf('inst_1', wrapped)).rejects.toThrow(/MASTER_KEY_PREVIOUS/);
  });
}

describe('a master key of this process', () => {
  keyVaultContract(async () => localKeyVault(randomBytes(32)));

  test.each([
    { case: 'too short', key: randomBytes(31).toString('base64') },
    { case: 'typed by hand', key: Buffer.from('passwordpasswordpasswordpassword').toString('base64') },
    { case: 'all alike', key: '00'.repeat(32) },
  ])('$case is refused as a master key', ({ key }) => {
    expect(() => parseNewMasterKey(key)).toThrow(/master key/);
  });
});

describe.runIf(motoServer)('AWS KMS', () => {
  let kms: Awaited<ReturnType<typeof startKms>>;
  const opened: { close(): void }[] = [];
  beforeAll(async () => {
    kms = await startKms();
  });
  afterAll(async () => {
    for (const each of opened) each.close();
    await kms.stop();
  });
  const open = async () => {
    const vault = await awsKmsKeyVault(await kms.newKey());
    opened.push(vault);
    return vault;
  };
  keyVaultContract(open);

  test('without the key is told at the start', async () => {
    await expect(awsKmsKeyVault('alias/none')).rejects.toThrow(/master key alias\/none: NotFoundException/);
  });

  test('that does not answer is unavailable, and not a wrong key', async () => {
    const vault = await open();
    const wrapped = await vault.wrap(dataKey, 'inst_1');
    await kms.stop();
    await expect(vault.unwrap(wrapped, 'inst_1')).rejects.toMatchObject({ code: 'unavailable' });
    kms = await startKms();
  });
});

if (!motoServer) process.stderr.write('AWS KMS is NOT TESTED: there is no moto_server (pip install "moto[server]")\n');
