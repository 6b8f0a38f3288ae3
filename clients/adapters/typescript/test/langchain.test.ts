import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts';
import { RunnableLambda, RunnableWithMessageHistory } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { describe, expect, test } from 'vitest';
import { PresageChatMessageHistory, PresageRetriever } from '../dist/langchain.js';
import { memory, said, somebody } from './support/memory.ts';

describe('the retriever for LangChain', () => {
  test('answers memories as documents, best first, in a chain', async () => {
    const user_id = somebody();
    await memory.remember('I am allergic to peanuts. I live in Leeds.', { user_id });
    const retriever = new PresageRetriever(memory, { user_id, max_results: 3 });
    const documents = await retriever.invoke('What must I not eat?');
    expect(documents[0]!.pageContent).toContain('peanuts');
    expect(documents[0]).toMatchObject({ id: expect.stringMatching(/^mem_/), metadata: { type: 'facts', user_id } });
    const chain = retriever.pipe(new RunnableLambda({ func: (found: typeof documents) => found.length }));
    expect(await chain.invoke('Where do I live?')).toBeLessThanOrEqual(3);
  });

  test('finds nothing of another user', async () => {
    await memory.remember('I am allergic to peanuts.', { user_id: somebody() });
    expect(await new PresageRetriever(memory, { user_id: somebody() }).invoke('peanuts')).toEqual([]);
  });
});

describe('the history for LangChain', () => {
  const chat = (user_id: string, answers: string[]) => {
    const prompt = ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history'), ['human', '{input}']]);
    return new RunnableWithMessageHistory({
      runnable: prompt.pipe(new FakeListChatModel({ responses: answers })),
      getMessageHistory: (conversation_id: string) =>
        new PresageChatMessageHistory(memory, { conversation_id, user_id }),
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    });
  };

  test('is read before and written after each run, and becomes memories', async () => {
    const user_id = somebody();
    const configurable = { sessionId: `c-${user_id}` };
    await chat(user_id, ['How nice.']).invoke({ input: 'I moved to York.' }, { configurable });
    await chat(user_id, ['In York.']).invoke({ input: 'Where do I live?' }, { configurable });
    const history = new PresageChatMessageHistory(memory, { conversation_id: configurable.sessionId, user_id });
    const messages = await history.getMessages();
    expect(messages.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'human: I moved to York.',
      'ai: How nice.',
      'human: Where do I live?',
      'ai: In York.',
    ]);
    const { ingestion_ids } = await memory.conversations.end(configurable.sessionId);
    for (const id of ingestion_ids) await memory.ingestions.get(id, { wait: 30 });
    expect((await memory.recall('Where do I live?', { user_id })).memories[0]!.content).toContain('York');
  });

  test('of an unknown conversation is empty, and calls of tools are left out', async () => {
    const user_id = somebody();
    const history = new PresageChatMessageHistory(memory, { conversation_id: `t-${user_id}`, user_id });
    expect(await history.getMessages()).toEqual([]);
    await history.addMessages([
      new HumanMessage('What is the time?'),
      new AIMessage({ content: '', tool_calls: [{ name: 'clock', args: {}, id: '1' }] }),
      new ToolMessage({ content: '12:00', tool_call_id: '1' }),
      new AIMessage('Noon.'),
    ]);
    expect(await said(`t-${user_id}`)).toEqual(['user: What is the time?', 'assistant: Noon.']);
    await expect(async () => history.clear()).rejects.toThrow('begin another conversation_id');
  });
});
