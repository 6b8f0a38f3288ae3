import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { InstanceKeys } from './instance-keys.ts';
import type { KeyVault, WrappedKey } from './key-vault.ts';

const mostOpen = 10_000;
/** So a purged instance's key leaves the memory of every process, and a key revoked in the vault is missed. */
const openForMs = 10 * 60_000;

/**
 * The keys of every instance in use. New data keys are wrapped by the first vault; the others open what was wrapped
 * before, so that the master key is changed without a pause.
 */
export class KeyRing {
  readonly #vaults: readonly [KeyVault, ...KeyVault[]];
  readonly #opened = new LRUCache<string, Promise<InstanceKeys>>({ max: mostOpen, ttl: openForMs });

  constructor(...vaults: [KeyVault, ...KeyVault[]]) {
    this.#vaults = vaults;
  }

  /** The id of the master key that wraps new data keys. */
  get masterKeyId(): string {
    return this.#vaults[0].masterKeyId;
  }

  has(masterKeyId: string): boolean {
    return this.#vaults.some((vault) => vault.masterKeyId === masterKeyId);
  }

  newDataKey(instance: string): Promise<WrappedKey> {
    return this.#wrap(randomBytes(32), instance);
  }

  /** Wraps a data key anew, by the current master key. */
  async rewrap(instance: string, wrapped: WrappedKey): Promise<WrappedKey> {
    return this.#wrap(await this.#unwrap(instance, wrapped), instance);
  }

  keysOf(instance: string, wrapped: WrappedKey): Promise<InstanceKeys> {
    const existing = this.#opened.get(instance);
    if (existing) return existing;
    const opening = this.#unwrap(instance, wrapped).then((dataKey) => new InstanceKeys(instance, dataKey));
    this.#opened.set(instance, opening);
    opening.catch(() => this.#opened.delete(instance)); // a vault that was away is asked again
    return opening;
  }

  /** After the data key is destroyed. */
  forget(instance: string): void {
    this.#opened.delete(instance);
  }

  async #wrap(dataKey: Buffer, instance: string): Promise<WrappedKey> {
    const [vault] = this.#vaults;
    return { bytes: new Uint8Array(await vault.wrap(dataKey, instance)), masterKeyId: vault.masterKeyId };
  }

  async #unwrap(instance: string, { bytes, masterKeyId }: WrappedKey): Promise<Buffer> {
    const vault = this.#vaults.find((each) => each.masterKeyId === masterKeyId);
    if (!vault) throw new Error(`its data key was wrapped by ${masterKeyId}: set that as MASTER_KEY_PREVIOUS`);
    return vault.unwrap(Buffer.from(bytes), instance);
  }
}
