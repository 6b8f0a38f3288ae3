import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { anticipate } from '../../../src/domain/anticipation/anticipate.ts';
import type {
  AnticipatedMemory,
  StreamSettings,
  Signal,
  Update,
} from '../../../src/domain/anticipation/stream-messages.ts';
import type { PredictionInput } from '../../../src/domain/anticipation/predict-bundle.ts';
import { ResumableSessions } from '../../../src/domain/anticipation/resumable-sessions.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import { readVersionsOf, type Access } from '../../../src/domain/tenancy/access.ts';
import { onlyOwner, oneProcess } from '../../support/one-process.ts';

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
    expect(stream.asked).toMatchObject([
      { text: 'where do I live?', session: { userId: 'ada', conversationId: 'c1' } },
    ]);
  });

  test('begins with a brief, where there is something to say', async () => {
    const stream = open({ memories: ['always'] });
    stream.send(start);
    expect(await stream.next()).toMatchObject({ sequence: 1, isSnapshot: true, memories: [{ id: 'always' }] });
  });

  test('answers words that are still being said, and forgets those that are taken back', async () => {
    const stream = open();
    const partial = (content: string): Signal => ({ kind: 'partial-message', role: 'user', content });
    stream.send(start, partial('where do'));
    await stream.next();
    stream.send(partial(' '));
    await stream.next();
    expect(stream.texts()).toEqual(['where do', undefined]);
  });

  test.each(['assistant', 'system', 'tool', 'Function'])(
    'does not take for a question what a speaker in the role "%s" says',
    async (role) => {
      const stream = open();
      stream.send(start, { kind: 'message', role, content: 'where do I live?' });
      await stream.next();
      expect(stream.texts()).toEqual([undefined]);
    },
  );

  test('learns what was of use after what was said', async () => {
    const stream = open();
    stream.send(start, says('where do I live?'));
    await stream.next();
    stream.send({ kind: 'context-used', memoryIds: ['mem_1'] }, ping);
    await stream.next();
    expect(stream.learned).toEqual([{ after: 'where do I live?', memoryIds: ['mem_1'] }]);
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

  test('ends in the error of a prediction that fails', async () => {
    const stream = open({ predict: () => Promise.reject(new DomainError('unavailable', 'later')) });
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
    expect(await first).toMatchObject({ sequence: 1, signalsHeard: 2 });
    expect(await stream.next()).toMatchObject({ sequence: 2, signalsHeard: 5 });
    expect(stream.texts()).toEqual(['one', 'four']);
  });

  test('a bundle tells which signals of its reader it answers; what others said is none of them', async () => {
    const stream = open();
    stream.send(start, ping, { kind: 'message', role: 'user', content: 'elsewhere', isRelayed: true });
    expect(await stream.next()).toEqual({ kind: 'pong' });
    expect(await stream.next()).toMatchObject({ kind: 'bundle', signalsHeard: 2 });
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

describe('what the reader holds', () => {
  const keeping: Signal = { kind: 'session-start', session: { userId: 'ada', sessionId: 's1', keepsBundle: true } };
  const resuming = (lastSequence: number): Signal => ({
    kind: 'session-start',
    session: { userId: 'ada', sessionId: 's1', keepsBundle: true, lastSequence },
  });

  test('travels by its id when the reader keeps bundles, and in full when it does not', async () => {
    const [thrifty, plain] = [open({ memories: ['m1'] }), open({ memories: ['m1'] })];
    thrifty.send(keeping, says('one'));
    plain.send(start, says('one'));
    await Promise.all([thrifty.next(), plain.next()]);
    thrifty.send(says('two'));
    plain.send(says('two'));
    expect(await thrifty.next()).toMatchObject({ memories: [{ id: 'm1', held: true, possiblyOutdatedBy: 'm9' }] });
    expect(await plain.next()).toMatchObject({ memories: [expect.not.objectContaining({ held: true })] });
  });

  test('is taken for held only once it was taken, however many bundles were replaced', async () => {
    const stream = open({ memories: ['m1'] });
    stream.send(keeping);
    for (const content of ['one', 'two']) {
      stream.send(says(content));
      await settle();
    }
    const bundle = await stream.next();
    expect(bundle).toMatchObject({ isSnapshot: true, memories: [{ id: 'm1' }] });
    expect(bundle).toMatchObject({ memories: [expect.not.objectContaining({ held: true })] });
  });

  test('is withdrawn before the next bundle when it holds no more', async () => {
    const memories = ['m1', 'm2'];
    const stream = open({ memories });
    stream.send(start);
    await stream.next();
    memories.splice(0, 1);
    stream.retire('m1');
    stream.send(says('two'));
    const [withdrawal, bundle] = [await stream.next(), await stream.next()];
    expect(withdrawal).toMatchObject({ kind: 'withdrawal', memoryIds: ['m1'] });
    expect(bundle).toMatchObject({ kind: 'bundle', memories: [{ id: 'm2' }] });
    expect(sequenceOf(bundle)).toBeGreaterThan(sequenceOf(withdrawal));
  });

  test('is withdrawn at once, also while another bundle is predicted in the place of a stale one', async () => {
    const search = gate();
    let searches = 0;
    const stream = open({
      memories: ['m1'],
      before: async () => void ((searches += 1) > 1 && (await search.passed())),
    });
    stream.send(start);
    await stream.next();
    stream.send(says('two'));
    await settle();
    await stream.change(); // the bundle that waits is stale
    const update = stream.next();
    await settle();
    expect(searches).toBe(2);
    await stream.forgetOwner();
    expect(await update).toMatchObject({ kind: 'withdrawal', memoryIds: ['m1'] });
    stream.send(end);
    const rest = stream.rest();
    await settle();
    search.open();
    expect((await rest).map(({ kind }) => kind)).toEqual(['bundle']);
  });

  test('is known after a reconnect: the numbers go on, and what was held is still held', async () => {
    const sessions = new ResumableSessions();
    const first = open({ memories: ['m1'], sessions });
    first.send(keeping, says('one'));
    const taken = sequenceOf(await first.next());
    await first.leave();
    const second = open({ memories: ['m1', 'm2'], sessions });
    second.send(resuming(taken));
    const bundle = await second.next();
    expect(sequenceOf(bundle)).toBeGreaterThan(taken);
    expect(bundle).toMatchObject({
      isSnapshot: false,
      memories: [{ id: 'm1', held: true }, { id: 'm2' }],
    });
    expect(second.asked[0]).toMatchObject({ text: 'one', held: ['m1'] }); // its window still holds what was said
  });

  test('of a withdrawal that got lost with the connection, the reader is told again', async () => {
    const sessions = new ResumableSessions();
    const memories = ['m1', 'm2'];
    const first = open({ memories, sessions });
    first.send(keeping);
    const taken = sequenceOf(await first.next());
    memories.splice(0, 1);
    first.retire('m1');
    first.send(says('two'));
    expect(await first.next()).toMatchObject({ kind: 'withdrawal' });
    await first.leave();
    const second = open({ memories, sessions });
    second.send(resuming(taken)); // it never got there
    expect(await second.next()).toMatchObject({ kind: 'withdrawal', memoryIds: ['m1'] });
    expect(await second.next()).toMatchObject({ kind: 'bundle', memories: [{ id: 'm2', held: true }] });
  });

  test.each([
    { case: 'by another user', session: { userId: 'bob', sessionId: 's1', lastSequence: 1 } },
    { case: 'under another id', session: { userId: 'ada', sessionId: 's2', lastSequence: 1 } },
    { case: 'from a number that was never sent', session: { userId: 'ada', sessionId: 's1', lastSequence: 77 } },
  ])('is told anew when a session is resumed $case', async ({ session }) => {
    const sessions = new ResumableSessions();
    const first = open({ memories: ['m1'], sessions });
    first.send(keeping, says('one'));
    await first.next();
    await first.leave();
    const second = open({ memories: ['m1'], sessions });
    second.send({ kind: 'session-start', session: { ...session, keepsBundle: true } });
    const bundle = await second.next();
    expect(bundle).toMatchObject({ isSnapshot: true, memories: [{ id: 'm1' }] });
    expect(bundle).toMatchObject({ memories: [expect.not.objectContaining({ held: true })] });
  });

  test('goes with the stream that resumed it last', async () => {
    const sessions = new ResumableSessions();
    const first = open({ memories: ['m1'], sessions });
    first.send(keeping, says('one'));
    await first.next();
    const second = open({ memories: ['m1'], sessions });
    second.send(resuming(1));
    await second.next();
    await expect(first.next()).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a client that sends too much', () => {
  test('is told when to go on, waits its turn, loses no message, and is answered with the newest', async () => {
    vi.useRealTimers();
    const stream = open();
    const startedAt = performance.now();
    stream.send(start, ...Array.from({ length: 260 }, (_, n) => says(`message ${n}`)), end);
    const updates = await stream.rest();
    expect(performance.now() - startedAt).toBeGreaterThan(600); // 200 at once, then one each ten milliseconds
    expect(updates).toContainEqual({ kind: 'throttle', retryAfterMs: expect.any(Number) });
    expect(stream.texts().at(-1)).toBe('message 259');
  });
});

test('a silent stream is told that it lives', async () => {
  const stream = open();
  stream.send(start);
  const next = stream.next();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await next).toEqual({ kind: 'pong' });
});

describe('a revoked key', () => {
  test('ends a silent stream before the revocation is acknowledged', async () => {
    const stream = open();
    stream.send(start);
    const failure = stream.next().catch((error: unknown) => error);
    await settle();
    await stream.revoke();
    expect(await failure).toBe(revoked);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is found out before a signal is acted on', async () => {
    const stream = open();
    stream.send(start);
    await settle();
    await stream.revoke();
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
    await stream.revoke();
    search.open();
    await expect(next).rejects.toBe(revoked);
  });

  test('ends the stream at once, also while another bundle is predicted in the place of a stale one', async () => {
    const search = gate();
    let searches = 0;
    const stream = open({ before: async () => void ((searches += 1) > 2 && (await search.passed())) });
    stream.send(start, says('one'));
    await stream.next();
    stream.send(says('two'));
    await settle();
    await stream.change();
    const update = stream.next();
    await settle();
    expect(searches).toBe(3);
    await Promise.all([expect(update).rejects.toBe(revoked), stream.revoke()]);
    search.open();
    await settle();
    expect(await stream.next()).toBeUndefined();
  });

  test('leaves nothing to a slow reader', async () => {
    const stream = open();
    stream.send(start, says('one'));
    await stream.next();
    stream.send(says('two'));
    await settle();
    await stream.revoke();
    await expect(stream.next()).rejects.toBe(revoked);
  });

  test('is asked for once at a time, however long the answer takes', async () => {
    const stream = open();
    stream.send(start);
    const next = stream.next();
    await settle();
    stream.hangChecks();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(stream.checks()).toBe(2); // at the start, and the one that hangs
    expect(await next).toEqual({ kind: 'pong' });
    stream.abort();
    expect(await stream.next()).toBeUndefined();
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
function open(
  world: {
    predict?: () => Promise<never>;
    before?: () => Promise<void>;
    memories?: string[];
    sessions?: ResumableSessions;
  } = {},
) {
  const asked: { text: string | undefined; session: StreamSettings; held: readonly string[] }[] = [];
  const learned: unknown[] = [];
  const gone: string[] = [];
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
  const process = oneProcess();
  const d = {
    ...process,
    async reauthenticate() {
      checks += 1;
      if (key === 'revoked') throw revoked;
      if (key === 'never told') await new Promise(() => {});
      return process.access();
    },
    newBundleId: () => `bun_${(bundles += 1)}`,
    sessions: world.sessions ?? new ResumableSessions(),
    async predict(reader: Access, { session, window, held, watch }: PredictionInput) {
      await watch({ ...reader, readableOwners: [onlyOwner] });
      const memories = (world.memories ?? []).map((id) => ({ ...anyMemory, id }));
      const read = { memories, totalTokens: 7, gone: [], asOf: readVersionsOf(reader) };
      if (!window.heard.length && !window.asked && !asked.length) return read;
      asked.push({ text: window.asked?.text, session, held });
      await world.before?.();
      return world.predict ? world.predict() : { ...read, gone: gone.filter((id) => held.includes(id)) };
    },
    async learn(_access: Access, used: { window: PredictionInput['window']; memoryIds: readonly string[] }) {
      learned.push({ after: used.window.asked?.text, memoryIds: used.memoryIds });
    },
  };
  const updates = anticipate(d, process.access(), signals(), aborted.signal);
  return {
    asked,
    learned,
    /** These hold no more. */
    retire: (...ids: string[]) => gone.push(...ids),
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
    async revoke() {
      key = 'revoked';
      await process.change();
    },
    change: process.change,
    forgetOwner: () => process.subscriptions.onInvalidated(1n, [onlyOwner.ownerNo]),
    hangChecks: () => (key = 'never told'),
    abort: () => aborted.abort(),
  };
}

/** Of a memory only its id, its owner, and what may have replaced it, matter here. */
const anyMemory = {
  uuid: '',
  ownerNo: onlyOwner.ownerNo,
  contentVersion: 0,
  reason: 'context',
  score: 0.5,
  content: '',
  tokens: 0,
  possiblyOutdatedBy: 'm9',
} as unknown as AnticipatedMemory;

function gate() {
  let letPass: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => (letPass = resolve));
  return { passed: () => opened, open: () => letPass?.() };
}

/** Lets everything happen that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0);

const sequenceOf = (update: Update | undefined) => (update && 'sequence' in update ? update.sequence : 0);

const summary = (update: Update) => (update.kind === 'bundle' ? `bundle ${update.sequence}` : update.kind);
