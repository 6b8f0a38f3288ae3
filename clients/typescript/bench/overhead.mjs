// How much longer a recall takes by the client than by a bare fetch: `npm run bench -w clients/typescript`. Both ask the
// real service the same question in turns, the first of each pair alternating, so that what else the machine does meets
// both. Ends with 1 when the median of the client is more than 1.1 times that of fetch.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Presage } from '../dist/index.js';

const [pairs, warmUps, max] = [2_000, 300, 1.1];
const child = spawn(process.execPath, [fileURLToPath(new URL('../../support/service.mjs', import.meta.url))], {
  env: { ...process.env, REQUESTS_PER_MINUTE: '1000000', REQUEST_BURST: '1000000' }, // no rate is to be met
  stdio: ['pipe', 'pipe', 'inherit'],
});
const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
const { url, key } = JSON.parse(value);
const memory = new Presage({ apiKey: key, baseUrl: url });
const user_id = 'ada';
await memory.remember('I am allergic to peanuts. I live in Leeds. I keep bees. I work at Acme.', { user_id });

const question = 'What must I not eat?';
const byClient = async () => (await memory.recall(question, { user_id })).memories.length;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const byFetch = async () => {
  const body = JSON.stringify({ search_queries: [question], user_id });
  const response = await fetch(`${url}/v1/context/fetch`, { method: 'POST', headers, body });
  return (await response.json()).memories.length;
};
const timed = async (recall, times) => {
  const began = performance.now();
  if ((await recall()) === 0) throw new Error('nothing was recalled');
  times.push(performance.now() - began);
};

/** The times of so many recalls by each. */
async function inTurns(count) {
  const times = { client: [], fetch: [] };
  for (let n = 0; n < count; n++) {
    const both = [() => timed(byClient, times.client), () => timed(byFetch, times.fetch)];
    for (const recall of n % 2 === 0 ? both : both.toReversed()) await recall();
  }
  return times;
}
await inTurns(warmUps);
const times = await inTurns(pairs);
child.stdin.end();

const at = (all, share) => all.toSorted((one, other) => one - other)[Math.floor(all.length * share)];
const ratio = at(times.client, 0.5) / at(times.fetch, 0.5);
for (const [name, all] of Object.entries(times))
  console.log(`${name}: p50 ${at(all, 0.5).toFixed(2)} ms, p95 ${at(all, 0.95).toFixed(2)} ms (${pairs} recalls)`);
console.log(`the client takes ${ratio.toFixed(3)} times as long as fetch, at most ${max} is wanted`);
process.exitCode = ratio <= max ? 0 : 1;
