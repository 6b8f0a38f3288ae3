import { LRUCache } from 'lru-cache';

/** Something that was said in a conversation. */
export interface Said {
  /** "user", "assistant" or another role. */
  readonly role: string;
  readonly content: string;
  /** The UUID of whoever told it, so that they need not hear it again. */
  readonly origin: string;
  /** Its number in the conversation; none: it is not kept, and only this process hears of it. */
  readonly n?: number;
  /** The words so far of a turn that is not complete; it is never kept. */
  readonly isPartial?: true;
}

/** A conversation that somebody in this process listens to. */
interface Listened {
  readonly i: bigint;
  readonly id: string;
  /** The number of the message that comes next; null: not known, and what other processes say is not heard yet. */
  readonly next: number | null;
  readonly listeners: ReadonlySet<(said: Said) => void>;
}

/** The other processes, as a feed hears and tells them; without it there are none. */
export interface Elsewhere {
  /** A message was kept: others may want to read it. */
  tell(i: bigint, conversationId: string): void;
  /** Messages may have been kept that the feed has not heard of. */
  look(): void;
}

const countedAtMost = 10_000;

/**
 * Publishes the messages of conversations as they come, whichever API or process received them. It keeps nothing: a
 * listener hears each message once from then on, those that are stored in their order.
 */
export class MessageFeed {
  readonly #ears = new Map<string, Ears>();
  readonly #elsewhere: Elsewhere | undefined;
  /** How many messages conversations have, where there is nobody elsewhere who could add one. */
  readonly #counts = new LRUCache<string, number>({ max: countedAtMost });

  constructor(elsewhere?: Elsewhere) {
    this.#elsewhere = elsewhere;
  }

  /** How many messages a conversation has, by its UUID; undefined where this process does not know. */
  countOf(i: bigint, conversationId: string): number | undefined {
    return this.#elsewhere ? undefined : this.#counts.get(nameOf(i, conversationId));
  }

  /** To be told after the commit, when the message is kept. */
  publish(i: bigint, conversationId: string, said: Said): void {
    const name = nameOf(i, conversationId);
    if (said.n !== undefined) {
      this.#elsewhere?.tell(i, conversationId);
      this.#counts.set(name, Math.max(this.#counts.get(name) ?? 0, said.n + 1));
    }
    const ears = this.#ears.get(name);
    if (!ears) return;
    if (said.n !== undefined && ears.next !== null && said.n > ears.next) {
      this.#elsewhere?.look(); // another process said something before it: both are read in their order
    } else ears.hear(said);
  }

  /** Calls `hear` with what is said in one conversation, by its UUID. Returns what ends it. */
  listen(i: bigint, conversationId: string, hear: (said: Said) => void): () => void {
    const name = nameOf(i, conversationId);
    const ears = this.#ears.get(name) ?? new Ears(i, conversationId);
    this.#ears.set(name, ears);
    const each = (said: Said) => hear(said); // the same function may listen twice
    ears.listeners.add(each);
    if (ears.next === null) this.#elsewhere?.look();
    return () => {
      ears.listeners.delete(each);
      if (!ears.listeners.size && this.#ears.get(name) === ears) this.#ears.delete(name);
    };
  }

  /** The conversations that somebody here listens to. */
  listened(): readonly Listened[] {
    return [...this.#ears.values()];
  }

  /** From this number on, messages of the conversation are read that others kept. */
  follow(i: bigint, conversationId: string, next: number): void {
    const ears = this.#ears.get(nameOf(i, conversationId));
    if (ears) ears.next ??= next;
  }

  /** Another process kept a message in this place, `<i>/<conversation>`. */
  heardOf(place: string): void {
    if (this.#ears.has(place)) this.#elsewhere?.look();
  }

  /** A message that was read: whoever kept it, it is heard once. */
  read(i: bigint, conversationId: string, said: Said & { readonly n: number }): void {
    this.#ears.get(nameOf(i, conversationId))?.hear(said);
  }
}

/** How many numbers behind the next one are remembered: a message may be read before its notice arrives. */
const heardAtMost = 1_000;

class Ears implements Listened {
  readonly i: bigint;
  readonly id: string;
  readonly listeners = new Set<(said: Said) => void>();
  readonly #heard = new Set<number>();
  next: number | null = null;

  constructor(i: bigint, id: string) {
    this.i = i;
    this.id = id;
  }

  hear(said: Said): void {
    if (said.n !== undefined) {
      if (this.#heard.has(said.n)) return;
      this.#heard.add(said.n);
      this.#heard.delete(said.n - heardAtMost);
      if (this.next !== null) this.next = Math.max(this.next, said.n + 1);
    }
    for (const listener of this.listeners) listener(said);
  }
}

const nameOf = (i: bigint, conversationId: string) => `${i}/${conversationId}`;
