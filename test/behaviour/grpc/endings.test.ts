import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { describe, expect, test, vi } from 'vitest';
import { DomainError } from '../../../src/domain/errors.ts';
import { begun, openClient, says, start } from './open-client.ts';
import { memory, startStandIn } from './stand-in.ts';
import { timed } from '../../support/timed.ts';

const found = async () => ({ memories: [memory], totalTokens: 4 });
const never = () => new Promise<never>(() => {});
const heavy = { ...memory, content: 'x'.repeat(200_000) };

describe('an error', () => {
  test('that nobody foresaw says nothing of the inside, and is found in the log by its correlation id', async () => {
    await using server = await startStandIn(() => Promise.reject(new Error('password=hunter2')));
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good', correlationId: 'trace-17' });
    stream.send(start(), says('hi'));
    const ended = await stream.ended;
    expect(ended).toMatchObject({ code: status.INTERNAL, details: 'internal error' });
    expect(JSON.stringify(ended.metadata.toJSON())).not.toContain('hunter2');
    expect(ended.metadata.get('x-correlation-id')).toEqual(['trace-17']);
    expect(server.lines.join()).toMatch(/"level":50.*trace-17/);
  });

  test('may quote what the caller sent, whatever that was', async () => {
    await using server = await startStandIn(() =>
      Promise.reject(new DomainError('conflict', 'no \ud800', { fields: [{ field: 'käse', message: 'no' }] })),
    );
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good' });
    stream.send(start(), says('hi'));
    const ended = await stream.ended;
    expect(ended).toMatchObject({ code: status.FAILED_PRECONDITION, details: 'no \ufffd' });
    expect(ended.metadata.get('presage-error-field')).toEqual(['k?se']);
  });
});

describe('a call ends', () => {
  test('when its key is revoked, though nothing is sent', async () => {
    await using server = await startStandIn(found);
    using client = openClient(server.address);
    const stream = await begun(client.anticipate({ key: 'good' }));
    await server.revoke();
    expect((await stream.ended).code).toBe(status.UNAUTHENTICATED);
  });

  test('when it is cancelled, and so does its search', async () => {
    await using server = await startStandIn(never);
    using client = openClient(server.address);
    const stream = await begun(client.anticipate({ key: 'good' }));
    stream.send(says('hi'));
    await vi.waitUntil(() => server.running.retrievals === 1);
    stream.call.cancel();
    await vi.waitUntil(() => server.running.streams === 0);
    expect(server.lines.join()).toContain('CANCELLED');
  });

  test('when the connection is lost', async () => {
    await using server = await startStandIn(never);
    const cable = await openCable(server.address);
    using client = openClient(cable.address);
    await begun(client.anticipate({ key: 'good' }));
    cable.cut();
    await vi.waitFor(() => expect(server.running.streams).toBe(0));
  });

  test('at its deadline', async () => {
    await using server = await startStandIn(never);
    using client = openClient(server.address);
    const stream = client.anticipate({ key: 'good', deadline: new Date(Date.now() + 300) });
    stream.send(start(), says('hi'));
    expect((await stream.ended).code).toBe(status.DEADLINE_EXCEEDED);
    await vi.waitUntil(() => server.running.streams === 0);
  });
});

describe('a slow reader', () => {
  test('is sent what is newest when it reads again, and not what piled up', async () => {
    await using server = await startStandIn(async () => ({ memories: [heavy], totalTokens: 4 }));
    using client = openClient(server.address);
    const stream = await begun(client.anticipate({ key: 'good' }));
    stream.call.pause();
    for (let n = 1; n <= 40; n += 1) {
      stream.send(says(`message ${n}`));
      await vi.waitUntil(() => server.running.retrievals === n);
    }
    stream.call.resume();
    stream.hangUp();
    const sequences = []; // a grpc-js client takes sixteen before it is asked for them
    for (let update = await stream.next(); update; update = await stream.next())
      sequences.push(update.bundle?.sequence);
    expect((await stream.ended).code).toBe(status.OK);
    expect(sequences.length).toBeLessThan(25);
    expect(sequences.at(-1)).toBe(40);
  });

  test('does not outlive its deadline', async () => {
    await using server = await startStandIn(async () => ({ memories: [heavy], totalTokens: 4 }));
    using client = openClient(server.address);
    const stream = await begun(client.anticipate({ key: 'good', deadline: new Date(Date.now() + 500) }));
    stream.call.pause();
    for (let n = 1; n <= 5; n += 1) {
      stream.send(says(`message ${n}`));
      await vi.waitUntil(() => server.running.retrievals === n);
    }
    await vi.waitFor(() => expect(server.running.streams).toBe(0));
  });
});

describe('a server that stops', () => {
  test('answers what was asked, then asks its clients to go elsewhere', async () => {
    let letPass: (() => void) | undefined;
    const passed = new Promise<void>((resolve) => (letPass = resolve));
    await using server = await startStandIn(() => passed.then(found));
    using client = openClient(server.address);
    const [asking, silent] = await Promise.all([
      begun(client.anticipate({ key: 'good' })),
      begun(client.anticipate({ key: 'good' })),
    ]);
    asking.send(says('where do I live?'));
    await vi.waitUntil(() => server.running.retrievals === 1);
    const closed = server.close(5_000);
    expect((await silent.ended).code).toBe(status.UNAVAILABLE);
    letPass?.();
    expect(await asking.next()).toMatchObject({ kind: 'bundle' });
    expect((await asking.ended).code).toBe(status.UNAVAILABLE);
    await closed;
    expect(server.running.streams).toBe(0);
  });

  test('waits no longer than it was told', timed, async () => {
    await using server = await startStandIn(never);
    using client = openClient(server.address);
    const stream = await begun(client.anticipate({ key: 'good' }));
    stream.send(says('hi'));
    await vi.waitUntil(() => server.running.retrievals === 1);
    const startedAt = performance.now();
    await server.close(100);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(server.running.streams).toBe(0);
    expect((await stream.ended).code).not.toBe(status.OK);
  });

  test('lets the port go', async () => {
    const server = await startStandIn(found);
    await server.close(0);
    using client = openClient(server.address);
    expect((await client.anticipate({ key: 'good' }).ended).code).toBe(status.UNAVAILABLE);
  });
});

test('many streams at once each get their own', async () => {
  await using server = await startStandIn(async (_access, { session }) => {
    await delay(5);
    return { memories: [{ ...memory, content: session.userId ?? '' }], totalTokens: 1 };
  });
  using client = openClient(server.address);
  const users = Array.from({ length: 100 }, (_, n) => `user-${n}`);
  const told = await Promise.all(
    users.map(async (user) => {
      const stream = client.anticipate({ key: 'good' });
      stream.send(start(user), says('who am I?'));
      stream.hangUp();
      return (await stream.next())?.bundle?.memories[0]?.content;
    }),
  );
  expect(told).toEqual(users);
});

/** A connection that can be cut. */
async function openCable(address: string) {
  const ends: Socket[] = [];
  const listener = createServer((near) => {
    const far = connect(Number(address.split(':')[1]), '127.0.0.1');
    near.pipe(far).pipe(near);
    ends.push(near, far);
    for (const each of [near, far]) each.on('error', () => {});
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const at = listener.address();
  return {
    address: `127.0.0.1:${typeof at === 'object' ? at?.port : ''}`,
    cut() {
      listener.close();
      for (const each of ends) each.destroy();
    },
  };
}
