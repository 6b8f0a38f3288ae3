// `npm run bench:cache`: what a fetch takes that was answered before it was asked, beside a bare Fastify route that
// returns the same JSON. With `--postgres`, api and stream are processes of their own on a real Postgres, and the bare
// route reads one row by its key. Both are called in turns, by one caller and by eight; a median of more than twice the
// bare one's ends it with 1.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStreams } from '../anticipation/stream.mjs';
import { openClient } from '../client.mjs';
import { inTemporaryFolder, say } from '../command.mjs';
import { percentile, timedBy } from '../measure.mjs';
import { machineLine } from '../report.mjs';
import { newKey, startService } from '../service.mjs';
import { loadTypescript } from '../typescript.mjs';

const max = 2;
const callers = [1, 8];
const [rounds, callsARound, warmUps] = [20, 150, 600];
const facts = [
  'I live in Leeds, near the canal.',
  'I work as a carpenter in Harrogate.',
  'My sister Petra lives in York.',
  'I am allergic to peanuts.',
  'My dog is called Biscuit.',
  'I play the cello on Tuesdays.',
  'My car is a green estate from 2014.',
  'I am learning Portuguese for a trip to Porto.',
  'I like my coffee without milk.',
  'My father was a lighthouse keeper in Whitby.',
];
const question = 'What do you know about me and my family?';
const asked = { search_queries: [question], conversation_id: 'bench-talk' };
const conversation = { conversationId: 'bench-talk', userId: 'bench-user' };

const { values: settings } = parseArgs({ options: { postgres: { type: 'boolean', default: false } } });
let folder;
let opened;
await inTemporaryFolder({ name: 'bench', keep: false }, async (...place) => {
  [folder, opened] = place;
  say(machineLine());
  const { api, stream, databaseUrl } = await openPlace();
  await prepare(api, stream);
  const ready = await api.client.post('/v1/context/fetch', asked);
  if (ready.source !== 'anticipation') throw new Error(`the answer was not ready: it came from the ${ready.source}`);
  const bare = await startBareRoute(ready, databaseUrl);
  const ratios = [];
  for (const count of callers) ratios.push(await compare(count, api.client, bare));
  const [one, eight] = ratios.map((ratio) => ratio.toFixed(2));
  say(`RESULT cache form=${settings.postgres ? 'postgres' : 'embedded'} ratio_1=${one} ratio_8=${eight} max=${max}`);
  if (ratios.some((ratio) => ratio > max)) process.exitCode = 1;
});

async function openPlace() {
  const key = newKey();
  if (!settings.postgres) {
    const service = await started(key, {});
    return { api: service, stream: service };
  }
  loadTypescript();
  const { startPostgres } = await import('../../support/postgres-server.ts');
  const server = await startPostgres();
  opened.push(() => server.remove());
  await server.query('CREATE DATABASE bench');
  const databaseUrl = server.urlOf('bench');
  const secret = () => randomBytes(32).toString('base64');
  const variables = { DATABASE_URL: databaseUrl, MASTER_KEY: secret(), PRESAGE_ADMIN_TOKEN: secret() };
  const [api, stream] = [
    await started(key, { kind: 'api', variables }),
    await started(key, { kind: 'stream', variables }),
  ];
  await started(key, { kind: 'worker', variables });
  return { api, stream, databaseUrl };
}

async function started(key, options) {
  const service = await startService(folder, key, options);
  opened.push(() => service.stop());
  return { ...service, key };
}

/** What there is to know, one fetch that shows how this conversation asks, and then the words that it will ask. */
async function prepare(api, stream) {
  const { userId: user_id, conversationId: conversation_id } = conversation;
  const document = facts.map((content) => ({ role: 'user', content }));
  const body = { document, document_type: 'ai-chat-conversation', user_id };
  const { ingestion_id: id } = await api.client.post('/v1/memories', body);
  const { status } = await api.client.get(`/v1/memories/${id}/status?wait=30`);
  if (status !== 'completed') throw new Error(`the memories were not taken: ${status}`);
  await api.client.post('/v1/context/fetch', { ...asked, search_queries: ['Hello!'], conversation_id, user_id });
  const streams = openStreams(stream.grpcAddress, api.key);
  opened.push(() => streams.close());
  const session = streams.open(conversation);
  opened.push(() => session.end());
  await session.brief();
  await session.send({ message: { role: 'user', content: question } });
  await pause(2_000); // so that nothing is asked before it is ready
}

async function startBareRoute(answer, databaseUrl) {
  const child = fork(fileURLToPath(new URL('bare-route.mjs', import.meta.url)));
  opened.push(async () => {
    child.kill();
    await once(child, 'exit');
  });
  child.send({ answer, databaseUrl });
  const [{ port }] = await once(child, 'message');
  const client = openClient(port, 'none');
  opened.push(() => client.close());
  return client;
}

/** The ratio of the medians. */
async function compare(count, service, bare) {
  const fetch = (client) => () => client.post('/v1/context/fetch', asked);
  const [of, ofBare] = [[], []];
  for (const client of [service, bare]) await timedBy(count, warmUps, fetch(client));
  for (let round = 0; round < rounds; round += 1) {
    of.push(...(await timedBy(count, callsARound, fetch(service))));
    ofBare.push(...(await timedBy(count, callsARound, fetch(bare))));
  }
  const [p50, bareP50] = [percentile(of, 0.5), percentile(ofBare, 0.5)];
  const ratio = p50 / bareP50;
  say(`${count} callers: ready p50 ${p50.toFixed(3)} ms, bare p50 ${bareP50.toFixed(3)} ms, ratio ${ratio.toFixed(2)}`);
  return ratio;
}
