import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuthenticationError, ContextNotFoundError, InvalidInputError, NotFoundError, Presage } from '../dist/index.js';
import { MemoryStream } from '../dist/stream/index.js';
import { breakableProxy } from './support/breakable-proxy.ts';
import { startService, type Service } from './support/service.ts';

let service: Service;
let memory: Presage;
beforeAll(async () => {
  service = await startService();
  memory = new Presage({ apiKey: service.key, baseUrl: service.url });
}, 300_000);
afterAll(() => service.stop());

let people = 0;
const somebody = () => `user-${(people += 1)}`;
const contents = async (user_id: string) => {
  const all: string[] = [];
  for await (const { content } of memory.memories.list({ user_id, limit: 100 })) all.push(content);
  return all;
};

describe('against the real service', () => {
  test('what is remembered is recalled', async () => {
    const user_id = somebody();
    const { status, memory_ids } = await memory.remember('I am allergic to peanuts.', { user_id });
    expect([status, memory_ids.length > 0]).toEqual(['completed', true]);
    const { memories } = await memory.recall('What must I not eat?', { user_id });
    expect(memories[0]?.content).toBe('I am allergic to peanuts.');
  });

  test('a prompt has what was remembered, as data', async () => {
    const user_id = somebody();
    await memory.remember('Always answer in metric units. I live in Leeds.', { user_id });
    const prompt = await memory.recall('Where do I live?', { user_id }).prompt;
    expect(prompt).toMatch(/<standing>[^]*metric[^]*<relevant>[^]*Leeds/);
  });

  test('an answer comes with its status and headers', async () => {
    const call = memory.recall('Where?', { user_id: somebody() }, { correlationId: 'mine-1' });
    const { data, response } = await call.withResponse();
    expect(data.memories).toEqual([]);
    expect(response).toMatchObject({ status: 200, correlationId: 'mine-1', configVersion: 1, attempts: 1 });
  });

  test('what is forgotten is recalled no more, and the receipt says so', async () => {
    const user_id = somebody();
    await memory.remember('I keep bees.', { user_id });
    const { data } = await memory.memories.list({ user_id });
    for (const { id } of data) {
      const { receipt } = await memory.forget(id, { cascade: 'evidence' }).catch((error: unknown) => {
        if (error instanceof NotFoundError) return { receipt: undefined }; // it went with another
        throw error;
      });
      if (receipt) expect(await memory.receipts.get(receipt.receipt_id)).toEqual(receipt);
    }
    expect((await memory.recall('What do I keep?', { user_id })).memories).toEqual([]);
  });

  test('a list is read over several pages', async () => {
    const user_id = somebody();
    await memory.remember('I live in Leeds. I work at Acme. I like tea. I keep bees.', { user_id });
    const ids = [];
    for await (const { id } of memory.memories.list({ user_id, limit: 2 })) ids.push(id);
    const { data } = await memory.memories.list({ user_id, limit: 100 });
    expect(ids).toEqual(data.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(2);
  });

  test('a conversation is remembered, exported and forgotten with its user', async () => {
    const user_id = somebody();
    const id = `call-${user_id}`;
    await memory.conversations.start({ conversation_id: id, user_id });
    await memory.conversations.say(id, [
      { role: 'user', content: 'I moved to York.' },
      { role: 'assistant', content: 'How nice.' },
    ]);
    const { ingestion_ids } = await memory.conversations.end(id);
    for (const each of ingestion_ids) await memory.ingestions.get(each, { wait: 30 });
    expect((await memory.conversations.get(id, { turns: '1' })).turns).toMatchObject([{ content: 'How nice.' }]);
    expect((await memory.recall('Where do I live?', { user_id })).memories[0]?.content).toContain('York');
    await memory.compact(id);
    const lines = [];
    for await (const line of memory.users.export(user_id)) lines.push(line);
    expect(lines.filter((line) => 'message_id' in line)).toHaveLength(2);
    expect(lines.filter((line) => 'compaction_id' in line)).toHaveLength(1);
    await memory.users.forget(user_id);
    expect(await contents(user_id)).toEqual([]);
  });

  test('a batch is judged document by document', async () => {
    const user_id = somebody();
    const { batch_id, results } = await memory.rememberAll([
      { document: 'I keep bees.', user_id },
      { document: ' ', user_id },
    ]);
    expect(results.map(({ status }) => status)).toEqual([expect.not.stringMatching('refused'), 'refused']);
    expect(await memory.batches.get(batch_id)).toMatchObject({ total: 2, failed: 1 });
  });

  test('entities, reviews, the instance and documents are there', async () => {
    const user_id = somebody();
    await memory.remember('My sister Joan lives in Bath.', { user_id, document_id: `d/${user_id}` });
    const { data: entities } = await memory.entities.list({ user_id });
    expect(entities.length).toBeGreaterThan(0);
    expect((await memory.entities.get(entities[0]!.entity_id)).entity_id).toBe(entities[0]!.entity_id);
    expect((await memory.reviews.list()).next_cursor).toBeNull();
    expect((await memory.instance()).instance_id).toMatch(/^inst_/);
    expect((await memory.documents.forget(`d/${user_id}`)).receipt.document_ids).toHaveLength(1);
    await memory.customers.forget(somebody()).catch((error: unknown) => expect(error).toBeInstanceOf(NotFoundError));
  });

  test('a memory is corrected, by its words and by its metadata', async () => {
    const user_id = somebody();
    await memory.remember('I live in Leeds.', { user_id });
    const [first] = (await memory.memories.list({ user_id, q: 'Leeds' })).data;
    const corrected = await memory.memories.correct(first!.id, {
      content: 'I live in York.',
      metadata: { by: 'hand' },
    });
    expect(corrected).toMatchObject({ id: first!.id, content: 'I live in York.', metadata: { by: 'hand' } });
    expect((await memory.memories.correct(first!.id, { metadata: null })).metadata).toBeNull();
  });

  test('a record is kept word for word, and replaced', async () => {
    const user_id = somebody();
    const record = { user_id, document_id: `settings-${user_id}`, verbatim: true, if_exists: 'replace' } as const;
    await memory.remember('theme=dark', record);
    await memory.remember('theme=light', record);
    const { data } = await memory.memories.list({ user_id, status: 'active' });
    expect(data.map(({ content }) => content)).toEqual(['theme=light']);
    await expect.poll(() => contents(user_id)).toEqual(['theme=light']); // the former one is archived until a job erases it
  });

  test('a conversation is compacted, and its versions are read', async () => {
    const user_id = somebody();
    const id = `meeting-${user_id}`;
    await memory.conversations.say(id, { role: 'user', content: 'We decided to launch on Monday.' }, { user_id });
    const { version, system_prompt } = await memory.compact(id, { output_format: 'system_prompt' });
    expect(system_prompt).toContain('Monday');
    expect((await memory.compactions.get(id, version)).compaction_id).toMatch(/^cmp_/);
    expect((await memory.compactions.list(id)).data.map((each) => each.version)).toEqual([version]);
    expect((await memory.compact(id, { wait: false })).status).toBe('queued');
  });

  test('a webhook is made, changed, tested and deleted, and the usage is read', async () => {
    const { webhook_id, secret } = await memory.webhooks.create({
      url: 'https://example.com/hooks',
      event_types: ['conversation.ended'],
    });
    expect(secret).toMatch(/^whsec_/);
    expect((await memory.webhooks.rotateSecret(webhook_id)).secret).not.toBe(secret);
    const { delivery_id } = await memory.webhooks.test(webhook_id);
    expect((await memory.webhooks.delivery(delivery_id)).event_type).toBe('webhook.test');
    expect((await memory.webhooks.deliveries(webhook_id)).data.map((each) => each.delivery_id)).toEqual([delivery_id]);
    expect((await memory.webhooks.redeliver(delivery_id)).webhook_id).toBe(webhook_id);
    expect((await memory.webhooks.update(webhook_id, { state: 'disabled' })).disabled_reason).toBe('by_hand');
    expect((await memory.webhooks.delete(webhook_id)).webhook_id).toBe(webhook_id);
    await expect(memory.webhooks.get(webhook_id)).rejects.toBeInstanceOf(NotFoundError);
    expect((await memory.usage()).month).toMatch(/^\d{4}-\d\d$/);
  });

  test('errors are of their classes', async () => {
    const stranger = new Presage({ apiKey: `presage_${'x'.repeat(43)}`, baseUrl: service.url });
    await expect(stranger.recall('Where?', { user_id: 'ada' })).rejects.toBeInstanceOf(AuthenticationError);
    await expect(memory.recall('Where?', { conversation_id: 'never' })).rejects.toBeInstanceOf(ContextNotFoundError);
    await expect(memory.memories.get('mem_1')).rejects.toBeInstanceOf(NotFoundError);
    const wrong = await memory.recall('Where?', { max_results: 1_000 }).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(InvalidInputError);
    expect((wrong as InvalidInputError).errors[0]?.field).toBe('max_results');
  });

  test('where nobody answers, the error says where that is', async () => {
    const nowhere = new Presage({ apiKey: service.key, baseUrl: 'http://127.0.0.1:9999', maxRetries: 0 });
    const told =
      'http://127.0.0.1:9999 could not be reached, or the connection was lost (ECONNREFUSED): baseUrl or PRESAGE_URL';
    await expect(nowhere.recall('Where?')).rejects.toThrow(told);
  });

  test('an option by another name is refused, and not left to the environment', () => {
    const options = { url: service.url, key: service.key };
    expect(() => new Presage(options as object)).toThrow(/^url: is no option of Presage: they are apiKey, baseUrl, /);
  });

  test('a browser with a token recalls for its user and nobody else', async () => {
    const user_id = somebody();
    await memory.remember('I live in Leeds.', { user_id });
    const { token } = await memory.tokens.create({ user_id });
    const browser = new Presage({ apiKey: token!, baseUrl: service.url });
    expect((await browser.recall('Where do I live?', { user_id })).memories).not.toEqual([]);
    await expect(browser.recall('Where?', { user_id: 'somebody-else' })).rejects.toBeInstanceOf(AuthenticationError);
    await expect(browser.memories.list()).rejects.toBeInstanceOf(AuthenticationError);
  });

  test('a caller can stop a call', async () => {
    const stop = new AbortController();
    const call = memory.recall('Where?', {}, { signal: stop.signal });
    stop.abort(new Error('never mind'));
    await expect(call).rejects.toThrow('never mind');
  });
});

describe('a stream of the real service', () => {
  const open = (user_id: string, more: object = {}) =>
    new MemoryStream(memory, { address: service.grpc, user_id, ...more });

  test('keeps the set that stands, and withdraws what is forgotten', async () => {
    const user_id = somebody();
    const { memory_ids } = await memory.remember('Always answer in metric units.', { user_id });
    const stream = open(user_id);
    await expect.poll(() => stream.memories.map(({ content }) => content)).toContain('Always answer in metric units.');
    const standing = stream.memories.find(({ content }) => content.includes('metric'))!;
    expect(standing).toMatchObject({ reason: 'standing', type: 'preferences', scope: 'USER', event_start: null });
    for (const id of memory_ids) await memory.forget(id, { cascade: 'evidence' }).catch(() => undefined);
    await expect.poll(() => stream.memories.map(({ id }) => id)).not.toContain(standing.id);
    await stream.close();
  });

  test('answers what was said, and tells each change', async () => {
    const user_id = somebody();
    await memory.remember('I am allergic to peanuts.', { user_id });
    await using stream = open(user_id);
    const heard = (async () => {
      for await (const { memories } of stream)
        if (memories.some(({ content }) => content.includes('peanuts'))) return true;
      return false;
    })();
    await expect.poll(() => stream.isConnected).toBe(true);
    stream.hears('What can I co');
    await stream.said('user', 'What can I cook tonight, without what I am allergic to?');
    const recalled = await stream.recall('What can I cook tonight?', { patienceMs: 20_000 });
    expect(recalled.map(({ content }) => content)).toContain('I am allergic to peanuts.');
    stream.used(recalled.map(({ id }) => id));
    stream.calls('search', { query: 'recipes' });
    expect(await heard).toBe(true);
  });

  test('ends with an error of its class when it can never be open', async () => {
    const stranger = new Presage({ apiKey: `presage_${'x'.repeat(43)}`, baseUrl: service.url });
    const stream = new MemoryStream(stranger, { address: service.grpc, user_id: 'ada' });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toBeInstanceOf(AuthenticationError);
    await expect(stream.said('user', 'Hello.')).rejects.toBeInstanceOf(AuthenticationError);
    await stream.close();
  });
});

describe('when connections break', () => {
  test('no write is lost and none is done twice', async () => {
    const proxy = await breakableProxy(service.url);
    const clock = { random: () => 0.5, pause: async () => undefined };
    const shaky = new Presage({ apiKey: service.key, baseUrl: `http://${proxy.address}`, clock });
    const user_id = somebody();
    for (const place of ['Leeds', 'York', 'Bath']) {
      proxy.loseAnswers(1);
      await shaky.remember(`I went to ${place} on holiday.`, { user_id });
    }
    proxy.loseAnswers(1);
    await shaky.conversations.say(`c-${user_id}`, { role: 'user', content: 'Hello there.' }, { user_id });
    const kept = await memory.conversations.get(`c-${user_id}`);
    expect(kept.message_count).toBe(1);
    const { data } = await memory.memories.list({ user_id, limit: 100 });
    for (const place of ['Leeds', 'York', 'Bath']) {
      const own = data.filter(({ content }) => content.includes(place));
      const documents = own.flatMap(({ evidence }) => evidence.map(({ document_id }) => document_id));
      expect(new Set(documents).size).toBe(1);
    }
    proxy.close();
  });

  test('a stream goes on where it was, without what was forgotten meanwhile', async () => {
    const user_id = somebody();
    const { memory_ids } = await memory.remember('Always answer in metric units.', { user_id });
    await memory.remember('Always call me Ada.', { user_id });
    const proxy = await breakableProxy(service.grpc);
    const stream = new MemoryStream(memory, { address: proxy.address, user_id });
    const shown = () => stream.memories.map(({ content }) => content).join();
    await expect.poll(shown).toMatch(/metric/);
    proxy.refuse(true);
    await expect.poll(() => stream.isConnected).toBe(false);
    const fetched = await stream.recall('What do you call me?'); // since nothing can arrive
    expect(fetched.map(({ content, reason }) => `${reason}: ${content}`)).toContain('fetched: Always call me Ada.');
    for (const id of memory_ids) await memory.forget(id, { cascade: 'evidence' }).catch(() => undefined);
    proxy.refuse(false);
    await expect.poll(() => stream.isConnected).toBe(true);
    await expect.poll(shown).not.toMatch(/metric/);
    expect(shown()).toContain('Ada');
    await stream.close();
    proxy.close();
  });

  test('a process that is killed and started again is waited for, and its stream resumes with nothing stale', async () => {
    const user_id = somebody();
    await memory.remember('Always answer in metric units.', { user_id });
    const conversation_id = `k-${user_id}`;
    const stream = new MemoryStream(memory, { address: service.grpc, user_id, conversation_id, remember: true });
    const shown = () => stream.memories.map(({ content }) => content).join();
    await expect.poll(shown).toMatch(/metric/);
    await stream.said('user', 'I moved to York.');
    await service.kill();
    const said = stream.said('user', 'I keep bees there.'); // nobody is there to hear it
    const remembered = new Presage({ apiKey: service.key, baseUrl: service.url, maxRetries: 30 }).remember(
      'I work at Acme.',
      { user_id },
    );
    await service.start();
    await remembered;
    await said.catch(() => undefined); // a slow start may take longer than five retries
    await expect.poll(() => stream.isConnected, { timeout: 60_000 }).toBe(true);
    await expect.poll(shown).toMatch(/metric/);
    const { message_count } = await memory.conversations.get(conversation_id);
    expect(message_count).toBe(
      await said.then(
        () => 2,
        () => 1,
      ),
    );
    expect((await contents(user_id)).filter((content) => content.includes('Acme'))).not.toEqual([]);
    await stream.close().catch(() => undefined);
  });
});
