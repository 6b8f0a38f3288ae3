import pRetry from 'p-retry';
import { hasErrorCode } from '../errors.ts';
import { chunksOf } from '../flow/chunks-of.ts';
import { instanceOwnerNo, type InvalidationHandler } from '../invalidation/invalidation.ts';
import { toPublicId, fromPublicId } from '../ids.ts';
import type { MemoryVersion } from '../memories/read.ts';
import type { Access } from '../tenancy/access.ts';
import type { RetainedVersion } from './session-history.ts';

/** A stream, as seen by code that withdraws its memories. */
export interface SubscribedStream {
  readonly access: Access;
  /** The memories of these owners that its reader holds. */
  held(ownerNos: ReadonlySet<number>): readonly RetainedVersion[];
  withdraw(memoryIds: readonly string[]): void;
  /** Ends it, at once. */
  fail(error: unknown): void;
  /** The access as the same credential opens it now. */
  reauthenticate(): Promise<Access>;
  /** Goes on with this access. Throws when what it shows may not be shown with it. */
  updateAccess(access: Access): Promise<void>;
}

/** Finds which of these memories hold now, and in which version of their content. */
type Current = (access: Access, uuids: readonly string[]) => Promise<readonly MemoryVersion[]>;

/** Memories that are looked up in one statement. */
const lookedUpAtOnce = 2_000;

const isAway = (error: unknown) => hasErrorCode(error, 'unavailable');

/**
 * Changes notify the registry; this interval is for those that do not, such as a row that an operator edits by hand.
 */
const checkEveryMs = 30_000;

/** Tries again for 300 ms: a connection that was lost is no reason to end streams, a database that stays away is. */
const retryWhileAway = <T>(work: () => Promise<T>): Promise<T> =>
  pRetry(work, { retries: 3, minTimeout: 100, factor: 1, shouldRetry: ({ error }) => isAway(error) });

/** Tells which streams of this process show which memories. */
export class SubscriptionRegistry implements InvalidationHandler {
  readonly #current: Current;
  readonly #streams = new Map<string, Set<SubscribedStream>>();
  #stopChecking: (() => void) | undefined;

  constructor(current: Current) {
    this.#current = current;
  }

  /** Registers a stream for changes of these owners. */
  add(stream: SubscribedStream, ownerNos: readonly number[]): void {
    for (const ownerNo of ownerNos) {
      const key = keyOf(stream.access.instanceNumber, ownerNo);
      this.#streams.set(key, (this.#streams.get(key) ?? new Set()).add(stream));
    }
    this.#stopChecking ??= everyNow(checkEveryMs, () => this.#check());
  }

  remove(stream: SubscribedStream, ownerNos: Iterable<number>): void {
    for (const ownerNo of ownerNos) {
      const key = keyOf(stream.access.instanceNumber, ownerNo);
      const streams = this.#streams.get(key);
      streams?.delete(stream);
      if (!streams?.size) this.#streams.delete(key);
    }
    if (this.#streams.size) return;
    this.#stopChecking?.();
    this.#stopChecking = undefined;
  }

  async onInvalidated(instanceNumber: bigint, ownerNos: readonly number[]): Promise<void> {
    if (ownerNos.includes(instanceOwnerNo))
      await this.#renew([...this.#subscribers(instanceNumber, [instanceOwnerNo])]);
    const owners = ownerNos.filter((ownerNo) => ownerNo !== instanceOwnerNo);
    if (owners.length) await this.#withdraw(instanceNumber, new Set(owners));
  }

  #subscribers(instanceNumber: bigint, ownerNos: Iterable<number>): Set<SubscribedStream> {
    return new Set([...ownerNos].flatMap((ownerNo) => [...(this.#streams.get(keyOf(instanceNumber, ownerNo)) ?? [])]));
  }

  /** One look at what all of them hold together, however many they are. */
  async #withdraw(instanceNumber: bigint, ownerNos: ReadonlySet<number>): Promise<void> {
    const streams = this.#subscribers(instanceNumber, ownerNos);
    const held = [...new Set([...streams].flatMap((stream) => stream.held(ownerNos).map(({ id }) => id)))];
    if (!held.length) return;
    const [one] = streams;
    const access: Access = { ...one!.access, readableOwners: 'instance' }; // a memory stays with its owner
    try {
      const versions = new Map<string, number>();
      for (const ids of chunksOf(held, lookedUpAtOnce)) {
        const uuids = ids.map((id) => fromPublicId('memory', id)!);
        for (const { uuid, contentVersion } of await retryWhileAway(() => this.#current(access, uuids)))
          versions.set(toPublicId('memory', uuid), contentVersion);
      }
      const existing = new Set(held); // what a stream took since was read after the change
      const isOver = ({ id, contentVersion }: RetainedVersion) =>
        existing.has(id) && contentVersion !== versions.get(id);
      for (const stream of this.#subscribers(instanceNumber, ownerNos)) {
        const withdrawn = stream.held(ownerNos).filter(isOver);
        if (withdrawn.length) stream.withdraw(withdrawn.map(({ id }) => id));
      }
    } catch (error) {
      // Memories that cannot be looked up cannot be shown: the stream fails, and its reader opens a new one.
      for (const stream of streams) stream.fail(error);
    }
  }

  /** Ends the streams whose credentials are not valid any more. A credential that cannot be looked up now ends none. */
  #check(): Promise<void> {
    const streams = new Set([...this.#streams.values()].flatMap((each) => [...each]));
    return this.#renew([...streams], (stream, error) => {
      if (!isAway(error)) stream.fail(error);
    });
  }

  /** One look at each credential, however many streams it opened. */
  async #renew(
    streams: readonly SubscribedStream[],
    failed = (stream: SubscribedStream, error: unknown) => stream.fail(error),
  ): Promise<void> {
    const byCredential = new Map<string, Promise<Access>>();
    await Promise.all(
      streams.map(async (stream) => {
        const credential = JSON.stringify(stream.access.principal);
        const renewed = byCredential.get(credential) ?? retryWhileAway(() => stream.reauthenticate());
        byCredential.set(credential, renewed);
        await renewed.then((access) => stream.updateAccess(access)).catch((error: unknown) => failed(stream, error));
      }),
    );
  }
}

const keyOf = (instanceNumber: bigint, ownerNo: number) => `${instanceNumber}/${ownerNo}`;

/** One at a time: a database that hangs must not collect checks. */
function everyNow(ms: number, work: () => Promise<void>): () => void {
  let isWorking = false;
  const timer = setInterval(() => {
    if (isWorking) return;
    isWorking = true;
    void work().finally(() => (isWorking = false));
  }, ms);
  return () => clearInterval(timer);
}
