import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedPlace, startService, type ServiceProcess } from '../support/service-process.ts';
import { hostileDocuments, type HostileDocument } from './hostile/documents.ts';
import { residentMiB, watchNeighbour, type Neighbour, type Worst } from './hostile/neighbour.ts';
import { isProof, lengthOf, tell } from './length.ts';

/** In bytes; a document may have a mebibyte. */
const length = lengthOf(1_000_000, 5_000);
/** A proof reads each text at three lengths, to see how the time grows. */
const lengths = isProof ? [length / 4, length / 2, length] : [length];
/** What ingesting may take for each doubling of the length. */
const growth = 2.3;
/** In milliseconds; what takes less is mostly the way there and back. */
const tooShort = 500;
/**
 * The longest that another tenant's probe may wait, in milliseconds. The short tests run beside each other and
 * on machines that do other things too: there it only shows that nothing stands still.
 */
const longestWait = lengthOf(250, 2_000);
/** What ingesting one text may take. */
const withinMs = 600_000;
/** Eight at once are watched for so long; what is left of them then is forgotten, so that the next begin in quiet. */
const watchedMs = 60_000;

/**
 * A proof measures memory as in a container of `deploy/compose.yaml`: with the allocator and the heap of new objects that
 * the image has, and the limit that Node takes from 2 GiB. V8 lets garbage grow with the memory of the machine.
 */
const asInTheImage: Record<string, string> = isProof
  ? {
      LD_PRELOAD: 'libjemalloc.so.2',
      MALLOC_CONF: 'background_thread:true',
      NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=1024',
    }
  : {};

let folder: string;
let service: ServiceProcess;
let neighbour: Neighbour;
const idle = { rss: 0, ready: 0 };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presage-hostile-'));
  const place = await migratedPlace(folder);
  service = await startService({
    ...place,
    variables: { ...asInTheImage, REQUESTS_PER_MINUTE: '100000', REQUEST_BURST: '10000' },
  });
  if (isProof && !readFileSync(`/proc/${service.pid}/maps`, 'utf8').includes('libjemalloc'))
    throw new Error('a proof needs jemalloc, as the image has it: install libjemalloc2');
  neighbour = await watchNeighbour(service);
  // A service that has read nothing holds none of what reading takes, and keeps: models, and the database's own memory.
  await ingest(ordinaryDocument);
  await pause(lengthOf(30_000, 0)); // reading threads end after twenty seconds
  neighbour.worstSince();
  await pause(1_000);
  Object.assign(idle, { ready: neighbour.worstSince().ready, rss: residentMiB(service.pid) });
});

afterAll(async () => {
  neighbour.stop();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ordinaryDocument = {
  document: Array.from({ length: 4_000 }, (_, day) => `On day ${day} we were ${3 + (day % 9)} for dinner.`).join(' '),
  document_type: 'document',
  user_id: 'ordinary',
};

const documentOf = ({ text, documentType = 'document' }: HostileDocument, userId: string, bytes = length) => ({
  document: Buffer.from(text(bytes)).subarray(0, bytes).toString(),
  document_type: documentType,
  user_id: userId,
});

/** How an ingestion ended, the status that refused it, or that it has not ended in time. */
async function ingest(document: object, ms = withinMs): Promise<string> {
  const accepted = await service.call('POST', '/v1/memories', document);
  if (!accepted.ingestion_id) return `${accepted.status} ${accepted.code}`;
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    const { status } = await service.call('GET', `/v1/memories/${accepted.ingestion_id}/status?wait=10`);
    if (status === 'completed' || status === 'failed') return status as string;
  }
  return 'has not ended';
}

const idOf = ({ name }: HostileDocument, n: number) => `${name.replaceAll(' ', '-')}-${n}`;
const told = (worst: Worst) => ({ ...worst, 'ready, × quiet': Math.round(worst.ready / idle.ready) });

test.each(hostileDocuments)(
  'a document of $name keeps no other tenant waiting, and ends in time that grows as its length',
  { timeout: withinMs * lengths.length },
  async (document) => {
    neighbour.worstSince();
    const times: number[] = [];
    for (const bytes of lengths) {
      const began = performance.now();
      const end = await ingest(documentOf(document, idOf(document, bytes), bytes));
      times.push(Math.round(performance.now() - began));
      expect(end).toMatch(/^(?:completed|failed|400 invalid_input)$/);
    }
    const worst = await neighbour.settled();
    const [shortest = 0, longest = 0] = [times[0], times.at(-1)];
    // Compared with no less than a fourth of what is long enough to be measured.
    const eachDoubling = (longest / Math.max(shortest, tooShort / 4)) ** (1 / Math.max(times.length - 1, 1));
    tell(`one of ${document.name}`, { ms: times.join(' '), 'each doubling': eachDoubling.toFixed(2), ...told(worst) });
    expect(worst.refusals).toBe(0);
    expect(worst.ready).toBeLessThanOrEqual(longestWait);
    if (times.length > 1) expect(eachDoubling).toBeLessThanOrEqual(growth);
  },
);

test.runIf(isProof).each(hostileDocuments)(
  'eight documents of $name at once keep no other tenant waiting',
  { timeout: watchedMs * 4 },
  async (document) => {
    neighbour.worstSince();
    const users = Array.from({ length: 8 }, (_, n) => idOf(document, n));
    const ends = await Promise.all(users.map((user) => ingest(documentOf(document, user), watchedMs)));
    for (const user of users) await service.call('DELETE', `/v1/users/${user}`);
    const worst = await neighbour.settled();
    const ended = ends.filter((end) => end !== 'has not ended').length;
    tell(`eight of ${document.name}`, { ended, ...told(worst) });
    expect(worst.refusals).toBe(0);
    expect(worst.ready).toBeLessThanOrEqual(longestWait);
  },
);

test('the memory that hostile documents took is given back', { timeout: 120_000 }, async () => {
  const peak = neighbour.peakRss();
  if (isProof) await pause(60_000);
  const rss = residentMiB(service.pid);
  tell('resident memory, MiB', { idle: idle.rss, peak, 'a minute later': rss });
  expect(peak).toBeLessThan(idle.rss + 600);
  if (isProof) expect(rss).toBeLessThan(idle.rss + 100);
});
