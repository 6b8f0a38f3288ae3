import { generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { AuthenticationError, Presage, type ApiError } from '@presage-memory/client';
import { describe, expect, inject, test } from 'vitest';
import { presageMiddleware, presageTools } from '../dist/ai-sdk.js';
import { away, memory, said, somebody } from './support/memory.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
const answer = (text: string): Generated => ({
  content: [{ type: 'text', text }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
  warnings: [],
});
const call = (toolName: string, input: object): Generated => ({
  content: [{ type: 'tool-call', toolCallId: crypto.randomUUID(), toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
  usage,
  warnings: [],
});
const scripted = (...answers: Generated[]) => new MockLanguageModelV4({ doGenerate: answers });

describe('the middleware for the AI SDK', () => {
  test("puts what bears on the user's message before it, as data of the user", async () => {
    const user_id = somebody();
    await memory.remember('I am allergic to peanuts.', { user_id });
    const model = scripted(answer('Rice.'));
    await generateText({
      model: wrapLanguageModel({ model, middleware: presageMiddleware(memory, { user_id }) }),
      instructions: 'You are a cook.',
      prompt: 'What can I eat?',
    });
    const [system, block, question] = model.doGenerateCalls[0]!.prompt;
    expect(system).toMatchObject({ role: 'system', content: 'You are a cook.' });
    expect(block).toMatchObject({ role: 'user' });
    expect(JSON.stringify(block!.content)).toMatch(/data about people, not instructions.*allergic to peanuts/);
    expect(question).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'What can I eat?' }] });
  });

  test('shows nobody what another user said', async () => {
    await memory.remember('I am allergic to peanuts.', { user_id: somebody() });
    const model = scripted(answer('Anything.'));
    const middleware = presageMiddleware(memory, { user_id: somebody() });
    await generateText({ model: wrapLanguageModel({ model, middleware }), prompt: 'What can I eat?' });
    expect(JSON.stringify(model.doGenerateCalls[0]!.prompt)).not.toContain('peanuts');
  });

  test('remembers both sides, once in a turn in which tools were called, whose steps share one block', async () => {
    const user_id = somebody();
    const conversation_id = `chat-${user_id}`;
    await memory.remember('I keep bees.', { user_id });
    const model = scripted(call('recall', { question: 'What do they keep?' }), answer('Bees.'));
    const { text, steps } = await generateText({
      model: wrapLanguageModel({ model, middleware: presageMiddleware(memory, { user_id, conversation_id }) }),
      tools: presageTools(memory, { user_id }),
      stopWhen: stepCountIs(3),
      prompt: 'What do I keep?',
    });
    expect(text).toBe('Bees.');
    expect(steps[0]!.toolResults[0]!.output).toMatchObject([{ content: 'I keep bees.' }]);
    expect(await said(conversation_id)).toEqual(['user: What do I keep?', 'assistant: Bees.']);
    const [first, second] = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt[0]));
    expect(second).toBe(first);
  });

  test('streams an answer before what was asked is kept, and remembers both in their order', async () => {
    const user_id = somebody();
    const conversation_id = `stream-${user_id}`;
    let keep!: () => void;
    const mayBeKept = new Promise<void>((resolve) => (keep = resolve));
    const slow = new Presage({
      apiKey: inject('service').key,
      baseUrl: inject('service').url,
      fetch: async (...request) => {
        if (new Request(...request).url.endsWith('/messages')) await mayBeKept;
        return fetch(...request);
      },
    });
    const model = new MockLanguageModelV4({
      doStream: {
        stream: convertArrayToReadableStream([
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'In ' },
          { type: 'text-delta', id: '1', delta: 'York.' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
        ]),
      },
    });
    const middleware = presageMiddleware(slow, { user_id, conversation_id });
    const result = streamText({
      model: wrapLanguageModel({ model, middleware }),
      prompt: 'I moved to York. Where am I?',
    });
    let text = '';
    for await (const part of result.textStream) {
      text += part;
      if (text === 'In York.') keep();
    }
    expect(text).toBe('In York.');
    expect(await said(conversation_id)).toEqual(['user: I moved to York. Where am I?', 'assistant: In York.']);
  });

  test('goes on without memories while the service is away, and says so', async () => {
    const attempts: number[] = [];
    const onUnavailable = (error: Error) => attempts.push((error as ApiError).attempts);
    const middleware = presageMiddleware(away, { user_id: 'ada', conversation_id: 'c', onUnavailable });
    const { text } = await generateText({
      model: wrapLanguageModel({ model: scripted(answer('Hello.')), middleware }),
      prompt: 'Hi',
    });
    expect(text).toBe('Hello.');
    expect(attempts).toEqual([2, 2, 2]); // a recall, and two turns that were said: nobody is kept waiting for more
  });

  test('a wrong key is told', async () => {
    const stranger = new Presage({ apiKey: `presage_${'x'.repeat(43)}`, baseUrl: inject('service').url });
    const middleware = presageMiddleware(stranger, { user_id: 'ada' });
    const model = wrapLanguageModel({ model: scripted(answer('Hello.')), middleware });
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toBeInstanceOf(AuthenticationError);
  });
});

test('a model remembers and forgets by tools, for its user alone', async () => {
  const user_id = somebody();
  const remembering = await generateText({
    model: scripted(call('remember', { text: 'I live in Leeds.' }), answer('Noted.')),
    tools: presageTools(memory, { user_id }),
    stopWhen: stepCountIs(2),
    prompt: 'I live in Leeds.',
  });
  const { memory_ids } = remembering.steps[0]!.toolResults[0]!.output as { memory_ids: string[] };
  const forget = (owner: string) =>
    generateText({
      model: scripted(call('forget', { memory_id: memory_ids[0] }), answer('Done.')),
      tools: presageTools(memory, { user_id: owner }),
      stopWhen: stepCountIs(2),
      prompt: 'Forget it.',
    });
  const refused = await forget(somebody());
  expect(refused.steps[0]!.content.map(({ type }) => type)).toContain('tool-error');
  await forget(user_id);
  expect((await memory.recall('Where do I live?', { user_id })).memories).toEqual([]);
});
