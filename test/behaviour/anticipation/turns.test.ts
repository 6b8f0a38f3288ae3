import { expect, test } from 'vitest';
import { parseId } from '../../../src/domain/ids.ts';
import { TurnAnticipationBuffer } from '../../../src/domain/anticipation/turn-anticipation-buffer.ts';
import { periodicTasks } from '../../../src/jobs/periodic/periodic-tasks.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import type { Signal } from '../../../src/generated/proto/presage/anticipation/v1/Signal.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { brokenRules } from '../../support/consistency.ts';
import { openDoors } from '../../support/open-doors.ts';
import { day } from '../../support/person.ts';
import { snapshotOf } from '../../support/snapshot.ts';
import { end, openClient, says, type Stream } from '../grpc/open-client.ts';
import { newAdminToken } from '../rest/open-server.ts';

const doors = openDoors();
const { world } = doors;
const question = 'Where do I keep the peanuts?';
const kitchen = { conversationId: 'kitchen', userId: 'ada' };

/** An instance in which it is known where Ada keeps the peanuts. */
async function stocked() {
  const { access, key, id } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I keep the peanuts in the cellar.', day(1));
  return { access, key, id, ada };
}

/** An agent's stream; each signal is sent once the one before is answered by a bundle. */
async function streamed(key: string, session: object, ...signals: readonly Signal[]): Promise<Stream> {
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: session });
  for (const signal of signals) {
    stream.send(signal);
    if ('message' in signal || 'partialMessage' in signal) await bundleOf(stream);
  }
  stream.send(end);
  await stream.ended;
  return stream;
}

/** The bundle that comes next: one for the session itself may come before it. */
async function bundleOf(stream: Stream) {
  for (;;) {
    const update = await stream.next();
    if (!update) throw new Error('the stream ended');
    if (update.bundle?.memories.some(({ reason }) => reason === 'REASON_CONTEXT')) return update.bundle;
  }
}

const typing = (content: string): Signal => ({ partialMessage: { role: 'user', content } });
const replies = (content: string): Signal => ({ message: { role: 'assistant', content } });

interface Turn {
  readonly number: number;
  readonly message: { readonly id: string; readonly role: string };
  readonly anticipated:
    | readonly { leadTimeMs: number; isUsed: boolean; memory: { id: string; content: string } }[]
    | null;
}

const turns = `query ($i: ID, $user: String) {
  conversationTurns(instanceId: $i, conversationId: "kitchen", from: 0, to: 9, userId: $user) {
    number message { id role } anticipated { leadTimeMs isUsed memory { id content } }
  } }`;

async function turnsAsked(credential: string, variables: Record<string, unknown> = {}): Promise<Turn[]> {
  const { data, errors } = (await doors.ask(credential, turns, variables)).json();
  expect(errors).toBeUndefined();
  return data.conversationTurns;
}

const cellarIn = (turn: Turn | undefined) => turn?.anticipated?.find(({ memory }) => memory.content.includes('cellar'));

async function cellarOf(access: Access) {
  const [memory] = (await world.app.memories(access, { type: 'facts' }, { limit: 1 })).data;
  return memory!.id;
}

const rowsOf = async ({ instanceNumber }: Access) => {
  await world.deps.turnAnticipations.flush();
  return world.deps.db.turnAnticipation.findMany({ where: { instanceNumber } });
};

test('a turn tells what was at hand when it was complete, and what the agent used', async () => {
  const { access, key } = await stocked();
  const id = await cellarOf(access);
  const session = { ...kitchen, remember: true };
  await streamed(key, session, typing('Where do I keep'), says(question), { contextUsed: { memoryIds: [id] } });
  const [turn] = await turnsAsked(key);
  expect(turn).toMatchObject({ number: 0, message: { role: 'user' } });
  expect(cellarIn(turn)).toMatchObject({ isUsed: true, leadTimeMs: expect.any(Number) });
  expect(turn!.anticipated!.find(({ memory }) => memory.id === id)!.leadTimeMs).toBeGreaterThanOrEqual(0);
  expect(turn!.anticipated!.filter(({ isUsed }) => isUsed)).toHaveLength(1);
});

test('what came only after the message has no lead, and a turn of the agent has nothing', async () => {
  const { key } = await stocked();
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: { ...kitchen, remember: true } }, says(question));
  await bundleOf(stream);
  stream.send(replies('In the cellar.'), end);
  await stream.ended;
  const [asked, answered] = await turnsAsked(key);
  expect(cellarIn(asked)).toMatchObject({ isUsed: false });
  expect(cellarIn(asked)!.leadTimeMs).toBeLessThan(0);
  expect(answered).toMatchObject({ message: { role: 'assistant' }, anticipated: null });
});

test('a message that is told by another door is a turn of the stream that hears it', async () => {
  const { key } = await stocked();
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: kitchen }, { ping: {} });
  await stream.next();
  const body = { role: 'user', content: question, user_id: 'ada' };
  expect((await doors.send(key, 'POST', '/v1/conversations/kitchen/messages', body)).status).toBe(201);
  await bundleOf(stream);
  stream.send(end);
  await stream.ended;
  expect(cellarIn((await turnsAsked(key))[0])).toMatchObject({ isUsed: false });
});

test('words that an agent streams first and posts then are one turn', async () => {
  const { key } = await stocked();
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key });
  stream.send({ sessionStart: kitchen }, says(question));
  await bundleOf(stream);
  const body = { role: 'user', content: question, user_id: 'ada' };
  await doors.send(key, 'POST', '/v1/conversations/kitchen/messages', body);
  stream.send(end);
  await stream.ended;
  const told = await turnsAsked(key);
  expect(told).toHaveLength(1);
  expect(cellarIn(told[0])).toBeDefined();
});

test('what two streams push for the same turn comes together', async () => {
  const { access, key } = await stocked();
  const id = await cellarOf(access);
  using client = openClient(doors.grpcAddress);
  const watching = client.anticipate({ key });
  watching.send({ sessionStart: kitchen }, { ping: {} });
  await watching.next();
  const session = { ...kitchen, remember: true };
  await streamed(key, session, typing('Where do I keep'), says(question), { contextUsed: { memoryIds: [id] } });
  await bundleOf(watching);
  await world.deps.turnAnticipations.flush(); // the second stream adds to what is written
  watching.send(end);
  await watching.ended;
  const [turn] = await turnsAsked(key);
  expect(turn!.anticipated!.filter(({ memory }) => memory.id === id)).toMatchObject([{ isUsed: true }]);
  expect(cellarIn(turn)!.leadTimeMs).toBeGreaterThanOrEqual(0);
  expect(await rowsOf(access)).toHaveLength(1);
});

test('words that are kept nowhere leave nothing', async () => {
  const { access, key } = await stocked();
  await streamed(key, kitchen, says(question));
  await streamed(key, { userId: 'ada' }, says(question));
  expect(await rowsOf(access)).toEqual([]);
});

test('a forgotten memory is in no turn, and a forgotten user leaves no turn', async () => {
  const { access, key, ada } = await stocked();
  await streamed(key, { ...kitchen, remember: true }, says(question));
  const id = await cellarOf(access);
  const kept = async () => (await rowsOf(access)).flatMap(({ memoryIds }) => memoryIds);
  expect(await kept()).toContain(parseId('memory', id));
  await world.app.forgetMemory(access, id, { cascade: false });
  expect(await kept()).not.toContain(parseId('memory', id));
  expect((await turnsAsked(key))[0]!.anticipated!.map(({ memory }) => memory.id)).not.toContain(id);
  expect(await brokenRules(world.deps, access)).toEqual({});
  await world.app.forgetOwner(access, ada.named);
  expect(await rowsOf(access)).toEqual([]);
  expect(await brokenRules(world.deps, access)).toEqual({});
});

test('a turn that is forgotten takes along what was pushed for it', async () => {
  const { access, key, ada } = await stocked();
  const secret = 'The code of the garage door is Tangerine, and peanuts are in the garage.';
  await streamed(key, { ...kitchen, remember: true }, says(secret));
  await world.app.endConversation(access, { conversationId: 'kitchen' });
  await world.settle();
  expect(await rowsOf(access)).toHaveLength(1);
  expect((await snapshotOf(world.deps, ada)).anticipations).toHaveLength(1);
  const told = (await ada.memories()).find(({ content }) => content.includes('Tangerine'))!;
  await world.app.forgetMemory(access, told.id, { cascade: true });
  expect(await rowsOf(access)).toEqual([]);
});

test('what is noted of a memory or a message that is gone by then is not written', async () => {
  const { access, key, ada } = await stocked();
  await streamed(key, { ...kitchen, remember: true }, says(question)); // not written yet
  await world.app.forgetMemory(access, await cellarOf(access), { cascade: false });
  const [turn] = await rowsOf(access);
  expect(await brokenRules(world.deps, access)).toEqual({});
  await streamed(key, { ...kitchen, conversationId: 'hall', remember: true }, says('Where are the peanuts?'));
  await world.app.forgetOwner(access, ada.named);
  expect(turn).toBeDefined();
  expect(await rowsOf(access)).toEqual([]);
});

test('forgetting while turns are written leaves nothing of what is forgotten', async () => {
  const { access, ada } = await stocked();
  for (const pet of ['a cat', 'a dog', 'two goats', 'a heron']) await ada.says(`I have ${pet} at home.`, day(2));
  const messages = Array.from({ length: 20 }, (_, n) => ({ role: 'user', content: `I counted ${n} boats.` }));
  const { conversation } = await world.app.addMessages(access, { ...kitchen, messages });
  const ids = (await ada.memories()).map(({ id }) => id);
  const pushed = new Map(ids.map((id) => [id, { leadTimeMs: 100, isUsed: false }]));
  const receivedAt = new Date();
  const turnsOf = (from: number) =>
    Array.from({ length: 10 }, (_, n) => ({
      instanceNumber: access.instanceNumber,
      conversationId: conversation.id,
      n: from + n,
      receivedAt,
      pushed,
    }));
  const logs = [0, 5, 10].map((from) => ({ log: new TurnAnticipationBuffer(world.deps.db), noted: turnsOf(from) }));
  const writing = async ({ log, noted }: (typeof logs)[number]) => {
    for (let round = 0; round < 10; round += 1) {
      for (const turn of noted) log.note(turn);
      await log.flush();
    }
  };
  const forgetting = async () => {
    for (const id of ids.slice(0, -1)) await world.app.forgetMemory(access, id, { cascade: false });
  };
  await Promise.all([...logs.map(writing), forgetting()]);
  expect(await brokenRules(world.deps, access)).toEqual({});
  const left = (await rowsOf(access)).flatMap(({ memoryIds }) => memoryIds);
  expect([...new Set(left)]).toEqual([parseId('memory', ids.at(-1)!)]);
  await Promise.all([...logs.map(writing), world.app.forgetOwner(access, ada.named)]);
  expect(await rowsOf(access)).toEqual([]);
});

test('what was pushed is kept for 30 days', async () => {
  const { access, key } = await stocked();
  await streamed(key, { ...kitchen, remember: true }, says(question));
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  const removing = periodicTasks.find(({ name }) => name === 'remove-old-turns')!;
  const inDays = (days: number) => ({ ...world.deps, now: () => new Date(Date.now() + days * 86_400_000) });
  expect(await rowsOf(access)).toHaveLength(1);
  await removing.run(inDays(29), telemetry, AbortSignal.timeout(5_000));
  expect(await rowsOf(access)).toHaveLength(1);
  await removing.run(inDays(31), telemetry, AbortSignal.timeout(5_000));
  expect(await rowsOf(access)).toEqual([]);
  expect(await turnsAsked(key)).toMatchObject([{ anticipated: null }]);
});

test('what could not be written is written next time, with what came meanwhile', async () => {
  const { access, key } = await stocked();
  await streamed(key, { ...kitchen, remember: true }, says(question));
  const [written] = await rowsOf(access);
  let isAway = true;
  const db = new Proxy(world.deps.db, {
    get(of, name) {
      if (isAway) throw new Error('the database is away');
      return Reflect.get(of, name);
    },
  });
  const log = new TurnAnticipationBuffer(db);
  const id = await cellarOf(access);
  const turn = (leadTimeMs: number, isUsed: boolean) => ({
    instanceNumber: access.instanceNumber,
    conversationId: written!.conversationId,
    n: 0,
    receivedAt: new Date(),
    pushed: new Map([[id, { leadTimeMs, isUsed }]]),
  });
  log.note(turn(5, true));
  await expect(log.flush()).rejects.toThrow('the database is away');
  log.note(turn(9_000, false));
  isAway = false;
  await log.flush();
  const [added] = await rowsOf(access);
  const place = added!.memoryIds.indexOf(parseId('memory', id));
  expect([added!.leadTimeMs[place], added!.used[place]]).toEqual([9_000, true]);
  expect(added!.memoryIds.toSorted()).toEqual(written!.memoryIds.toSorted());
});

test('nobody is told of it in another instance, or of another user', async () => {
  const { key } = await stocked();
  const other = await stocked();
  await streamed(key, { ...kitchen, remember: true }, says(question));
  await streamed(other.key, { ...kitchen, remember: true }, says('How are you? I ate peanuts.'));
  const ids = (told: Turn[]) => told.flatMap(({ anticipated }) => anticipated?.map(({ memory }) => memory.id) ?? []);
  const [own, theirs] = [ids(await turnsAsked(key)), ids(await turnsAsked(other.key))];
  expect(own.filter((id) => theirs.includes(id))).toEqual([]);
  expect(ids(await turnsAsked(key, { user: 'ada' }))).toEqual(own);
  const refused = (await doors.ask(key, turns, { user: 'bob' })).json();
  expect(refused.errors[0].extensions.code).toBe('context_not_found');
});

test('a viewer is refused it, and an admin’s look at it is audited by the ids of the messages', async () => {
  const { access, key, id } = await stocked();
  await streamed(key, { ...kitchen, remember: true }, says(question));
  const viewer = await newAdminToken(world, 'viewer');
  const told = (await doors.ask(viewer, turns, { i: id })).json();
  expect(told.errors[0].extensions.code).toBe('forbidden');
  expect(JSON.stringify(told.data)).not.toContain('peanuts');
  const admin = await newAdminToken(world, 'admin');
  const [turn] = await turnsAsked(admin, { i: id });
  expect(cellarIn(turn)).toBeDefined();
  const { clientId } = await world.app.administration.instance(world.admin, access.instance);
  const { data } = await world.app.administration.clientAudit(world.admin, clientId, { limit: 100 });
  const read = data.find(({ action, target }) => action === 'content.read' && target === access.instance);
  expect(read!.after).toMatchObject({ ConversationTurn: { count: 1, ids: [turn!.message.id] } });
});

test('an export has it beside each message', async () => {
  const { access, key } = await stocked();
  const id = await cellarOf(access);
  await streamed(key, { ...kitchen, remember: true }, says(question), { contextUsed: { memoryIds: [id] } });
  const lines = (await doors.send(key, 'GET', '/v1/users/ada/export')).text.trimEnd().split('\n');
  const message = lines.map((line) => JSON.parse(line)).find((line) => line.content === question);
  expect(message.anticipated).toContainEqual({ memory_id: id, lead_time_ms: expect.any(Number), used: true });
});
