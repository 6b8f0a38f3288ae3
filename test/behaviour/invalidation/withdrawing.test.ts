import { status } from '@grpc/grpc-js';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '../../../src/domain/administration/keys.ts';
import type { Invalidation } from '../../../src/domain/invalidation/invalidation.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { createGrpcServer, type GrpcServer } from '../../../src/transports/grpc/server.ts';
import { day } from '../../support/person.ts';
import { openWorld } from '../../support/world.ts';
import { openClient, ping, says, start, type Stream } from '../grpc/open-client.ts';

const world = openWorld();
let server: GrpcServer;
let client: ReturnType<typeof openClient>;

beforeAll(async () => {
  const telemetry = { log: pino({ level: 'silent' }), registry: new Registry() };
  server = await createGrpcServer({ app: world.app, telemetry, address: '127.0.0.1:0' });
  client = openClient(`127.0.0.1:${server.port}`);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await server.close(1_000);
});

/** A stream that has its bundle and is silent from then on. */
async function holding(key: string, userId: string, question: string) {
  const stream = client.anticipate({ key });
  stream.send(start(userId), says(question));
  for (;;) {
    const bundle = (await stream.next())?.bundle;
    if (!bundle) throw new Error('the stream ended');
    if (bundle.memories.some(({ reason }) => reason === 'REASON_CONTEXT')) return { stream, bundle };
  }
}

/** What the stream was told to drop by now: all of it stands before the answer to a ping. */
async function withdrawnBy(stream: Stream): Promise<string[]> {
  stream.send(ping);
  const withdrawn: string[] = [];
  for (;;) {
    const update = await stream.next();
    withdrawn.push(...(update?.withdrawal?.memoryIds ?? []));
    if (!update || update.pong) return withdrawn.toSorted();
  }
}
const activeOf = async (access: Access, userId: string) =>
  (await world.app.memories(access, { userId }, { limit: 100 })).data.filter(({ status: is }) => is === 'active');

test('a memory that is forgotten is withdrawn from silent streams before that is acknowledged, and from no others', async () => {
  const { access, key } = await world.instance();
  const [ada, bob] = await Promise.all([world.user('ada', { access }), world.user('bob', { access })]);
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  await bob.says('My passport is in the red drawer of the desk.', day(1));
  const question = 'Where did I put my passport?';
  const [first, second, other] = [
    await holding(key, 'ada', question),
    await holding(key, 'ada', question),
    await holding(key, 'bob', question),
  ];
  const [memory] = first.bundle.memories;
  await world.app.forgetMemory(access, memory!.id, { cascade: false });
  expect(await withdrawnBy(first.stream)).toEqual([memory!.id]);
  expect(await withdrawnBy(second.stream)).toEqual([memory!.id]);
  expect(await withdrawnBy(other.stream)).toEqual([]);
});

test('what a later statement replaces is withdrawn by the time its ingestion is called completed', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.', day(1));
  const { stream, bundle } = await holding(key, 'ada', 'Where do I live?');
  await ada.says('I moved to York.', day(9));
  const active = new Set((await activeOf(access, 'ada')).map(({ id }) => id));
  const ended = bundle.memories.map(({ id }) => id).filter((id) => !active.has(id));
  expect(ended.length).toBeGreaterThan(0);
  expect(await withdrawnBy(stream)).toEqual(ended.toSorted());
});

test('of a user who is forgotten everything is withdrawn, and no row tells that anybody was shown it', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  const { stream, bundle } = await holding(key, 'ada', 'Where did I put my passport?');
  const owners = await world.deps.db.owner.findMany({
    where: { instanceNumber: access.instanceNumber, userId: 'ada' },
  });
  await world.app.forgetOwner(access, { userId: 'ada' });
  expect(await withdrawnBy(stream)).toEqual(bundle.memories.map(({ id }) => id).toSorted());
  const ownerNo = { in: owners.map((owner) => owner.ownerNo) };
  expect(
    await world.deps.db.subscriptionLease.count({ where: { instanceNumber: access.instanceNumber, ownerNo } }),
  ).toBe(0);
});

test('the streams of a key have ended when its revocation is acknowledged', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  const { stream } = await holding(key, 'ada', 'Where did I put my passport?');
  const [record] = (await world.app.keys(world.asAdmin(access), { limit: 100 })).data;
  await world.app.revokeKey(world.asAdmin(access), record!.id);
  expect((await stream.ended).code).toBe(status.UNAUTHENTICATED);
});

test('a key that is revoked twice at once: the second is not acknowledged either while its streams go on', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  const { stream } = await holding(key, 'ada', 'Where did I put my passport?');
  const [record] = (await world.app.keys(world.asAdmin(access), { limit: 100 })).data;
  const revocation = heldUp(world.deps.invalidation);
  const first = revokeKey({ ...world.deps, invalidation: revocation.invalidation }, access, record!.id);
  await revocation.isCommitted;
  let isAcknowledged = false;
  const second = world.app.revokeKey(world.asAdmin(access), record!.id).then(() => (isAcknowledged = true));
  for (let n = 0; n < 20; n++) await world.app.keys(world.asAdmin(access), { limit: 100 }); // it has had its turn by then
  expect(isAcknowledged).toBe(false);
  revocation.goOn();
  await Promise.all([first, second]);
  expect((await stream.ended).code).toBe(status.UNAUTHENTICATED);
});

/** A change that is committed waits before anybody hears of it. */
function heldUp(invalidation: Invalidation) {
  let goOn = () => {};
  const isFree = new Promise<void>((resolve) => (goOn = resolve));
  let committed = () => {};
  const isCommitted = new Promise<void>((resolve) => (committed = resolve));
  const beginChange = () => {
    const change = invalidation.beginChange();
    const propagate = async () => {
      committed();
      await isFree;
      await change.propagate();
    };
    return { ...change, propagate };
  };
  const awaitPropagation: Invalidation['awaitPropagation'] = (...given) => invalidation.awaitPropagation(...given);
  return { invalidation: { beginChange, awaitPropagation } as Invalidation, isCommitted, goOn }; // all that a revocation uses
}

test('a suspended instance ends its streams, and so does a client that is made inactive', async () => {
  const { administration } = world.app;
  const [one, two] = [await world.instance(), await world.instance()];
  const streams = [];
  for (const { access, key } of [one, two]) {
    await (await world.user('ada', { access })).says('My passport is in the blue drawer of the desk.', day(1));
    streams.push((await holding(key, 'ada', 'Where did I put my passport?')).stream);
  }
  await administration.changeInstanceState(world.admin, { id: one.id, event: 'suspend' });
  expect((await streams[0]!.ended).code).toBe(status.PERMISSION_DENIED);
  const { clientId } = await world.app.instance(two.access);
  await administration.changeClientState(world.admin, { id: clientId, event: 'deactivate' });
  expect((await streams[1]!.ended).code).toBe(status.PERMISSION_DENIED);
  await administration.changeClientState(world.admin, { id: clientId, event: 'activate' });
});
