import { EventEmitter } from 'node:events';

/** Something that was said in a conversation. */
export interface Said {
  /** "user", "assistant" or another role. */
  readonly role: string;
  readonly content: string;
  /** Of whoever told it, so that they need not hear it again. */
  readonly origin: string;
}

/**
 * What is said in conversations, by whatever door it came to this process. It keeps nothing: whoever listens hears what
 * is said from then on.
 */
export class MessageFeed {
  readonly #said = new EventEmitter().setMaxListeners(0);

  publish(i: bigint, conversationId: string, said: Said): void {
    this.#said.emit(`${i}/${conversationId}`, said);
  }

  /** The conversations that somebody here listens to. */
  listened(): readonly unknown[] {
    return this.#said.eventNames();
  }

  /** Calls `hear` with what is said in one conversation, by its UUID. Returns what ends it. */
  listen(i: bigint, conversationId: string, hear: (said: Said) => void): () => void {
    const name = `${i}/${conversationId}`;
    this.#said.on(name, hear);
    return () => void this.#said.off(name, hear);
  }
}
