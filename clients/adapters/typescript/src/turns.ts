import { RateLimitError, ServiceUnavailableError, type Presage, type RecallParameters } from '@presage-memory/client';
import { ownerOf, type Owner } from './owner.ts';

/** How an adapter takes part in the turns of a conversation. */
export interface TurnOptions extends Owner {
  /** What is said is kept in this conversation and becomes memories by itself. Left out: nothing is kept. */
  readonly conversation_id?: string;
  /** How memories are recalled, such as `context_budget` or `min_relevance`. */
  readonly recall?: Pick<RecallParameters, 'context_budget' | 'max_results' | 'min_relevance' | 'mode' | 'types'>;
  /**
   * Called when the service is away or asks for patience: the agent goes on without memories. Default: a warning on the
   * console. Every other error, such as a wrong key, is thrown.
   */
  readonly onUnavailable?: (error: Error) => void;
}

export interface Turn {
  readonly role: string;
  readonly content: string;
}

/** The service takes no longer question; its end says most. */
const longestQuestion = 2_000;
/** Somebody waits for an answer, and would wait minutes for all that the client tries by itself. */
const impatience = { timeoutMs: 5_000, maxRetries: 1 } as const;

/** Recalls before the model is asked, and keeps what was said. */
export class Turns {
  readonly #memory: Presage;
  readonly #options: TurnOptions;

  constructor(memory: Presage, options: TurnOptions) {
    this.#memory = memory;
    this.#options = options;
  }

  /**
   * What bears on a question, as a block of text that marks its items as data; empty when nothing does, or the service
   * is away. It is meant for a message of the user's, since what somebody once said must not speak with the voice of the
   * system.
   */
  async block(question: string): Promise<string> {
    const query = question.trim().slice(-longestQuestion);
    const parameters = { ...this.#options.recall, ...this.#about() };
    const asked = this.#memory.recall(query === '' ? [] : query, { ...parameters, format: 'prompt' }, impatience);
    return (await this.#unlessAway(asked.prompt)) ?? '';
  }

  /** Keeps turns in the conversation, in their order. Blank ones are left out. */
  async keep(...turns: readonly Turn[]): Promise<void> {
    const { conversation_id } = this.#options;
    const said = turns.filter(({ content }) => content.trim() !== '').map(({ role, content }) => ({ role, content }));
    if (conversation_id === undefined || said.length === 0) return;
    await this.#unlessAway(this.#memory.conversations.say(conversation_id, said, ownerOf(this.#options), impatience));
  }

  #about() {
    const { conversation_id } = this.#options;
    const owner = ownerOf(this.#options);
    // A conversation that never was is no error where its owner is named.
    const hasOwner = owner.user_id !== undefined || owner.customer_id !== undefined;
    return { ...owner, ...(conversation_id !== undefined && hasOwner ? { conversation_id } : {}) };
  }

  async #unlessAway<T>(call: Promise<T>): Promise<T | undefined> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof ServiceUnavailableError || error instanceof RateLimitError)) throw error;
      const { onUnavailable = warn } = this.#options;
      onUnavailable(error);
      return undefined;
    }
  }
}

// oxlint-disable-next-line eslint/no-console -- the default of an option
const warn = (error: Error) => console.warn(`memories are left out: ${error.message}`);
