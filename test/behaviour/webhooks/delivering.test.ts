import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../src/db/database.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { deliverDueWebhooks } from '../../../src/domain/webhooks/deliver-due.ts';
import { deliveryLeaseMs } from '../../../src/domain/webhooks/delivery.ts';
import { releaseDelivery } from '../../../src/domain/webhooks/delivery-store.ts';
import { eventTypes, type EventType } from '../../../src/domain/webhooks/event.ts';
import { saveEvent } from '../../../src/domain/webhooks/event-store.ts';
import { periodicTasks } from '../../../src/jobs/periodic/periodic-tasks.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { isSignedBy, openReceiver, type Receiver } from '../../support/webhook-receiver.ts';
import { openWorld } from '../../support/world.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Its clock goes on, and jumps when a test says so. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
const world = openWorld({ now });

const receivers: Pick<Receiver, 'close'>[] = [];
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function receiving(...answer: Parameters<typeof openReceiver>): Promise<Receiver> {
  const receiver = await openReceiver(...answer);
  receivers.push(receiver);
  return receiver;
}

/** An instance with a webhook to the receiver. `access` is of the webhook's own time: it knows what is subscribed to. */
async function subscribed(receiver: Pick<Receiver, 'url'>, types: readonly EventType[] = eventTypes) {
  const { key, access: before } = await world.instance();
  const settings = { url: receiver.url, description: null, eventTypes: types };
  const { webhook, secret } = await world.app.webhooks.create(before, settings);
  const caller = await world.app.authenticate(`Bearer ${key}`);
  if (caller.kind !== 'instance') throw new Error('a key opens an instance');
  const { access } = caller;
  return { access, secret, id: webhook.id };
}

const start = (access: Access, id = 'call') =>
  world.app.startConversation(access, { conversationId: id, userId: 'ada', customerId: 'acme' });

const deliveriesOf = async (access: Access, webhookId: string) =>
  (await world.app.webhooks.deliveries(access, { webhookId }, { limit: 100 })).data;

/** There are deliveries, and the outcome of each is recorded: before that it is sent again once its lease is over. */
async function allRecorded(access: Access, webhookId: string): Promise<void> {
  await expect
    .poll(async () => [...new Set((await deliveriesOf(access, webhookId)).map(({ state }) => state))])
    .toEqual(['delivered']);
}

/** Moves the instances to a region that no worker of this process serves, and returns what delivers there. */
async function deliveryIn(
  region: string,
  accesses: readonly Access[],
): Promise<(signal: AbortSignal) => Promise<void>> {
  const ofNumber = new Map(accesses.map((access) => [access.instanceNumber, access]));
  await world.deps.db.instance.updateMany({
    where: { instanceNumber: { in: [...ofNumber.keys()] } },
    data: { region },
  });
  const failures: unknown[] = [];
  const deps = {
    ...world.deps,
    region,
    accessOf: async (instanceNumber: bigint) => ofNumber.get(instanceNumber)!,
    attempted: () => undefined,
    disabled: () => undefined,
    failed: (error: unknown) => void failures.push(error),
  };
  return async (signal) => {
    await deliverDueWebhooks(deps, signal);
    expect(failures).toEqual([]);
  };
}

/** Has so many events happen. */
const tell = (access: Access, many: number) =>
  transaction(world.deps.db, async (tx) => {
    for (let n = 0; n < many; n++)
      await saveEvent(tx, access, { type: 'conversation.started', at: now(), data: { n } });
  });

/** A server that takes connections and answers nothing. */
async function openMute() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  receivers.push({ close });
  return { sockets, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe('an event', () => {
  test('reaches whoever subscribes to it, signed, with ids and counts and nothing that was said', async () => {
    const receiver = await receiving();
    const { access, secret } = await subscribed(receiver);
    await start(access);
    const said = { conversationId: 'call', messages: [{ role: 'user', content: 'My rabbit is called Clover.' }] };
    await world.app.addMessages(access, said);
    await world.app.compactions.compact(access, { conversationId: 'call' });
    await world.app.fetchContext(access, { conversationId: 'call', searchQueries: ['rabbit'], explain: false });
    await world.app.endConversation(access, { conversationId: 'call' });
    await world.app.setProviders(world.asAdmin(access), { extraction: 'none' });

    await expect.poll(() => receiver.received.length).toBe(5);
    const byType = Object.fromEntries(receiver.received.map(({ event }) => [event.type, event]));
    const whose = { external_id: 'call', user_id: 'ada', customer_id: 'acme' };
    expect(Object.keys(byType).toSorted()).toEqual([...eventTypes].toSorted());
    expect(byType['conversation.started']!.data).toMatchObject(whose);
    expect(byType['conversation.ended']!.data).toMatchObject({ ...whose, messages: 1, reason: 'ended' });
    expect(byType['compaction.completed']!.data).toMatchObject({ ...whose, version: 1, validation_score: 1 });
    const retrieved = { source: expect.any(String), memory_ids: [expect.stringMatching(/^mem_/)] };
    expect(byType['context.retrieved']!.data).toMatchObject({ ...whose, ...retrieved });
    expect(byType['config.applied']!.data).toMatchObject({ version: 2, previous_version: 1, cause: 'providers' });
    for (const one of receiver.received) {
      expect(one.event).toMatchObject({ id: one.headers['webhook-id'], instance_id: access.instance });
      expect(one.event.id).toMatch(/^evt_/);
      expect(Number.isNaN(Date.parse(one.event.created_at))).toBe(false);
      expect(isSignedBy(secret, one, now())).toBe(true);
      expect(one.body).not.toMatch(/rabbit|clover/i);
    }
  });

  test('is recorded only where somebody subscribes to its type', async () => {
    const receiver = await receiving();
    const { access } = await subscribed(receiver, ['conversation.ended']);
    await start(access);
    await world.app.fetchContext(access, { userId: 'ada', searchQueries: ['tea'], explain: false });
    expect(await world.deps.db.event.count({ where: { instanceNumber: access.instanceNumber } })).toBe(0);
    await world.app.endConversation(access, { conversationId: 'call' });
    expect(await world.deps.db.event.count({ where: { instanceNumber: access.instanceNumber } })).toBe(1);
  });

  test('waits for no other look where the receiver answers at once: many are delivered one after the other', async () => {
    const receiver = await receiving();
    const { access } = await subscribed(receiver, ['conversation.started']);
    const many = 200;
    const deliver = await deliveryIn('eu-west', [access]);
    await tell(access, many);
    await deliver(AbortSignal.timeout(60_000));
    expect(new Set(receiver.received.map(({ event }) => event.data['n'])).size).toBe(many);
  });

  test('is not told when its cause did not come to pass', async () => {
    const receiver = await receiving();
    const { access, id } = await subscribed(receiver);
    const undone = transaction(world.deps.db, async (tx) => {
      await saveEvent(tx, access, { type: 'conversation.started', at: now(), data: {} });
      throw new Error('the cause fails');
    });
    await expect(undone).rejects.toThrow('the cause fails');
    await world.app.webhooks.test(access, id);
    await expect.poll(() => receiver.received.map(({ event }) => event.type)).toEqual(['webhook.test']);
  });

  test('of another instance is nobody else’s', async () => {
    const [mine, theirs] = [await receiving(), await receiving()];
    const [own, other] = [await subscribed(mine), await subscribed(theirs)];
    await start(own.access);
    await expect.poll(() => mine.received.length).toBe(1);
    expect(theirs.received).toEqual([]);
    const { deliveries, read, redeliver, remove, rotateSecret } = world.app.webhooks;
    expect((await world.app.webhooks.page(other.access, { limit: 10 })).data.map(({ id }) => id)).toEqual([other.id]);
    expect(await world.app.webhooks.countDeliveries(other.access, { webhookId: own.id })).toBe(0);
    const [delivery] = await deliveriesOf(own.access, own.id);
    for (const stranger of [
      () => read(other.access, own.id),
      () => deliveries(other.access, { webhookId: own.id }, { limit: 1 }),
      () => rotateSecret(other.access, own.id),
      () => redeliver(other.access, delivery!.id),
      () => remove(other.access, own.id),
    ])
      await expect(stranger()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('goes when the person it is about is forgotten, sent or not', async () => {
    const receiver = await receiving(() => ({ status: 500 }));
    const { access, id } = await subscribed(receiver);
    await start(access);
    await expect.poll(async () => (await deliveriesOf(access, id))[0]?.attempts.length).toBe(1);
    await world.app.forgetOwner(access, { userId: 'ada', customerId: 'acme' });
    expect(await deliveriesOf(access, id)).toEqual([]);
    expect(await world.deps.db.event.count({ where: { instanceNumber: access.instanceNumber } })).toBe(0);
  });

  test.each([
    { asked: { userId: 'ada' }, forgotten: { userId: 'ada' } },
    { asked: { userId: 'ada', customerId: 'acme' }, forgotten: { userId: 'ada' } },
    { asked: { userId: 'ada', customerId: 'acme' }, forgotten: { customerId: 'acme' } },
  ])('goes with $forgotten of whom nothing else is known: $asked', async ({ asked, forgotten }) => {
    const { access } = await subscribed(await receiving(), ['context.retrieved']);
    await world.app.fetchContext(access, { ...asked, searchQueries: ['tea'], explain: false });
    await world.app.fetchContext(access, { userId: 'bob', searchQueries: ['tea'], explain: false });
    const receipt = await world.app.forgetOwner(access, forgotten);
    expect(receipt.removed.rows).toBe(1);
    expect(await world.deps.db.event.findMany({ where: { instanceNumber: access.instanceNumber } })).toMatchObject([
      { userId: 'bob' },
    ]);
    await expect(world.app.forgetOwner(access, forgotten)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is kept for 30 days, however many there are', async () => {
    const { access, id } = await subscribed(await receiving());
    await start(access);
    const removing = periodicTasks.find(({ name }) => name === 'remove-old-events')!;
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const inDays = (days: number) => ({ ...world.deps, now: () => new Date(now().getTime() + days * day) });
    const { instanceNumber } = access;
    await removing.run(inDays(29), telemetry, AbortSignal.timeout(minute));
    expect(await deliveriesOf(access, id)).toHaveLength(1);
    await world.deps.db.$executeRaw`
      INSERT INTO event (i, id, type, created_at, data)
      SELECT ${instanceNumber}, gen_random_uuid(), 'conversation.started', ${now()}, '' FROM generate_series(1, 20001)`;
    await removing.run(inDays(31), telemetry, AbortSignal.timeout(minute));
    expect(await deliveriesOf(access, id)).toEqual([]);
    expect(await world.deps.db.event.count({ where: { instanceNumber } })).toBe(0);
  });
});

describe('a delivery that fails', () => {
  test('is tried again after 5 s, 1 min, 5 min, 30 min, 2 h and 12 h, then is a dead letter until it is redelivered', async () => {
    const receiver = await receiving(() => ({ status: 503 }));
    const { access, secret, id } = await subscribed(receiver, ['conversation.started']);
    const only = async () => (await deliveriesOf(access, id))[0]!;
    await start(access);
    for (const [n, wait] of [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 12 * hour].entries()) {
      await expect.poll(async () => (await only()).attempts.length).toBe(n + 1);
      const { state, nextAttemptAt, attempts } = await only();
      expect([state, attempts.at(-1)]).toMatchObject(['pending', { status: 503, failure: 'error_status' }]);
      const due = nextAttemptAt!.getTime() - attempts.at(-1)!.at.getTime();
      expect(due - wait).toBeGreaterThanOrEqual(0);
      expect(due - wait).toBeLessThan(5 * second);
      ahead += wait;
    }
    await expect.poll(async () => (await only()).state).toBe('dead_letter');
    expect(receiver.received).toHaveLength(7);
    const dead = await world.app.webhooks.deliveries(access, { webhookId: id, state: 'dead_letter' }, { limit: 5 });
    expect(dead.data).toMatchObject([{ nextAttemptAt: null }]);

    receiver.answers(() => ({ status: 200 }));
    await world.app.webhooks.redeliver(access, (await only()).id);
    await expect.poll(async () => (await only()).state).toBe('delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(isSignedBy(secret, receiver.received.at(-1)!, now())).toBe(true);
    expect((await world.app.webhooks.read(access, id)).failingSince).toBeNull();
  });

  test('is not sent to where a redirect leads', async () => {
    const elsewhere = await receiving();
    const receiver = await receiving(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const { access, id } = await subscribed(receiver);
    await start(access);
    await expect
      .poll(async () => (await deliveriesOf(access, id))[0]!.attempts)
      .toMatchObject([{ status: 307, failure: 'redirect' }]);
    expect(elsewhere.received).toEqual([]);
  });

  test('holds up no other: a receiver that does not answer keeps its own deliveries only', async () => {
    const silent = await receiving();
    silent.close(); // nobody listens there any more
    const [lost, receiver] = [await subscribed(silent), await receiving()];
    const { access } = await subscribed(receiver);
    for (let n = 0; n < 40; n++) await start(lost.access, `lost-${n}`);
    await start(access);
    await expect.poll(() => receiver.received.length).toBe(1);
    await expect
      .poll(async () => (await deliveriesOf(lost.access, lost.id)).map(({ attempts }) => attempts[0]?.failure))
      .toEqual(Array.from({ length: 40 }, () => 'connection_failed'));
  });
});

test('a key vault that did not answer once keeps the webhooks of its instance waiting no longer than that', async () => {
  const mute = await openMute(); // the worker goes on delivering meanwhile
  const slow = await subscribed(mute);
  const receiver = await receiving();
  const { access } = await subscribed(receiver);
  await start(slow.access);
  await expect.poll(() => mute.sockets.length).toBe(1);

  const { keyRing } = world.deps;
  const keysOf = keyRing.keysOf.bind(keyRing);
  let failures = 0;
  keyRing.keysOf = async (instance, wrapped) => {
    if (instance !== access.instance || failures) return keysOf(instance, wrapped);
    failures += 1;
    throw new Error('the vault does not answer');
  };
  try {
    await start(access);
    await expect.poll(() => failures).toBe(1);
    ahead += deliveryLeaseMs;
    await expect.poll(() => receiver.received.length).toBe(1);
  } finally {
    keyRing.keysOf = keysOf;
    mute.close();
  }
});

test('a worker that stops gives back its own lease, and not that of another who took it over', async () => {
  const receiver = await receiving();
  const { access, id } = await subscribed(receiver, ['conversation.started']);
  await start(access);
  await expect.poll(async () => (await deliveriesOf(access, id))[0]?.state).toBe('delivered');
  const { db } = world.deps;
  const [delivery] = await db.webhookDelivery.findMany({ where: { instanceNumber: access.instanceNumber } });
  const [ours, theirs] = [now(), new Date(now().getTime() + minute)];
  const where = { instanceNumber: access.instanceNumber, id: delivery!.id };
  await db.webhookDelivery.updateMany({ where, data: { leaseUntil: theirs } });
  await releaseDelivery(db, { ...where, leaseUntil: ours });
  expect(await db.webhookDelivery.findFirst({ where })).toMatchObject({ leaseUntil: theirs });
  await releaseDelivery(db, { ...where, leaseUntil: theirs });
  expect(await db.webhookDelivery.findFirst({ where })).toMatchObject({ leaseUntil: null });
});

describe('receivers that do not answer', () => {
  const underWay = ({ instanceNumber }: Access) =>
    world.deps.db.webhookDelivery.count({ where: { instanceNumber, leaseUntil: { not: null } } });

  test('hold up no other instance, however many webhooks lead to them', async () => {
    const [mute, receiver] = [await openMute(), await receiving()];
    const [slow, other] = [await subscribed(mute), await subscribed(receiver)];
    const settings = { url: mute.url, description: null, eventTypes };
    for (let n = 1; n < 20; n++) await world.app.webhooks.create(slow.access, settings);
    const deliver = await deliveryIn('us-west', [slow.access, other.access]);
    await tell(slow.access, 16);
    await tell(other.access, 1);
    const stopping = new AbortController();
    const delivering = deliver(stopping.signal);
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1); // they may take 15 s to answer
    await expect.poll(() => mute.sockets.length).toBe(48);
    await tell(other.access, 1);
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(await underWay(slow.access)).toBe(48);
    stopping.abort();
    mute.close();
    await delivering;
  });

  test('hold up no other webhook of their instance, though they take all its places', async () => {
    const [mute, receiver] = [await openMute(), await receiving()];
    const { access } = await subscribed(mute);
    const settings = { description: null, eventTypes };
    for (let n = 1; n < 3; n++) await world.app.webhooks.create(access, { ...settings, url: mute.url });
    const deliver = await deliveryIn('ap-south', [access]);
    await tell(access, 40);
    const stopping = new AbortController();
    const delivering = deliver(stopping.signal);
    await expect.poll(() => mute.sockets.length).toBe(48);
    await world.app.webhooks.create(access, { ...settings, url: receiver.url });
    await tell(access, 1);
    mute.sockets[0]!.destroy();
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1); // they may take 15 s to answer
    stopping.abort();
    mute.close();
    await delivering;
  });

  test('are sent no more than 16 at a time, though some are under way when more become due', async () => {
    const [mute, receiver] = [await openMute(), await receiving()];
    const [slow, other] = [await subscribed(mute), await subscribed(receiver)];
    const deliver = await deliveryIn('eu-north', [slow.access, other.access]);
    await tell(slow.access, 15);
    const stopping = new AbortController();
    const delivering = deliver(stopping.signal);
    await expect.poll(() => mute.sockets.length).toBe(15);
    await tell(slow.access, 16);
    await tell(other.access, 1);
    await expect.poll(() => receiver.received.length).toBe(1); // by then, the others were due too
    expect(await underWay(slow.access)).toBe(16);
    stopping.abort();
    mute.close();
    await delivering;
  });
});

describe('a webhook', () => {
  test('is disabled by 410, says so, and is told nothing until it is enabled', async () => {
    const receiver = await receiving(() => ({ status: 410 }));
    const { access, id } = await subscribed(receiver);
    await start(access);
    await expect
      .poll(() => world.app.webhooks.read(access, id))
      .toMatchObject({ state: 'disabled', disabledReason: 'gone', disabledAt: expect.any(Date) });
    await start(access, 'another');
    expect(await deliveriesOf(access, id)).toMatchObject([{ state: 'dead_letter' }]);
    for (const refused of [world.app.webhooks.test(access, id)])
      await expect(refused).rejects.toMatchObject({ code: 'conflict' });

    receiver.answers(() => ({ status: 200 }));
    await world.app.webhooks.update(access, id, { state: 'active' });
    await start(access, 'a third');
    await expect.poll(() => receiver.received.map(({ event }) => event.data['external_id'])).toContain('a third');
    expect(await world.app.webhooks.read(access, id)).toMatchObject({ state: 'active', disabledReason: null });
  });

  test('is disabled after five days of failures, and sent what waits once it is enabled', async () => {
    const receiver = await receiving(() => ({ status: 500 }));
    const { access, id } = await subscribed(receiver);
    await start(access, 'first');
    await expect.poll(async () => (await world.app.webhooks.read(access, id)).failingSince).not.toBeNull();
    ahead += 5 * day - hour;
    await start(access, 'second');
    await expect.poll(async () => (await deliveriesOf(access, id))[0]!.attempts.length).toBe(1);
    expect((await world.app.webhooks.read(access, id)).state).toBe('active');
    ahead += 2 * hour;
    await expect
      .poll(() => world.app.webhooks.read(access, id))
      .toMatchObject({ state: 'disabled', disabledReason: 'failing' });
    expect((await deliveriesOf(access, id))[0]!.nextAttemptAt).toBeNull();

    receiver.answers(() => ({ status: 200 }));
    await world.app.webhooks.update(access, id, { state: 'active' });
    ahead += 12 * hour;
    await expect
      .poll(async () => new Set((await deliveriesOf(access, id)).map(({ state }) => state)))
      .toEqual(new Set(['delivered'])); // the end of a conversation that was silent for so long may be among them
  });

  test('signs with both secrets for 24 hours after a rotation', async () => {
    const receiver = await receiving();
    // Not to the end of the first conversation, which comes when it was silent for a day.
    const { access, secret: former, id } = await subscribed(receiver, ['conversation.started']);
    const { secret } = await world.app.webhooks.rotateSecret(access, id);
    expect(secret).not.toBe(former);
    await start(access);
    await allRecorded(access, id);
    ahead += day;
    await start(access, 'a day later');
    await expect.poll(() => receiver.received.length).toBe(2);
    const [then, later] = receiver.received;
    const dayBefore = new Date(now().getTime() - day);
    expect([isSignedBy(former, then!, dayBefore), isSignedBy(secret, then!, dayBefore)]).toEqual([true, true]);
    expect([isSignedBy(former, later!, now()), isSignedBy(secret, later!, now())]).toEqual([false, true]);
  });

  test('signs with each secret for 24 hours after it was rotated, the last four at most', async () => {
    const receiver = await receiving();
    const { access, secret: first, id } = await subscribed(receiver, ['conversation.started']);
    const secrets = [first];
    const rotate = async () => void secrets.push((await world.app.webhooks.rotateSecret(access, id)).secret);
    /** Which of the secrets sign an event of now, by their place. */
    const signing = async () => {
      const sent = receiver.received.length;
      await start(access, `call ${sent}`);
      await allRecorded(access, id);
      return [...secrets.keys()].filter((n) => isSignedBy(secrets[n]!, receiver.received[sent]!, now()));
    };
    await rotate();
    ahead += 2 * hour;
    await rotate();
    expect(await signing()).toEqual([0, 1, 2]);
    ahead += day - hour;
    expect(await signing()).toEqual([1, 2]);
    for (let n = 0; n < 4; n++) await rotate();
    expect(await signing()).toEqual([2, 3, 4, 5, 6]);
  });

  test('that is deleted is told nothing more, and its deliveries go with it', async () => {
    const receiver = await receiving(() => ({ status: 500 }));
    const { access, id } = await subscribed(receiver);
    await start(access);
    await expect.poll(() => receiver.received.length).toBe(1);
    await world.app.webhooks.remove(access, id);
    expect(await world.deps.db.webhookDelivery.count({ where: { instanceNumber: access.instanceNumber } })).toBe(0);
    await expect(world.app.webhooks.read(access, id)).rejects.toMatchObject({ code: 'not_found' });
    await start(access, 'another');
    expect(
      await world.deps.db.event.count({
        where: { instanceNumber: access.instanceNumber, type: 'conversation.started' },
      }),
    ).toBe(1);
  });
});
