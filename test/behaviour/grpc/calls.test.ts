import { Metadata, status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { end, openClient, ping, says, start } from './open-client.ts';
import { memory, startStandIn } from './stand-in.ts';

const found = async () => ({ memories: [memory], totalTokens: 4 });

describe('a session', () => {
  test('brings a message its bundle and ends well', async () => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good' });
    stream.send(ping, start(), says('where do I live?'));
    expect(await stream.next()).toMatchObject({ kind: 'pong' });
    expect(await stream.next()).toEqual({
      kind: 'bundle',
      bundle: {
        bundleId: 'bun_1',
        sequence: 1,
        totalTokens: 4,
        snapshot: true,
        signalsHeard: 3,
        memories: [
          {
            id: memory.id,
            type: 'MEMORY_TYPE_FACTS',
            category: 'places',
            content: 'Ada lives in York',
            confidence: 0.93,
            provenance: 'PROVENANCE_USER',
            score: 1.5,
            scope: 'SCOPE_USER',
            entities: memory.entities,
            eventStart: { seconds: -1, nanos: 250_000_000 },
            eventEnd: null,
            eventPrecision: 'day',
            evidence: memory.evidence,
            reason: 'REASON_CONTEXT',
            held: false,
            possiblyOutdatedBy: memory.possiblyOutdatedBy,
          },
        ],
      },
    });
    stream.send(end);
    expect(await stream.ended).toMatchObject({ code: status.OK });
    expect(server.running.streams).toBe(0);
  });

  test('answers the last message when the client closes its half', async () => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good' });
    stream.send(start(), says('where do I live?'));
    stream.hangUp();
    expect(await stream.next()).toMatchObject({ kind: 'bundle' });
    expect(await stream.ended).toMatchObject({ code: status.OK });
  });

  test.each([
    { case: "the caller's own", sent: 'trace-17', told: /^trace-17$/ },
    { case: 'a new one, when none is sent', sent: undefined, told: /^[0-9a-f-]{36}$/ },
    { case: 'a new one, when it could not stand in a line of a log', sent: 'a b', told: /^[0-9a-f-]{36}$/ },
  ])('tells its correlation id at once: $case', async ({ sent, told }) => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good', ...(sent ? { correlationId: sent } : {}) });
    expect((await stream.initial).get('x-correlation-id')).toEqual([expect.stringMatching(told)]);
    stream.call.cancel();
  });

  test('leaves a line in the log and a count, and no word of the conversation', async () => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good', correlationId: 'trace-17' });
    stream.send(start(), says('where do I live?'), end);
    await stream.ended;
    expect(server.lines).toHaveLength(1);
    expect(JSON.parse(server.lines[0] ?? '')).toMatchObject({
      method: '/presage.anticipation.v1.Anticipation/Anticipate',
      status: 'OK',
      correlation_id: 'trace-17',
      instance: 'inst_0000000000000001',
    });
    expect(server.lines.join()).not.toMatch(/live|ada/i);
    expect(await server.registry.metrics()).toMatch(/presage_grpc_calls_total\{.*status="OK"\} 1/);
  });
});

describe('a refusal', () => {
  test.each([
    { case: 'no key', options: {}, code: status.UNAUTHENTICATED, told: 'unauthenticated' },
    { case: 'an unknown key', options: { key: 'bad' }, code: status.UNAUTHENTICATED, told: 'unauthenticated' },
    { case: 'an admin token', options: { key: 'admin' }, code: status.PERMISSION_DENIED, told: 'forbidden' },
  ])('of $case', async ({ options, code, told }) => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = client.anticipate(options);
    stream.send(start(), says('where do I live?'));
    const ended = await stream.ended;
    expect(ended.code).toBe(code);
    expect(ended.metadata.get('presage-error-code')).toEqual([told]);
    expect(server.running.retrievals).toBe(0);
  });

  test.each([
    { case: 'a signal without a kind', signals: [{}], field: 'kind' },
    { case: 'a blank message', signals: [start(), says(' \n')], field: 'message.content' },
    { case: 'a message too long', signals: [start(), says('x'.repeat(100_001))], field: 'message.content' },
    {
      case: 'partial words that are too long',
      signals: [start(), { partialMessage: { content: 'x'.repeat(100_001) } }],
      field: 'partial_message.content',
    },
    { case: 'a tool without a name', signals: [start(), { toolCall: { name: ' ' } }], field: 'tool_call.name' },
    { case: 'no used memory', signals: [start(), { contextUsed: {} }], field: 'context_used.memory_ids' },
    {
      case: 'a used memory that is none',
      signals: [start(), { contextUsed: { memoryIds: [memory.id, 'ent_1'] } }],
      field: 'context_used.memory_ids[1]',
    },
    { case: 'a message before its session', signals: [says('hi')], field: 'message' },
    { case: 'a second session', signals: [start(), start()], field: 'session_start' },
    { case: 'an id too long', signals: [start('x'.repeat(257))], field: 'session_start.user_id' },
    { case: 'an id with a control character', signals: [start('a\nb')], field: 'session_start.user_id' },
    { case: 'an id that no path can hold', signals: [start('..')], field: 'session_start.user_id' },
    {
      case: 'too large a budget',
      signals: [{ sessionStart: { tokenBudget: 100_001 } }],
      field: 'session_start.token_budget',
    },
  ])('of $case names the field', async ({ signals, field }) => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good' });
    stream.send(...signals);
    const ended = await stream.ended;
    expect(ended.code).toBe(status.INVALID_ARGUMENT);
    expect(ended.details).toContain(field);
    expect(ended.metadata.get('presage-error-field')).toEqual([field]);
    expect(server.running.streams).toBe(0);
  });

  test('of bytes that are no signal', async () => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const path = '/presage.anticipation.v1.Anticipation/Anticipate';
    const metadata = new Metadata();
    metadata.set('authorization', 'Bearer good');
    const call = client.client.makeBidiStreamRequest(
      path,
      (bytes: Buffer) => bytes,
      (bytes) => bytes,
      metadata,
    );
    const code = new Promise((resolve) => call.on('error', (error: { code?: number }) => resolve(error.code)));
    call.resume();
    call.write(Buffer.from([0x0a, 0xff, 0xff]));
    expect(await code).toBe(status.INVALID_ARGUMENT);
  });

  test('of a message above 1 MiB', async () => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good' });
    stream.send(start(), says('x'.repeat(1024 * 1024 + 1)));
    const ended = await stream.ended;
    expect([ended.code, ended.metadata.get('presage-error-code')]).toEqual([
      status.RESOURCE_EXHAUSTED,
      ['payload_too_large'],
    ]);
  });

  test.each([
    { case: 'says nothing', signals: [] },
    { case: 'only shows that it is there', signals: [{ ping: {} }] },
  ])('of a call that $case and begins no session', async ({ signals }) => {
    await using server = await startStandIn(found, { timeouts: { startMs: 100 } });
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good' });
    stream.send(...signals);
    const ended = await stream.ended;
    expect([ended.code, ended.details]).toEqual([
      status.INVALID_ARGUMENT,
      'session_start: must be sent within 0.1 s of the begin of the call',
    ]);
    expect(ended.metadata.get('presage-error-field')).toEqual(['session_start']);
    expect(server.running.streams).toBe(0);
  });

  test('of no call that began its session in time', async () => {
    await using server = await startStandIn(found, { timeouts: { startMs: 100 } });
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good' });
    stream.send(start());
    const timer = client.anticipate({ key: 'good' }); // it ends for want of a session, after the other would have
    await timer.ended;
    stream.send(says('where do I live?'), end);
    expect((await stream.ended).code).toBe(status.OK);
  });
});
