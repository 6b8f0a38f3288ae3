// `npm run bench:tracing`: what traces cost a `fast` fetch, where nobody asked for them and where a collector is named.
//
// Two services, one that sends traces and one that does not, answer the same fetches in turns; with `--before <dir>` also
// the compiled service of another checkout, such as one from before there were traces. On a busy machine read the ratios.
// "switched off" is also reckoned: what a span costs that nobody records, measured in this process, times the spans of a
// fetch, of what the fetch takes.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withTraceSpan } from '../../dist/tracing.js';
import { inTemporaryFolder, say } from './command.mjs';
import { newKey, startService } from './service.mjs';

const { values: options } = parseArgs({
  options: { before: { type: 'string' }, fetches: { type: 'string', default: '1500' } },
});
const userId = 'bench-user';
const places = ['Leeds', 'York', 'Hull', 'Ripon', 'Selby', 'Otley', 'Skipton', 'Malton'];

await inTemporaryFolder({ name: 'tracing', keep: false }, async (folder, opened) => {
  const collector = await openCollector();
  opened.push(collector.close);
  const checkouts = {
    off: {},
    on: { variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' } },
    ...(options.before ? { before: { checkout: options.before } } : {}),
  };
  const services = [];
  for (const [name, how] of Object.entries(checkouts)) {
    const service = await startService(join(folder, name), newKey(), how);
    opened.push(service.stop);
    await remember(service.client);
    services.push({ name, client: service.client, took: [] });
  }
  const fetches = Number(options.fetches);
  for (let n = -100; n < fetches; n++) {
    const question = `Where did I say number ${n} of ${places[Math.abs(n) % places.length]} was?`;
    for (const service of n % 2 ? services : services.toReversed()) await ask(service, question, n >= 0);
  }
  const p50 = Object.fromEntries(services.map(({ name, took }) => [name, median(took)]));
  const spans = await collector.spansOfFetch();
  const idleMs = await idleSpanMs();
  const reckoned = (100 * spans * idleMs) / p50.off;
  for (const [name, ms] of Object.entries(p50)) say(`${name.padEnd(8)} p50 ${ms.toFixed(3)} ms`);
  say(`an idle span takes ${(1e6 * idleMs).toFixed(0)} ns, and a fetch has ${spans.toFixed(1)}`);
  const against = p50.before ? ` measured=${(100 * (p50.off / p50.before - 1)).toFixed(2)}%` : '';
  say(`RESULT tracing off=${reckoned.toFixed(3)}%${against} on=${(100 * (p50.on / p50.off - 1)).toFixed(1)}%`);
  if (reckoned > 1) process.exitCode = 1;
});

async function remember(client) {
  const document = places.map((place, n) => ({ role: 'user', content: `I lived in ${place} for ${n + 2} years.` }));
  const body = { document, document_type: 'ai-chat-conversation', user_id: userId, wait: 30 };
  const { status } = await client.post('/v1/memories', body);
  if (status !== 'completed') throw new Error(`the memories were not taken: ${status}`);
}

async function ask({ client, took }, question, isCounted) {
  const began = performance.now();
  await client.post('/v1/context/fetch', { search_queries: [question], user_id: userId, mode: 'fast' });
  if (isCounted) took.push(performance.now() - began);
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}

/** What a span costs where nothing records it, in milliseconds. */
async function idleSpanMs() {
  const work = async () => 1;
  const run = async (times) => {
    const began = performance.now();
    for (let n = 0; n < times; n++)
      await withTraceSpan('idle', { attributes: () => ({ n }), told: (result) => ({ result }) }, work);
    return performance.now() - began;
  };
  const bare = async (times) => {
    const began = performance.now();
    for (let n = 0; n < times; n++) await work();
    return performance.now() - began;
  };
  const times = 200_000;
  await run(times);
  return ((await run(times)) - (await bare(times))) / times;
}

/** A server that counts the spans it is sent. */
async function openCollector() {
  const names = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const bytes of request) text += String(bytes);
    for (const { scopeSpans } of JSON.parse(text).resourceSpans ?? [])
      names.push(...scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ofFetches = new Set(['POST /v1/context/fetch', 'search_memory', 'retrieve', 'hydrate']);
  return {
    endpoint: `http://127.0.0.1:${server.address().port}`,
    spansOfFetch: async () => {
      const count = (wanted) => names.filter((name) => wanted.has(name)).length;
      return count(ofFetches) / count(new Set(['POST /v1/context/fetch']));
    },
    close: () => server.close(),
  };
}
