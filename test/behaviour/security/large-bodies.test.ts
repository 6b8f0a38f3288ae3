import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedPlace, startService, type ServiceProcess } from '../../support/service-process.ts';
import { timed } from '../../support/timed.ts';

const mib = 1 << 20;
const folder = mkdtempSync(join(tmpdir(), 'presage-large-'));
let service: ServiceProcess;
beforeAll(async () => (service = await startService(await migratedPlace(folder))));
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Four times what it is on two cores with nothing else to do: a busy machine is no failure. */
const mostMs = 1_000;
/** No document of these is accepted, so that no ingestion works beside what is measured. */
const poem = { document: 'lorem ipsum '.repeat(1_380), document_type: 'poem', user_id: 'ada' };
const emptyLists = Buffer.from(`{"documents":[${'[],'.repeat(5 * mib)}[]]}`);
const longTexts = Buffer.from(JSON.stringify({ documents: Array.from({ length: 1_000 }, () => poem) }));

test.each([
  { case: 'that are refused', body: emptyLists, statuses: [413] },
  { case: 'that are read', body: longTexts, statuses: [202, 429] },
])('eight bodies of 16 MiB at once, $case, keep nobody waiting', timed, async ({ body, statuses }) => {
  let answers: Response[] = [];
  const longest = await longestProbeDuring(async () => {
    answers = await Promise.all(Array.from({ length: 8 }, () => send(body)));
  });
  expect(answers.filter(({ status }) => !statuses.includes(status))).toEqual([]);
  expect(answers.every(({ status, headers }) => status !== 429 || headers.has('retry-after'))).toBe(true);
  expect(longest).toBeLessThan(mostMs);
});

async function send(body: Buffer<ArrayBuffer>) {
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.baseUrl}/v1/memories/batch`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer;
}

/** Another client, on a thread of its own: the one that sends is busy itself. */
const probe = `
  const { parentPort, workerData } = require('node:worker_threads');
  let isOver = false;
  parentPort.once('message', () => (isOver = true));
  (async () => {
    let longest = 0;
    while (!isOver) {
      const began = performance.now();
      await (await fetch(workerData)).arrayBuffer();
      longest = Math.max(longest, performance.now() - began);
    }
    parentPort.postMessage(longest);
  })();`;

/** The longest that `/ready` took, in milliseconds, while the work was done. */
async function longestProbeDuring(work: () => Promise<void>): Promise<number> {
  const prober = new Worker(probe, { eval: true, workerData: `${service.baseUrl}/ready` });
  await once(prober, 'online');
  await work();
  prober.postMessage('over');
  const [longest] = (await once(prober, 'message')) as [number];
  return longest;
}
