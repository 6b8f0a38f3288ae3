import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient, ping, says, type Stream } from '../behaviour/grpc/open-client.ts';
import { customerId, openTown, type Town } from '../faults/killing/town.ts';
import { ownServer } from '../support/own-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';

/** Memories are changed in this process and in a worker, and shown by a stream process. */
const own = ownServer();
const name = 'freshness';
let town: Town;
let stream: ServiceProcess;
beforeAll(async () => {
  town = await openTown(own.server, name);
  [stream] = await Promise.all([town.start('stream'), town.start('worker')]);
});
afterAll(() => town?.close());

/** A document that is remembered, and a stream that shows what it said and is silent from then on. */
async function shown(through = stream) {
  const document = await town.send();
  const { access, key } = town.houses[document.house]!;
  const patience = { ms: 60_000, signal: AbortSignal.timeout(60_000) };
  await town.app.awaitIngestion(access, document.ingestionId, patience);
  const call = openClient(through.grpcAddress).anticipate({ key });
  call.send(
    { sessionStart: { userId: document.userId, customerId } },
    says(`What of ${document.turns[0]!.slice(0, 22)}?`),
  );
  for (;;) {
    const memory = (await call.next())?.bundle?.memories.find(({ content }) => document.turns.includes(content));
    if (memory) return { document, access, key, call, memory };
  }
}

/** All that the stream was sent by now. */
async function sent(call: Stream) {
  call.send(ping);
  const updates = [];
  for (;;) {
    const update = await call.next();
    if (!update || update.pong) return updates;
    updates.push(update);
  }
}

const withdrawnIn = (updates: Awaited<ReturnType<typeof sent>>) =>
  updates.flatMap(({ withdrawal }) => withdrawal?.memoryIds ?? []);

test('what one process forgets, the streams of another have withdrawn when that is acknowledged', async () => {
  const { access, call, memory } = await shown();
  await town.app.forgetMemory(access, memory.id, { cascade: false });
  expect(withdrawnIn(await sent(call))).toContain(memory.id);
  call.hangUp();
});

test('a key that one process revokes opens no stream of another any more when that is acknowledged', async () => {
  const { asAdmin } = town.houses[0];
  const { key, record } = await town.app.createKey(asAdmin, { label: 'short' });
  const call = openClient(stream.grpcAddress).anticipate({ key });
  call.send({ sessionStart: { userId: 'ada', customerId } }, ping);
  await call.next();
  await town.app.revokeKey(asAdmin, record.id);
  expect((await call.ended).code).toBe(status.UNAUTHENTICATED);
});

test('connections that are cut cost only time', async () => {
  const { access, call, memory } = await shown();
  await own.server.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  );
  await expect
    .poll(() => town.app.memory(access, memory.id, {}).then(({ id }) => id, String), { timeout: 30_000 })
    .toBe(memory.id);
  await town.app.forgetMemory(access, memory.id, { cascade: false });
  // Nobody waits for a process that has not found back yet. It takes back what it showed once it can; or, when it cannot
  // find out what holds, ends the stream: whoever reads opens another.
  let end: number | undefined;
  void call.ended.then(({ code }) => (end = code));
  const outcome = async () => (withdrawnIn(await sent(call)).includes(memory.id) ? 'withdrawn' : end);
  await expect.poll(outcome, { timeout: 30_000 }).toSatisfy((is) => is === 'withdrawn' || is === status.UNAVAILABLE);
  call.hangUp();
});

test('nobody waits long for a process that stands still; when it goes on, it shows nothing that ended meanwhile', async () => {
  const { access, call, memory } = await shown();
  stream.freeze();
  try {
    await town.app.forgetMemory(access, memory.id, { cascade: false });
  } finally {
    stream.thaw();
  }
  call.send(says(`And again, what of ${memory.content}?`));
  const updates: Awaited<ReturnType<typeof sent>> = [];
  // The third signal: what answers it, or comes after the withdrawal, was sent when the process went on.
  const isAnswer = ({ bundle }: (typeof updates)[number]) => (bundle?.signalsHeard ?? 0) >= 3;
  while (!updates.some(isAnswer)) updates.push(...(await sent(call)));
  expect(withdrawnIn(updates)).toContain(memory.id);
  const withdrawn = updates.findIndex(({ withdrawal }) => withdrawal?.memoryIds.includes(memory.id));
  const later = updates.filter((update, place) => isAnswer(update) || place > withdrawn);
  expect(later.flatMap(({ bundle }) => bundle?.memories.map(({ id }) => id) ?? [])).not.toContain(memory.id);
  call.hangUp();
});

test('nobody waits for a process that was killed once its lease is over, and its rows go with its owners', async () => {
  const doomed = await town.start('stream');
  const { access, document, memory } = await shown(doomed);
  await town.end(doomed);
  await town.app.forgetMemory(access, memory.id, { cascade: false });
  await town.app.forgetOwner(access, { userId: document.userId, customerId });
  const owners = await town.deps.db.owner.findMany({
    where: { instanceNumber: access.instanceNumber },
    select: { ownerNo: true },
  });
  const there = [0, ...owners.map(({ ownerNo }) => ownerNo)];
  expect(
    await town.deps.db.subscriptionLease.count({
      where: { instanceNumber: access.instanceNumber, ownerNo: { notIn: there } },
    }),
  ).toBe(0);
});
