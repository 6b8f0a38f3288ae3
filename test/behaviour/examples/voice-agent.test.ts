import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MemoryStream } from '../../../examples/voice-agent/memory-stream.ts';
import { openDoors } from '../../support/open-doors.ts';
import { day } from '../../support/person.ts';

const doors = openDoors();
const { world } = doors;

/** What lies between the agent and the stream, and may break. */
const sockets = new Set<Socket>();
let isDown = false;
let network: Server;
let memory: MemoryStream | undefined;

beforeAll(async () => {
  network = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far = connect(Number(doors.grpcAddress.split(':')[1]), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  isDown = false;
  await memory?.close();
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  network.close();
});

function cut() {
  isDown = true;
  for (const socket of sockets) socket.destroy();
}

function agentWith(key: string) {
  memory = new MemoryStream({
    grpc: `127.0.0.1:${(network.address() as AddressInfo).port}`,
    http: doors.baseUrl,
    key,
    userId: 'ada',
    conversationId: 'call-7',
  });
  return memory;
}

const patience = { timeout: 20_000 };
const atHand = (agent: MemoryStream) => agent.memories.map(({ content }) => content).join(' | ');

test('memories arrive while words are spoken, are withdrawn, and outlive a lost connection', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('Always answer me in French.', day(1));
  await ada.says('I am allergic to peanuts.', day(2));
  await ada.says('My brother Tom lives in York.', day(3));
  const agent = agentWith(key);

  await expect.poll(() => atHand(agent), patience).toContain('French');
  agent.hears('Is there a pea');
  agent.hears('Is there a peanut in');
  await expect.poll(() => atHand(agent), patience).toContain('allergic');
  agent.said('user', 'Is there a peanut in this cake?');
  const recalled = await agent.recall('Is there a peanut in this cake?', 5_000);
  const answer = recalled.find(({ content }) => content.includes('allergic'))!;
  agent.used([answer.id]);
  await expect.poll(() => world.d.db.transition.count({ where: { i: access.i } }), patience).toBeGreaterThan(0);

  cut();
  await expect.poll(() => agent.isConnected, patience).toBe(false);
  const [fetched] = await agent.recall('Where does Tom live?');
  expect(fetched!.content).toContain('York');
  expect(fetched!.reason).toBeUndefined(); // asked for over HTTP, since nothing can arrive
  agent.said('user', 'Where does Tom live?'); // told when the connection is back
  await world.app.forgetMemory(access, answer.id, { cascade: true });
  expect(atHand(agent)).toContain('allergic'); // nobody could tell it

  isDown = false;
  await expect.poll(() => atHand(agent), patience).not.toContain('allergic');
  await expect.poll(() => atHand(agent), patience).toContain('York');
  expect(atHand(agent)).toContain('French'); // kept from before, by its id alone
});

test('a key that opens nothing ends it for good', async () => {
  const { access, key } = await world.instance();
  await world.app.revokeKey(
    world.asAdmin(access),
    (await world.app.keys(world.asAdmin(access), { limit: 100 })).data[0]!.id,
  );
  await expect(agentWith(key).ended).rejects.toThrow('the stream ended');
});
