import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager';
import { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import { Document } from '@langchain/core/documents';
import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { ContextNotFoundError, type FetchedMemory, type Presage, type RecallParameters } from '@presage-memory/client';
import { ownerOf, type Owner } from './owner.ts';

type MemoryMetadata = Omit<FetchedMemory, 'content'>;

/** `metadata` is LangChain's own, of its traces. */
export interface PresageRetrieverInput
  extends BaseRetrieverInput, Owner, Omit<RecallParameters, 'format' | 'explain' | 'metadata' | keyof Owner> {}

/** Recalls memories as documents: their content, and all else that is known of them as metadata. */
export class PresageRetriever extends BaseRetriever<MemoryMetadata> {
  readonly lc_namespace = ['presage', 'retrievers'];
  readonly #memory: Presage;
  readonly #parameters: RecallParameters;

  static override lc_name() {
    return 'PresageRetriever';
  }

  constructor(memory: Presage, fields: PresageRetrieverInput) {
    const { callbacks, tags, metadata, verbose, ...parameters } = fields;
    super({
      ...(callbacks ? { callbacks } : {}),
      ...(tags ? { tags } : {}),
      ...(metadata ? { metadata } : {}),
      ...(verbose === undefined ? {} : { verbose }),
    });
    this.#memory = memory;
    this.#parameters = parameters;
  }

  override async _getRelevantDocuments(
    query: string,
    _run?: CallbackManagerForRetrieverRun,
  ): Promise<Document<MemoryMetadata>[]> {
    const { memories } = await this.#memory.recall(query, this.#parameters);
    return memories.map(
      ({ content, ...metadata }) => new Document({ id: metadata.id, pageContent: content, metadata }),
    );
  }
}

/** The service answers no more of a conversation at once. */
const mostMessages = 100;

/**
 * The history of a conversation, which becomes memories by itself. It keeps what was said: the text of messages of people,
 * of the model and of the system. Calls of tools and their results belong to a run, and are left out.
 */
export class PresageChatMessageHistory extends BaseListChatMessageHistory {
  readonly lc_namespace = ['presage', 'chat_history'];
  readonly #memory: Presage;
  readonly #conversationId: string;
  readonly #owner: Owner;
  readonly #last: number;

  /** `last`: how many messages are read back, 100 at most and by default. */
  constructor(memory: Presage, fields: Owner & { readonly conversation_id: string; readonly last?: number }) {
    super();
    this.#memory = memory;
    this.#conversationId = fields.conversation_id;
    this.#owner = ownerOf(fields);
    this.#last = fields.last ?? mostMessages;
  }

  override async getMessages(): Promise<BaseMessage[]> {
    try {
      const conversation = await this.#memory.conversations.get(this.#conversationId, {
        ...this.#owner,
        last: this.#last,
      });
      return conversation.recent_messages.map(toMessage);
    } catch (error) {
      if (error instanceof ContextNotFoundError) return []; // nothing was said yet
      throw error;
    }
  }

  override addMessage(message: BaseMessage): Promise<void> {
    return this.addMessages([message]);
  }

  override async addMessages(messages: BaseMessage[]): Promise<void> {
    const said = messages.flatMap(toSaid);
    if (said.length > 0) await this.#memory.conversations.say(this.#conversationId, said, this.#owner);
  }

  /** Refused: a history that forgot would leave the memories that were made of it. */
  override clear(): Promise<void> {
    throw new Error(
      'Presage does not clear a conversation: begin another conversation_id, or forget its user with users.forget',
    );
  }
}

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', system: 'system' };

function toSaid(message: BaseMessage): { role: string; content: string }[] {
  const role = roles[message.type];
  return role !== undefined && message.text.trim() !== '' ? [{ role, content: message.text }] : [];
}

function toMessage({ role, content }: { role: string; content: string }): BaseMessage {
  if (role === 'assistant') return new AIMessage(content);
  return role === 'system' ? new SystemMessage(content) : new HumanMessage(content);
}
