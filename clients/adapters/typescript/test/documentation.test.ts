import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { memory } from './support/memory.ts';

/** Every piece of JavaScript in docs/clients/adapters.md runs on the real framework, with a scripted model. */
const run = promisify(execFile);
const script = fileURLToPath(new URL('../../../support/snippets.mjs', import.meta.url));
const { stdout } = await run(process.execPath, [script, 'js']);
const pieces = (JSON.parse(stdout) as { code: string }[]).map(({ code }) => code);

const model = `
  import { MockLanguageModelV4 } from 'ai/test';
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const content = [{ type: 'text', text: 'Rice.' }];
  const finishReason = { unified: 'stop', raw: 'stop' };
  const model = new MockLanguageModelV4({ doGenerate: async () => ({ content, finishReason, usage, warnings: [] }) });
`;
const client = `
  import { Presage } from '@presage-memory/client';
  const memory = new Presage();
`;

/** What the guide takes for granted, and what shows that its piece worked. */
const frameworks = [
  {
    name: 'the AI SDK',
    imports: 'adapters/ai-sdk',
    given: model,
    shows: 'console.log(text, JSON.stringify(model.doGenerateCalls[0].prompt));',
    prints: /^Rice[.] .*allergic to peanuts/,
  },
  {
    name: 'LangChain and LangGraph',
    imports: 'adapters/langchain',
    given: `${client}
      import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
      const keep = async ({ text }, { store }) => void (await store.put(['notes', 'ada'], 'first', { text }));
      const State = Annotation.Root({ text: Annotation });
      const graph = new StateGraph(State).addNode('keep', keep).addEdge(START, 'keep').addEdge('keep', END);`,
    shows: `
      await agent.invoke({ text: 'I keep bees.' });
      await history.addUserMessage('What can I cook tonight?');
      const [first] = await retriever.invoke('What must I not eat?');
      const { data } = await memory.memories.list({ user_id: 'ada', q: 'bees' });
      console.log(first.pageContent, (await history.getMessages()).at(-1).text, data.length);`,
    prints: /^I am allergic to peanuts[.] What can I cook tonight[?] 1$/m,
  },
  {
    name: 'Mastra',
    imports: 'adapters/mastra',
    given: `${client}${model}
      import { Agent } from '@mastra/core/agent';
      import { InMemoryStore } from '@mastra/core/storage';
      const [id, name, instructions, storage] = ['cook', 'Cook', 'You are a cook.', new InMemoryStore()];`,
    shows: 'console.log(JSON.stringify(model.doGenerateCalls[0].prompt));',
    prints: /allergic to peanuts/,
  },
] as const;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(fileURLToPath(new URL('guide-', import.meta.url))); // within the package, which finds itself
  await memory.remember('I am allergic to peanuts.', { user_id: 'ada' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('each piece of the guide is of one of these frameworks', () => {
  expect(pieces).toHaveLength(frameworks.length);
});

test.each(frameworks)('the guide to $name works', async ({ imports, given, shows, prints }) => {
  const piece = pieces.find((code) => code.includes(imports))!;
  const file = join(folder, 'piece.mjs');
  writeFileSync(file, [given, piece, shows].join('\n'));
  const { key, url } = inject('service');
  const env = { ...process.env, PRESAGE_KEY: key, PRESAGE_URL: url };
  expect((await run(process.execPath, [file], { env })).stdout).toMatch(prints);
});
