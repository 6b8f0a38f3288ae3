import { cpSync, mkdtempSync, openSync, closeSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { newPlace, startService, type Place, type ServiceProcess } from '../support/service-process.ts';
import { canMount, holdSmallDisk } from '../support/small-disk.ts';
import { lengthOf, seed, tell } from './length.ts';

const runs = lengthOf(20, 1);
/** The files of a new database take 65 of these; the rest is for what the documents of one run become. */
const diskMiB = 300;
/** What is left of the disk before documents come in, in MiB: below nine it ends in a table, above in the log of Postgres. */
const rooms = fc.sample(fc.integer({ min: 1, max: 16 }), { numRuns: runs, seed });

test.runIf(canMount)(
  'an embedded database whose disk is full: the service goes on once there is room, or ends and says why; nothing is lost',
  { timeout: 60_000 + runs * 180_000 },
  async () => {
    const told = { runs: 0, recovered: 0, endedWithReason: 0, neither: 0, accepted: 0, lost: 0 };
    for (const room of rooms) {
      const { outcome, accepted, lost } = await fillAndFree(room);
      told.runs += 1;
      told[outcome] += 1;
      told.accepted += accepted;
      told.lost += lost;
    }
    tell('embedded disk full', told);
    expect(told).toMatchObject({ runs, neither: 0, lost: 0 });
    expect(told.accepted).toBeGreaterThan(runs);
  },
);

interface Run {
  readonly outcome: 'recovered' | 'endedWithReason' | 'neither';
  /** Documents that were accepted, and those of them that are not remembered in the end. */
  readonly accepted: number;
  readonly lost: number;
}

/** One service on a disk of its own, which is filled until a document is refused, and then has room again. */
async function fillAndFree(roomMiB: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'presage-full-'));
  const disk = await holdSmallDisk({ folder: join(folder, 'data'), mib: diskMiB });
  const variables = { REQUESTS_PER_MINUTE: '1000000', REQUEST_BURST: '1000000' };
  const place: Place = { ...(await newPlace(folder)), within: disk.within, variables };
  let service: ServiceProcess | undefined;
  try {
    cpSync(inject('template'), disk.seenFromHere(join(folder, 'data')), { recursive: true }); // made once for all tests
    service = await startService(place);
    const ballast = disk.seenFromHere(join(folder, 'data', 'ballast'));
    fillUp(ballast, { leaveMiB: roomMiB });
    const accepted = await submitUntilRefused(service);
    rmSync(ballast);
    let outcome: Run['outcome'] = 'recovered';
    if (!(await isReadyAgain(service))) {
      const ending = await Promise.race([service.ended, pause(60_000, null)]);
      const isTold = /presage: the embedded database .*No space left.*Make room on its disk/.test(service.output());
      outcome = ending && ending.code !== 0 && isTold ? 'endedWithReason' : 'neither';
      if (!ending) await service.kill();
      service = await startService(place);
    }
    const deadline = Date.now() + 120_000;
    let lost = await missing(service, accepted);
    for (; lost > 0 && Date.now() < deadline; await pause(500)) lost = await missing(service, accepted);
    return { outcome, accepted: accepted.length, lost };
  } finally {
    await service?.kill().catch(() => undefined);
    await disk.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function fillUp(path: string, { leaveMiB }: { leaveMiB: number }): void {
  const file = openSync(path, 'w');
  const { bavail, bsize } = statfsSync(path);
  const mib = Buffer.alloc(1 << 20);
  for (let left = Math.floor((bavail * bsize) / mib.length) - leaveMiB; left > 0; left -= 1) writeSync(file, mib);
  closeSync(file);
}

/** Large documents, from several at a time; the ids of those that were accepted. */
async function submitUntilRefused(service: ServiceProcess): Promise<string[]> {
  const accepted: string[] = [];
  let refused = 0;
  const submit = async (user: number) => {
    while (refused < 20) {
      const document = `The code of crate ${accepted.length} is ${randomBytes(60_000).toString('hex')}.`;
      const body = { document, document_type: 'note', user_id: `u${user}` };
      const answer = await service.call('POST', '/v1/memories', body).catch(() => undefined);
      if (answer?.ingestion_id) accepted.push(answer.ingestion_id);
      else if (answer) expect(answer).toMatchObject({ status: 503 });
      if (!answer?.ingestion_id) refused += 1;
    }
  };
  await Promise.all([submit(0), submit(1), submit(2)]);
  return accepted;
}

/** Within ten seconds, and so that documents are accepted too. */
async function isReadyAgain(service: ServiceProcess): Promise<boolean> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(200)) {
    const sent = service.call('POST', '/v1/memories', {
      document: 'There is room.',
      document_type: 'note',
      user_id: 'u',
    });
    if ((await sent.catch(() => undefined))?.ingestion_id) return true;
  }
  return false;
}

/** How many are not remembered; one is asked for after the other, as a key may have only so many calls under way. */
async function missing(service: ServiceProcess, ids: readonly string[]): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const { status } = await service.call('GET', `/v1/memories/${id}/status`);
    if (status !== 'completed') count += 1;
  }
  return count;
}
