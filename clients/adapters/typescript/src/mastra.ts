import { parseMemoryRequestContext } from '@mastra/core/memory';
import type { MastraDBMessage, MessageList } from '@mastra/core/agent';
import type {
  InputProcessor,
  InputProcessorOrWorkflow,
  OutputProcessor,
  OutputProcessorOrWorkflow,
  ProcessInputArgs,
  ProcessOutputResultArgs,
} from '@mastra/core/processors';
import type { RequestContext } from '@mastra/core/request-context';
import { Memory } from '@mastra/memory';
import type { Presage } from '@presage-memory/client';
import { Turns, type TurnOptions } from './turns.ts';

export interface PresageMemoryOptions extends Pick<TurnOptions, 'customer_id' | 'recall' | 'onUnavailable'> {
  /** As `Memory` of `@mastra/memory` takes it: where threads and their messages are, and how many of them are shown. */
  readonly mastra?: NonNullable<ConstructorParameters<typeof Memory>[0]>;
}

/**
 * Mastra's memory of threads and messages with Presage as what an agent knows across threads. The `resource` of a call is
 * the user, its `thread` the conversation: what bears on the user's message stands before it, as a message of data, and
 * both sides are remembered.
 */
export class PresageMemory extends Memory {
  readonly #processor: PresageProcessor;

  constructor(memory: Presage, { mastra = {}, ...options }: PresageMemoryOptions = {}) {
    super(mastra);
    this.#processor = new PresageProcessor(memory, options);
  }

  override async getInputProcessors(configured?: InputProcessorOrWorkflow[], context?: RequestContext) {
    const processors: InputProcessor[] = await super.getInputProcessors(configured, context);
    return [...processors, this.#processor];
  }

  override async getOutputProcessors(configured?: OutputProcessorOrWorkflow[], context?: RequestContext) {
    const processors: OutputProcessor[] = await super.getOutputProcessors(configured, context);
    return [...processors, this.#processor];
  }
}

/** What `PresageMemory` adds to an agent; for one that has another memory, give it as its input and output processor. */
export class PresageProcessor {
  readonly id = 'presage-memory';
  readonly #memory: Presage;
  readonly #options: Omit<PresageMemoryOptions, 'mastra'>;

  constructor(memory: Presage, options: Omit<PresageMemoryOptions, 'mastra'> = {}) {
    this.#memory = memory;
    this.#options = options;
  }

  async processInput({ messages, messageList, requestContext }: ProcessInputArgs): Promise<MessageList> {
    const asked = messages.findLast(isOfUser);
    const block = await this.#turnsOf(requestContext)?.block(asked ? textOf([asked]) : '');
    if (block) messageList.add([before(asked, block)], 'context'); // which is shown to the model, and not stored
    return messageList;
  }

  async processOutputResult({ messageList, requestContext, result }: ProcessOutputResultArgs): Promise<MessageList> {
    const asked = textOf(messageList.get.input.db().filter(isOfUser));
    await this.#turnsOf(requestContext)?.keep(
      { role: 'user', content: asked },
      { role: 'assistant', content: result.text },
    );
    return messageList;
  }

  /** Undefined: the call names neither resource nor thread, so nobody's memory is meant. */
  #turnsOf(context: RequestContext | undefined): Turns | undefined {
    const { resourceId, thread } = parseMemoryRequestContext(context) ?? {};
    if (!resourceId) return undefined;
    return new Turns(this.#memory, {
      ...this.#options,
      user_id: resourceId,
      ...(thread ? { conversation_id: thread.id } : {}),
    });
  }
}

const isOfUser = ({ role }: MastraDBMessage) => role === 'user';

/** Messages are shown in the order of their times. */
const before = (asked: MastraDBMessage | undefined, text: string): MastraDBMessage => ({
  id: crypto.randomUUID(),
  role: 'user',
  createdAt: asked ? new Date(new Date(asked.createdAt).getTime() - 1) : new Date(),
  content: { format: 2, parts: [{ type: 'text', text }] },
});

const textOf = (messages: readonly MastraDBMessage[]) =>
  messages
    .flatMap(({ content }) => content.parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n')
    .trim();
