import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chatModel } from '../../src/adapters/openai-compatible/chat-model.ts';
import { memoriesQuestion } from '../../src/domain/extraction/ask-model.ts';
import { completion, openProvider, type Asked, type Provider, type Reply } from '../support/provider.ts';
import { timed } from '../support/timed.ts';

const key = 'sk-not-to-be-told';
let provider: Provider & AsyncDisposable;
beforeAll(async () => void (provider = await openProvider()));
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(() => {
  provider.chat = () => completion({ memories: [] });
  provider.asked.length = 0;
});

const open = (timeoutMs = 2_000) => chatModel({ baseUrl: provider.baseUrl, apiKey: key, model: 'tiny', timeoutMs });
const ask = async (model = open(), signal = new AbortController().signal) => {
  const usage: unknown[] = [];
  const messages = [{ role: 'user', content: 'The harbour.' }] as const;
  const text = await model.answer(messages, {
    schema: memoriesQuestion.schema,
    signal,
    used: (each) => usage.push(each),
  });
  return { text, usage };
};
const formats = () => provider.asked.map(({ body }) => body.response_format?.type ?? 'plain');

test('it is asked for JSON of the schema, for its likeliest words, and its tokens are told', async () => {
  expect(await ask()).toEqual({ text: '{"memories":[]}', usage: [{ input: 100, output: 20 }] });
  expect(provider.asked).toMatchObject([
    {
      authorization: `Bearer ${key}`,
      body: { model: 'tiny', temperature: 0, response_format: { type: 'json_schema' } },
    },
  ]);
});

const refuses = (field: string, name: RegExp) => (asked: Asked) =>
  name.test(JSON.stringify(asked.body[field]))
    ? { status: 400, body: { error: { message: `no ${field}` } } }
    : completion('{}');

test.each([
  {
    case: 'a schema',
    chat: refuses('response_format', /json_schema/),
    asked: ['json_schema', 'json_object', 'json_object'],
  },
  {
    case: 'any format',
    chat: refuses('response_format', /json/),
    asked: ['json_schema', 'json_object', 'plain', 'plain'],
  },
  { case: 'a temperature', chat: refuses('temperature', /0/), asked: ['json_schema', 'json_schema', 'json_schema'] },
])('of a server that refuses $case, less is asked, from then on too', async ({ chat, asked }) => {
  provider.chat = chat;
  const model = open();
  for (let n = 0; n < 2; n++) expect((await ask(model)).text).toBe('{}');
  expect(formats()).toEqual(asked);
});

test.each<{ case: string; reply: Reply; calls: number }>([
  { case: 'fails again and again', reply: { status: 500, body: {} }, calls: 3 },
  { case: 'does not know the key', reply: { status: 401, body: `Incorrect API key: ${key}` }, calls: 1 },
  { case: 'refuses whatever is asked', reply: { status: 400, body: 'the harbour is not allowed' }, calls: 3 },
  { case: 'answers with no completion', reply: { body: { choices: [] } }, calls: 1 },
  { case: 'asks to wait for too long', reply: { status: 429, headers: { 'retry-after': '60' }, body: {} }, calls: 1 },
  { case: 'breaks the connection', reply: 'breaks', calls: 3 },
])('a server that $case is unavailable, and neither key nor text is told', async ({ reply, calls }) => {
  provider.chat = () => reply;
  const error: Error & { code?: string } = await ask(open(5_000)).then(
    () => expect.unreachable(),
    (e) => e,
  );
  expect({ code: error.code, calls: provider.asked.length }).toEqual({ code: 'unavailable', calls });
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/sk-not|harbour/);
});

test('a server that hangs has until the limit, and an abort ends the wait at once', timed, async () => {
  provider.chat = () => 'hangs';
  const began = performance.now();
  await expect(ask(open(500))).rejects.toMatchObject({ code: 'unavailable' });
  expect(performance.now() - began).toBeLessThan(2_000);
  const stop = new AbortController();
  const asking = ask(open(60_000), stop.signal);
  setTimeout(() => stop.abort(new Error('stopped')), 100);
  await expect(asking).rejects.toThrow('stopped');
});

test('no more than four questions are under way at once', async () => {
  let [now, max] = [0, 0];
  provider.chat = async () => {
    max = Math.max(max, ++now);
    await new Promise((resolve) => setTimeout(resolve, 50));
    now -= 1;
    return completion('{}');
  };
  const model = open(10_000);
  await Promise.all(Array.from({ length: 20 }, () => ask(model)));
  expect(max).toBe(4);
});
