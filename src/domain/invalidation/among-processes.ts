import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Db } from '../../db/database.ts';
import { createWakeSignal } from '../../db/wake-signal.ts';
import { unavailableError } from '../errors.ts';
import {
  removedRevision,
  type PendingChange,
  type ReadVersions,
  type Clock,
  type Epoch,
  type Invalidation,
  type InvalidationHandler,
} from './invalidation.ts';
import type { Revision, RevisionKey } from './invalidation.ts';
import * as store from './subscription-lease-store.ts';
import { PendingChanges } from './pending-changes.ts';
import { WatchList, type WatchedSubject } from './watch-list.ts';

/** Hints that processes send each other; one that is lost costs only time. */
export type ProcessHint = 'changed' | 'applied';
export const processHints: readonly ProcessHint[] = ['changed', 'applied'];

export interface ProcessInvalidationDependencies {
  readonly db: Db;
  readonly handler: InvalidationHandler;
  readonly tellOthers: (hint: ProcessHint) => void;
  /** Called with each change that this process committed. */
  readonly committed: (revised: readonly Revision[]) => void;
  readonly warn: (message: string, error: unknown) => void;
  readonly clock: Clock;
}

/** Writers wait for a process until its lease ends: as long as this, when it died or hangs. */
const leaseMs = 5_000;
const renewEveryMs = 1_000;
/** After this long without renewal a process shows nothing: before writers stop waiting, even if renewal is slow. */
const silentAfterMs = 4_000;
/** The interval at which changes are looked for whose hints were lost. */
const lookEveryMs = 250;
/** A writer looks again after so long when it hears nothing, and twice as long each time up to the other. */
const [lookAgainMs, lookAgainMostMs] = [5, 50];
/** A subject stays registered for this long after its last stream ended, as its reader may come back. */
const keptMs = 60_000;
/** The rows that a dead process leaves stay at least this long, and are looked for this often. */
const deadMs = 60_000;
/** A stream that waits longer for its lease fails with "try again later". */
const timeoutMs = 10_000;

/**
 * For processes that share a Postgres. What a process shows stands in rows (`subscription_lease`) before it reads what
 * it will show; a writer, once its change is committed, reads those rows and waits until each process has applied the
 * change, or its lease is over.
 */
export class InvalidationAmongProcesses implements Invalidation {
  readonly #deps: ProcessInvalidationDependencies;
  /** The UUID under which rows name this process. */
  readonly id = randomUUID();
  readonly #list = new WatchList();
  readonly #pending = new PendingChanges();
  /** One statement on what this process shows at a time: what is entered is not removed by one that began before. */
  readonly #inTurn = pLimit(1);
  readonly #applied = createWakeSignal();
  readonly #revived = createWakeSignal();
  readonly #closing = new AbortController();
  #entering: { readonly watched: WatchedSubject[]; readonly done: Promise<void> } | undefined;
  readonly #entered = new WeakMap<WatchedSubject, Promise<void>>();
  #looking: Promise<void> | undefined;
  #stopLooking: (() => void) | undefined;
  #isTicking = false;
  #isFailing = false;
  #renewedAt = -Infinity;
  /** The lease ended meanwhile, and what changed since was not read yet. */
  #isBehind = false;
  #tidiedAt: number;

  constructor(deps: ProcessInvalidationDependencies) {
    this.#deps = deps;
    this.#tidiedAt = deps.clock.now();
    setMaxListeners(0, this.#closing.signal);
  }

  /** Takes the hint of another process that something changed, or may have. */
  heard(hint: ProcessHint): void {
    if (hint === 'applied') this.#applied.wakeAll();
    else if (this.#stopLooking) void this.#look().catch(() => undefined); // the next look tells
  }

  async watch(instanceNumber: bigint, ownerNos: readonly number[]): Promise<() => void> {
    const watched = ownerNos.map(
      (ownerNo) => this.#list.get({ instanceNumber, ownerNo }) ?? this.#enter({ instanceNumber, ownerNo }),
    );
    const entered = watched.flatMap((each) => this.#entered.get(each) ?? []);
    for (const each of watched) each.readers += 1;
    const release = () => {
      for (const each of watched) {
        each.readers -= 1;
        each.idleSince = this.#deps.clock.now();
      }
      watched.length = 0;
    };
    try {
      await Promise.all(entered);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Subjects that are entered at the same time are saved in one statement. */
  #enter(subject: RevisionKey): WatchedSubject {
    const added = this.#list.add(subject, removedRevision); // until the rows say which it is
    if (!this.#entering) {
      const watched: WatchedSubject[] = [];
      this.#entering = { watched, done: this.#inTurn(() => this.#saveEntering(watched)) };
      this.#entering.done.catch(() => undefined); // whoever watches is told
    }
    this.#entering.watched.push(added);
    this.#entered.set(added, this.#entering.done);
    return added;
  }

  async #saveEntering(watched: readonly WatchedSubject[]): Promise<void> {
    this.#entering = undefined;
    try {
      if (!this.#isLive()) await this.#renew();
      for (const each of await store.saveSubscriptions(this.#deps.db, this.id, watched)) {
        this.#list.get(each)!.known = each.revision;
      }
    } catch (error) {
      for (const each of watched) this.#list.remove(each);
      throw error;
    }
  }

  epoch(): Epoch {
    return '';
  }

  /** Always false: other processes write too, so that only the database can tell. */
  isFresh(): boolean {
    return false;
  }

  isCurrent(read: ReadVersions): boolean {
    return this.#isLive() && this.#list.covers(read);
  }

  #isLive(): boolean {
    return !this.#isBehind && this.#deps.clock.now() - this.#renewedAt < silentAfterMs;
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!this.#isLive()) {
      if (performance.now() > deadline || this.#closing.signal.aborted) {
        throw unavailableError('this server lost touch with the others; try again');
      }
      await this.#revived.wait(lookEveryMs, this.#closing.signal);
    }
  }

  beginChange(): PendingChange {
    return this.#pending.begin(async (revised) => {
      this.#deps.committed(revised);
      const instances = new Set(revised.map(({ instanceNumber }) => instanceNumber));
      await Promise.all(
        [...instances].map((instanceNumber) =>
          this.#propagate(
            instanceNumber,
            revised.filter((each) => each.instanceNumber === instanceNumber),
          ),
        ),
      );
    });
  }

  async #propagate(instanceNumber: bigint, revised: readonly Revision[]): Promise<void> {
    // It is committed, whatever comes: who cannot ask waits until no process may show what it ended.
    const untilNobodyMay = () => pause(leaseMs + lookEveryMs);
    await this.#caughtUp(instanceNumber, [...new Set(revised.map(({ ownerNo }) => ownerNo))]).catch(untilNobodyMay);
    const removed = revised.filter(({ revision }) => revision === removedRevision).map(({ ownerNo }) => ownerNo);
    if (removed.length)
      await store.removeSubscriptionsOfOwners(this.#deps.db, instanceNumber, removed).catch(() => undefined);
  }

  async awaitPropagation(instanceNumber: bigint, ownerNos: readonly number[]): Promise<void> {
    await this.#pending.ended(instanceNumber, ownerNos);
    await this.#caughtUp(instanceNumber, ownerNos);
  }

  /** Resolves when no living process shows any of these as it was before now. */
  async #caughtUp(instanceNumber: bigint, ownerNos: readonly number[]): Promise<void> {
    if (!ownerNos.length) return;
    let lagging = await store.readLaggingProcesses(this.#deps.db, instanceNumber, ownerNos);
    if (!lagging.length) return;
    if (lagging.some(({ processId }) => processId === this.id)) void this.#look().catch(() => undefined);
    if (lagging.some(({ processId }) => processId !== this.id)) this.#deps.tellOthers('changed');
    for (let ms = lookAgainMs; lagging.length; ms = Math.min(2 * ms, lookAgainMostMs)) {
      await this.#applied.wait(ms, this.#closing.signal);
      if (this.#closing.signal.aborted) throw unavailableError('the server is stopping');
      lagging = await store.readStillLagging(this.#deps.db, instanceNumber, lagging);
    }
  }

  /** Applies what changed; asked for again before it begins, it is done once. */
  #look(): Promise<void> {
    this.#looking ??= this.#inTurn(() => {
      this.#looking = undefined;
      return this.#applyChanges();
    });
    return this.#looking;
  }

  async #applyChanges(): Promise<void> {
    const { db, handler, tellOthers } = this.#deps;
    const risen = await store.readRaisedRevisions(db, this.id);
    if (!risen.length) return;
    await Promise.all(
      [...this.#list.raise(risen)].map(([instanceNumber, ownerNos]) => handler.onInvalidated(instanceNumber, ownerNos)),
    );
    await store.saveAppliedRevisions(db, this.id, risen);
    this.#applied.wakeAll();
    tellOthers('applied');
  }

  /** Renews the lease. If it had lapsed, what was shown meanwhile is rechecked before showing anything again. */
  async #renew(): Promise<void> {
    const { db, clock } = this.#deps;
    const at = clock.now(); // it holds from when the database hears of it, which is later
    const isHeld = await store.renewLease(db, this.id, leaseMs);
    // The statement may have been late itself, and writers gone on before it was there.
    const isWhole = isHeld && this.#isLive();
    if (!isHeld) await store.takeLease(db, this.id, leaseMs);
    if (!isWhole) {
      this.#isBehind = true;
      const shown = [...this.#list.all()].filter(({ known }) => known !== removedRevision);
      if (shown.length) await store.restoreSubscriptions(db, this.id, shown);
      await this.#applyChanges();
      this.#isBehind = false;
    }
    this.#renewedAt = at;
    this.#stopLooking ??= clock.every(lookEveryMs, () => void this.#tick());
    this.#revived.wakeAll();
  }

  /** Done every quarter of a second, while the database answers. */
  async #tick(): Promise<void> {
    if (this.#isTicking) return; // a database that hangs must not collect them
    this.#isTicking = true;
    try {
      await this.#inTurn(async () => {
        if (this.#deps.clock.now() - this.#renewedAt >= renewEveryMs) await this.#renew();
      });
      await this.#look();
      await this.#inTurn(() => this.#tidy());
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#deps.warn('what other processes change could not be read', error);
      this.#isFailing = true;
    } finally {
      this.#isTicking = false;
    }
  }

  /** Leaves what nobody here reads any more, and removes what dead processes left. */
  async #tidy(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    if (now - this.#tidiedAt < keptMs / 6) return;
    this.#tidiedAt = now;
    const remaining = [...this.#list.all()].filter(({ readers, idleSince }) => !readers && now - idleSince > keptMs);
    for (const each of remaining) this.#list.remove(each); // first: whoever comes now enters it anew, after this turn
    if (remaining.length) await store.removeSubscriptions(db, this.id, remaining);
    await store.removeExpiredLeases(db, deadMs);
  }

  async close(): Promise<void> {
    this.#stopLooking?.();
    this.#closing.abort();
    await this.#inTurn(async () => {
      if (this.#renewedAt > -Infinity) await store.endLease(this.#deps.db, this.id);
    }).catch(() => undefined); // it ends by itself
  }
}
