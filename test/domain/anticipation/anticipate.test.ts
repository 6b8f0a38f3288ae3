import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { anticipate, type AnticipationQuery } from '../../../src/domain/anticipation/anticipate.ts';
import type { Signal, Update } from '../../../src/domain/anticipation/anticipation.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';

// The use case only hands it on.
const access = { instance: 'inst_0000000000000001' } as unknown as Access;
const revoked = new DomainError('unauthenticated', 'a valid API key is needed');
const start: Signal = { kind: 'session-start', session: { userId: 'ada', conversationId: 'c1' } };
const end: Signal = { kind: 'session-end' };
const ping: Signal = { kind: 'ping' };
const says = (content: string): Signal => ({ kind: 'message', role: 'user', content });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a session', () => {
  test('answers a message with a bundle for the user it was opened for', async () => {
    const stream = open();
    stream.send(start, says('where do I live?'));
    expect(await stream.next()).toMatchObject({ kind: 'bundle', sequence: 1, bundleId: 'bun_1', totalTokens: 7 });
    expect(stream.asked).toEqual([
      { text: 'where do I live?', named: { userId: 'ada' }, conversationId: 'c1', limit: 10, tokenBudget: 1_000 },
    ]);
  });

  test('keeps the budget that it was opened with', async () => {
    const stream = open();
    stream.send({ kind: 'session-start', session: { customerId: 'acme', tokenBudget: 50 } }, says('hello'));
    await stream.next();
    expect(stream.asked).toMatchObject([{ named: { customerId: 'acme' }, tokenBudget: 50 }]);
  });

  test('searches with the end of a message that is too long to search with', async () => {
    const stream = open();
    stream.send(start, says(`${'noise '.repeat(2_000)}where do I live?`));
    await stream.next();
    expect(stream.asked[0]?.text.length).toBeLessThanOrEqual(2_000);
    expect(stream.asked[0]?.text).toMatch(/^noise .* where do I live\?$/);
  });

  test.each([
    { case: 'session-end', signals: [start, says('hi'), end] },
    { case: 'the end of the signals', signals: [start, says('hi')] },
  ])('ends with $case, after the last message was answered', async ({ signals }) => {
    const stream = open();
    stream.send(...signals);
    if (!signals.includes(end)) stream.hangUp();
    expect(await stream.next()).toMatchObject({ sequence: 1 });
    expect(await stream.next()).toBeUndefined();
  });

  test.each([
    { case: 'a message before session-start', signals: [says('hi')], field: 'message' },
    { case: 'a second session-start', signals: [start, start], field: 'session_start' },
  ])('refuses $case', async ({ signals, field }) => {
    const stream = open();
    stream.send(...signals);
    await expect(stream.next()).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field }] });
  });

  test('answers a ping, also before it has begun', async () => {
    const stream = open();
    stream.send(ping);
    expect(await stream.next()).toEqual({ kind: 'pong' });
  });

  test('ends in the error of a retrieval that fails', async () => {
    const stream = open({ retrieve: () => Promise.reject(new DomainError('unavailable', 'later')) });
    stream.send(start, says('hi'));
    await expect(stream.next()).rejects.toMatchObject({ code: 'unavailable' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the latest message wins', () => {
  test('of the messages that come while it searches, only the newest is answered', async () => {
    const search = gate();
    const stream = open({ before: search.passed });
    stream.send(start, says('one'));
    const first = stream.next();
    await settle();
    stream.send(says('two'), says('three'), says('four'));
    await settle();
    search.open();
    expect(await first).toMatchObject({ sequence: 1 });
    expect(await stream.next()).toMatchObject({ sequence: 2 });
    expect(stream.texts()).toEqual(['one', 'four']);
  });

  test('a reader who was away takes the newest bundle and one pong', async () => {
    const stream = open();
    stream.send(start, says('one'));
    expect(await stream.next()).toMatchObject({ sequence: 1 });
    for (const content of ['two', 'three', 'four']) {
      stream.send(says(content), ping);
      await settle();
    }
    stream.send(end);
    expect((await stream.rest()).map(summary)).toEqual(['bundle 4', 'pong']);
  });
});

describe('a revoked key', () => {
  test('ends a silent stream within a second', async () => {
    const stream = open();
    stream.send(start);
    const failure = stream.next().catch((error: unknown) => error);
    await settle();
    stream.revoke();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failure).toBe(revoked);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is found out before a signal is acted on', async () => {
    const stream = open();
    stream.send(start);
    await settle();
    stream.revoke();
    stream.send(says('where do I live?'));
    await expect(stream.next()).rejects.toBe(revoked);
    expect(stream.asked).toEqual([]);
  });

  test('is found out after the search that it was revoked during', async () => {
    const search = gate();
    const stream = open({ before: search.passed });
    stream.send(start, says('one'));
    const next = stream.next();
    await settle();
    stream.revoke();
    search.open();
    await expect(next).rejects.toBe(revoked);
  });

  test('leaves nothing to a slow reader', async () => {
    const stream = open();
    stream.send(start, says('one'));
    await stream.next();
    stream.send(says('two'));
    await settle();
    stream.revoke();
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(stream.next()).rejects.toBe(revoked);
  });

  test('is asked for once at a time, however long the answer takes', async () => {
    const stream = open();
    stream.send(start);
    const next = stream.next();
    await settle();
    stream.hangChecks();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stream.checks()).toBe(2);
    stream.abort();
    expect(await next).toBeUndefined();
  });
});

describe('a stream that is aborted', () => {
  test('ends at once and leaves nothing behind', async () => {
    const search = gate();
    const stream = open({ before: search.passed });
    stream.send(start, says('one'));
    const next = stream.next();
    await settle();
    stream.abort();
    expect(await next).toBeUndefined();
    search.open();
    await settle();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('never begins when it was aborted before', async () => {
    const stream = open();
    stream.abort();
    stream.send(start);
    expect(await stream.next()).toBeUndefined();
    expect(stream.checks()).toBe(0);
  });

  test('stops its watch when the reader leaves', async () => {
    const stream = open();
    stream.send(start, says('one'));
    await stream.next();
    await stream.leave();
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** A stream on hand: signals are sent one by one, updates taken one by one. */
function open(world: { retrieve?: () => Promise<never>; before?: () => Promise<void> } = {}) {
  const asked: AnticipationQuery[] = [];
  const inbox: Signal[] = [];
  const aborted = new AbortController();
  let wake: (() => void) | undefined;
  let hungUp = false;
  let bundles = 0;
  let checks = 0;
  let key: 'good' | 'revoked' | 'never told' = 'good';

  async function* signals() {
    while (true) {
      const signal = inbox.shift();
      if (signal) yield signal;
      else if (hungUp) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const d = {
    async reauthenticate() {
      checks += 1;
      if (key === 'revoked') throw revoked;
      if (key === 'never told') await new Promise(() => {});
    },
    newBundleId: () => `bun_${(bundles += 1)}`,
    async retrieve(_access: Access, query: AnticipationQuery) {
      asked.push(query);
      await world.before?.();
      return world.retrieve ? world.retrieve() : { memories: [], totalTokens: 7 };
    },
  };
  const updates = anticipate(d, access, signals(), aborted.signal);
  return {
    asked,
    texts: () => asked.map((query) => query.text),
    checks: () => checks,
    send(...sent: Signal[]) {
      inbox.push(...sent);
      wake?.();
    },
    hangUp() {
      hungUp = true;
      wake?.();
    },
    next: async () => (await updates.next()).value ?? undefined,
    leave: () => updates.return(),
    async rest() {
      const taken: Update[] = [];
      for await (const update of updates) taken.push(update);
      return taken;
    },
    revoke: () => (key = 'revoked'),
    hangChecks: () => (key = 'never told'),
    abort: () => aborted.abort(),
  };
}

function gate() {
  let letPass: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => (letPass = resolve));
  return { passed: () => opened, open: () => letPass?.() };
}

/** Lets everything happen that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0);

const summary = (update: Update) => (update.kind === 'bundle' ? `bundle ${update.sequence}` : update.kind);
