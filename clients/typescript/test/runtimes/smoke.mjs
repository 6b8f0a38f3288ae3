// What a client must do wherever it runs. `client`: the module of the package; `service`: where the service is, and its key.
import { randomUUID } from 'node:crypto';

export async function smoke({ Presage, InvalidInputError }, { url: baseUrl, key: apiKey }) {
  const memory = new Presage({ apiKey, baseUrl });
  const user_id = `user-${randomUUID()}`;
  const { status } = await memory.remember('I am allergic to peanuts. I live in Leeds.', { user_id });
  const { memories } = await memory.recall('What must I not eat?', { user_id });
  const prompt = await memory.recall('What must I not eat?', { user_id }).prompt;
  const ids = [];
  for await (const { id } of memory.memories.list({ user_id, limit: 1 })) ids.push(id);
  const exported = [];
  for await (const line of memory.users.export(user_id)) exported.push(line);
  const error = await memory.recall('Where?', { user_id, max_results: 1_000 }).catch((reason) => reason);
  const stop = new AbortController();
  const stopped = memory.recall('Where?', { user_id }, { signal: stop.signal }).catch((reason) => reason.message);
  stop.abort(new Error('never mind'));
  const { response } = await memory.recall('Where?', { user_id }, { correlationId: 'smoke-1' }).withResponse();
  return {
    status,
    recalled: memories[0]?.content,
    hasPrompt: prompt.includes('peanuts'),
    listed: ids.length === exported.length && ids.length > 1,
    error: error instanceof InvalidInputError && error.errors[0]?.field,
    stopped: await stopped,
    correlationId: response.correlationId,
  };
}

export const expected = {
  status: 'completed',
  recalled: 'I am allergic to peanuts.',
  hasPrompt: true,
  listed: true,
  error: 'max_results',
  stopped: 'never mind',
  correlationId: 'smoke-1',
};
