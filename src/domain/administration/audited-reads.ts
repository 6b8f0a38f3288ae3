import { LRUCache } from 'lru-cache';
import type { InstanceId } from '../ids.ts';
import { hourMs } from '../time.ts';

/** The most reads that a process remembers; the oldest are forgotten, and audited again before their hour is over. */
const knownAtMost = 50_000;
/** A session's next read of the same record is audited again after this time. */
const forMs = hourMs;

/** Records that somebody reads: ids, by the kind of record. */
export type ReadIds = Readonly<Record<string, readonly string[]>>;

/** The reader of content: a session of the dashboard, in one instance. */
export interface ReadingSession {
  readonly sessionId: string;
  readonly instance: InstanceId;
}

/**
 * The reads of dashboard sessions that this process audited within the last hour. A page that is kept open and
 * shows the same again leaves no further row for it; what it shows for the first time does.
 */
export class AuditedReads {
  /** The time at which each read was audited. */
  readonly #known = new LRUCache<string, number>({ max: knownAtMost });

  /** The ids whose reading by this session was not audited within the hour before `at`. */
  unaudited(session: ReadingSession, ids: ReadIds, at: Date): ReadIds {
    const isNew = (kind: string, id: string) => {
      const before = this.#known.get(nameOf(session, kind, id));
      return before === undefined || Math.abs(at.getTime() - before) >= forMs;
    };
    const remaining = Object.entries(ids).map(([kind, of]) => [kind, of.filter((id) => isNew(kind, id))] as const);
    return Object.fromEntries(remaining.filter(([, of]) => of.length > 0));
  }

  /** Notes reads as audited. Call it once the row is written. */
  note(session: ReadingSession, ids: ReadIds, at: Date): void {
    for (const [kind, of] of Object.entries(ids))
      for (const id of of) this.#known.set(nameOf(session, kind, id), at.getTime());
  }
}

const nameOf = ({ sessionId, instance }: ReadingSession, kind: string, id: string) =>
  `${sessionId}/${instance}/${kind}/${id}`;
