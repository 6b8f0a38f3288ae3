import { LRUCache } from 'lru-cache';
import type { InstanceId } from '../ids.ts';
import type { StreamSettings } from './stream-messages.ts';
import { ConversationWindow } from './conversation-window.ts';
import { SessionHistory } from './session-history.ts';

/** A session that its reader may come back to. */
export interface ResumableSession {
  readonly window: ConversationWindow;
  readonly history: SessionHistory;
  /** Ends the stream that has the session now: another took it over. */
  release?: (() => void) | undefined;
}

/** A session can be resumed for this long, as the proto file promises. */
const rememberedMs = 5 * 60_000;
const sessionsAtMost = 10_000;
/**
 * Together; a session of short turns weighs some tens of kilobytes. Those that were silent longest are forgotten first.
 */
const bytesAtMost = 256 << 20;
const emptyBytes = 2_000;

/** The sessions of this process that have an id, for as long as they may be resumed. */
export class ResumableSessions {
  readonly #sessions = new LRUCache<string, ResumableSession>({
    max: sessionsAtMost,
    ttl: rememberedMs,
    maxSize: bytesAtMost,
    sizeCalculation: ({ window }) => emptyBytes + window.weight,
  });

  /** A known session is taken over from the stream that had it; any other begins. */
  open(instance: InstanceId, session: StreamSettings): ResumableSession {
    const key = keyOf(instance, session);
    const existing = key === undefined ? undefined : this.#sessions.get(key);
    existing?.release?.();
    return existing ?? { window: new ConversationWindow(), history: new SessionHistory() };
  }

  /** Remembers the session from now on. */
  keep(instance: InstanceId, session: StreamSettings, resumable: ResumableSession): void {
    const key = keyOf(instance, session);
    if (key === undefined) return;
    this.#sessions.delete(key); // what is set again is not weighed again
    this.#sessions.set(key, resumable);
  }

  forget(instance: InstanceId, session: StreamSettings): void {
    const key = keyOf(instance, session);
    if (key !== undefined) this.#sessions.delete(key);
  }
}

/** Whoever resumes must name the same people and the same provenance: the window of a session holds their memories. */
function keyOf(instance: InstanceId, { sessionId, provenance, ...about }: StreamSettings): string | undefined {
  if (!sessionId) return undefined;
  const { userId = '', customerId = '', conversationId = '' } = about;
  return JSON.stringify([instance, sessionId, userId, customerId, conversationId, provenance?.toSorted() ?? null]);
}
