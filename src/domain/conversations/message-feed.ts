import { LRUCache } from 'lru-cache';

/** A message that was said in a conversation. */
export interface FeedMessage {
  /** "user", "assistant" or another role. */
  readonly role: string;
  readonly content: string;
  /** The UUID of whoever told it, so that they need not hear it again. */
  readonly origin: string;
  /** The message's number in the conversation; none: it is not kept, and only this process hears of it. */
  readonly n?: number;
  /** The words so far of a turn that is not complete; it is never kept. */
  readonly isPartial?: true;
}

/** A conversation that somebody in this process listens to. */
interface ListenedConversation {
  readonly instanceNumber: bigint;
  readonly id: string;
  /** The number of the message that comes next; null: not known, and what other processes say is not heard yet. */
  readonly next: number | null;
  readonly listeners: ReadonlySet<(said: FeedMessage) => void>;
}

/** The other processes, as a feed hears and tells them; without it there are none. */
export interface RemoteFeed {
  /** A message was kept: others may want to read it. */
  tell(instanceNumber: bigint, conversationId: string): void;
  /** Messages may have been kept that the feed has not heard of. */
  look(): void;
}

const countedAtMost = 10_000;

/**
 * Publishes the messages of conversations as they come, whichever API or process received them. It keeps nothing: a
 * listener hears each message once from then on, those that are stored in their order.
 */
export class MessageFeed {
  readonly #listened = new Map<string, ConversationListeners>();
  readonly #remote: RemoteFeed | undefined;
  /** The message counts of conversations to which no other process could add a message. */
  readonly #counts = new LRUCache<string, number>({ max: countedAtMost });

  constructor(remote?: RemoteFeed) {
    this.#remote = remote;
  }

  /** The message count of a conversation, by its UUID; undefined when this process does not know it. */
  countOf(instanceNumber: bigint, conversationId: string): number | undefined {
    return this.#remote ? undefined : this.#counts.get(nameOf(instanceNumber, conversationId));
  }

  /** Notes the message count of a conversation as it was read: messages that are published meanwhile count on top. */
  noteCount(instanceNumber: bigint, conversationId: string, count: number): void {
    const name = nameOf(instanceNumber, conversationId);
    this.#counts.set(name, Math.max(this.#counts.get(name) ?? 0, count));
  }

  /** Publishes a message. Call it after the commit, when the message is kept. */
  publish(instanceNumber: bigint, conversationId: string, said: FeedMessage): void {
    const name = nameOf(instanceNumber, conversationId);
    if (said.n !== undefined) {
      this.#remote?.tell(instanceNumber, conversationId);
      this.noteCount(instanceNumber, conversationId, said.n + 1);
    }
    const listened = this.#listened.get(name);
    if (!listened) return;
    if (said.n !== undefined && listened.next !== null && said.n > listened.next) {
      this.#remote?.look(); // another process said something before it: both are read in their order
    } else listened.hear(said);
  }

  /** Calls `hear` with what is said in one conversation, by its UUID. Returns what ends it. */
  listen(instanceNumber: bigint, conversationId: string, hear: (said: FeedMessage) => void): () => void {
    const name = nameOf(instanceNumber, conversationId);
    const listened = this.#listened.get(name) ?? new ConversationListeners(instanceNumber, conversationId);
    this.#listened.set(name, listened);
    const each = (said: FeedMessage) => hear(said); // the same function may listen twice
    listened.listeners.add(each);
    if (listened.next === null) this.#remote?.look();
    return () => {
      listened.listeners.delete(each);
      if (!listened.listeners.size && this.#listened.get(name) === listened) this.#listened.delete(name);
    };
  }

  /** The conversations that somebody here listens to. */
  listened(): readonly ListenedConversation[] {
    return [...this.#listened.values()];
  }

  /** Follows a conversation from this number on, for messages that other processes kept. */
  follow(instanceNumber: bigint, conversationId: string, next: number): void {
    const listened = this.#listened.get(nameOf(instanceNumber, conversationId));
    if (listened) listened.next ??= next;
  }

  /** Takes the notice of another process that it kept a message in this place, `<i>/<conversation>`. */
  heardOf(place: string): void {
    if (this.#listened.has(place)) this.#remote?.look();
  }

  /** A message that was read: whoever kept it, it is heard once. */
  read(instanceNumber: bigint, conversationId: string, said: FeedMessage & { readonly n: number }): void {
    this.#listened.get(nameOf(instanceNumber, conversationId))?.hear(said);
  }
}

/** The most numbers behind the next one that are remembered: a message may be read before its notice arrives. */
const heardAtMost = 1_000;

class ConversationListeners implements ListenedConversation {
  readonly instanceNumber: bigint;
  readonly id: string;
  readonly listeners = new Set<(said: FeedMessage) => void>();
  readonly #heard = new Set<number>();
  next: number | null = null;

  constructor(instanceNumber: bigint, id: string) {
    this.instanceNumber = instanceNumber;
    this.id = id;
  }

  hear(said: FeedMessage): void {
    if (said.n !== undefined) {
      if (this.#heard.has(said.n)) return;
      this.#heard.add(said.n);
      this.#heard.delete(said.n - heardAtMost);
      if (this.next !== null) this.next = Math.max(this.next, said.n + 1);
    }
    for (const listener of this.listeners) listener(said);
  }
}

/** A name of a conversation that is unique among all instances. */
export const nameOf = (instanceNumber: bigint, conversationId: string) => `${instanceNumber}/${conversationId}`;
