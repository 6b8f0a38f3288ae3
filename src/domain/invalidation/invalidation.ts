/** The owner number that stands for the instance itself: its keys, its state, its configuration. */
export const instanceOwnerNo = 0;

/** The revision of an owner that was removed, above every other. */
export const removedRevision = 2n ** 63n - 1n;

/** An owner, or the instance itself: each has a revision. */
export interface RevisionKey {
  readonly instanceNumber: bigint;
  readonly ownerNo: number;
}

/** A revision that an owner or an instance rose to. */
export interface Revision extends RevisionKey {
  readonly revision: bigint;
}

/** The revisions as of which something of an instance was read, by owner number. They were read before it. */
export interface ReadVersions {
  readonly instanceNumber: bigint;
  readonly revisions: ReadonlyMap<number, bigint>;
}

/** Changes when an owner stores its first memory, so that a read cached before then is recognised as incomplete. */
export type Epoch = string;

/** A cached read: its epoch was taken first, then its revisions were read. */
export interface VersionedRead extends ReadVersions {
  readonly epoch: Epoch;
}

/** The streams of this process that show memories to somebody. */
export interface InvalidationHandler {
  /**
   * These changed. When this resolves, ended memories are withdrawn from every reader who was shown them, or the
   * reader's stream has ended. Never rejects.
   */
  onInvalidated(instanceNumber: bigint, ownerNos: readonly number[]): Promise<void>;
}

/** A change that is being written. */
export interface PendingChange {
  /** The revisions that it raises; filled before the commit. */
  readonly revised: Revision[];
  /** Call it after the commit. Resolves when nobody is shown what the change ended. */
  propagate(): Promise<void>;
  /** Call it however the change ended. */
  end(): void;
}

/**
 * Prevents stale reads: a change is acknowledged once every process that shows affected memories has withdrawn those
 * that ended. A result is *stale* if it contains a memory changed and acknowledged before its last check
 * (`isCurrent`) began. Two implementations: `within-process.ts` and `among-processes.ts`.
 */
export interface Invalidation {
  /**
   * Starts watching these owners. From when the promise resolves until the returned function is called, this process
   * learns of each change to them before whoever made it gets an answer. What is read in that time is current until
   * `isCurrent` returns false. Throws `unavailable`.
   */
  watch(instanceNumber: bigint, ownerNos: readonly number[]): Promise<() => void>;
  /** Whether no acknowledged change touches what was read. Reads that are not watched are never current. */
  isCurrent(read: ReadVersions): boolean;
  /** Resolves while this process may show anything. Throws `unavailable` once it lost touch with the others. */
  ready(): Promise<void>;
  /** Call it before a change is written. */
  beginChange(): PendingChange;
  /** Resolves when nobody is shown what earlier changes of these ended, whoever made them. */
  awaitPropagation(instanceNumber: bigint, ownerNos: readonly number[]): Promise<void>;
  /** The epoch of an instance, to be taken before something of it is read that is kept in memory. */
  epoch(instanceNumber: bigint): Epoch;
  /** Whether a cached read equals the database; false when only the database can tell. */
  isFresh(read: VersionedRead): boolean;
  close(): Promise<void>;
}

/** The clock of those who wait for invalidation; tests have their own. */
export interface Clock {
  /** Milliseconds that only rise, also while the process stands still. */
  now(): number;
  /** Returns what ends it. */
  every(ms: number, work: () => void): () => void;
}

export const steadyClock: Clock = {
  now: () => performance.now(),
  every(ms, work) {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
