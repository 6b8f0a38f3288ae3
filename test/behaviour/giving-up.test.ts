import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ingestDocumentJob } from '../../src/jobs/ingest-document.ts';
import type { JobDefinition } from '../../src/jobs/job.ts';
import { leaseJob, type JobName } from '../../src/jobs/queue.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import type { Db } from '../../src/db/database.ts';
import { DomainError } from '../../src/domain/errors.ts';
import { newUuid } from '../../src/domain/ids.ts';
import type { Submission } from '../../src/domain/ingestion/ingestion.ts';
import { createTelemetry } from '../../src/telemetry.ts';
import { submitHeld } from '../support/submit-held.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();
type Row = Awaited<ReturnType<Db['job']['findMany']>>[number];

test.each([
  { case: 'after many tries that ended with a word, it goes on', past: { attempt: 100 }, status: 'completed' },
  {
    case: 'after four tries that failed of themselves, it is tried once more',
    past: { failures: 4 },
    status: 'completed',
  },
  {
    case: 'after two workers that ended at it, it is tried once more',
    past: { workerCrashes: 2 },
    status: 'completed',
  },
  { case: 'after three workers that ended at it, it is given up', past: { workerCrashes: 3 }, status: 'failed' },
])('a document: $case', async ({ past, status }) => {
  const ada = await world.user('ada');
  const document = { document: 'I keep ducks.', documentType: 'note', mode: 'fast', ...ada.named } as const;
  const { id } = await submitHeld(world.deps, ada.access, document);
  await world.deps.db.job.updateMany({
    where: { instanceNumber: ada.access.instanceNumber },
    data: { ...past, runAt: new Date(0) },
  });
  world.deps.wake();
  await world.settle();
  expect(await world.app.ingestion(ada.access, id)).toMatchObject({ status });
});

/** A document that was given up, after workers had ended at it. */
async function givenUp(more: Pick<Submission, 'documentId' | 'ifExists'> = {}) {
  const ada = await world.user('ada');
  const document = { document: 'I keep ducks.', documentType: 'note', mode: 'fast', ...ada.named, ...more } as const;
  const { id } = await submitHeld(world.deps, ada.access, document);
  await world.deps.db.job.updateMany({
    where: { instanceNumber: ada.access.instanceNumber },
    data: { workerCrashes: 3, runAt: new Date(0) },
  });
  world.deps.wake();
  await world.settle();
  expect(await world.app.ingestion(ada.access, id)).toMatchObject({ status: 'failed' });
  return { ada, document, id };
}

test('a document that was given up is tried again when it is asked for, and once', async () => {
  const { ada, document, id } = await givenUp({ documentId: 'ducks' });
  const retried = await Promise.all([1, 2].map(() => world.app.retryIngestion(ada.access, id)));
  for (const each of retried) expect(each).toMatchObject({ id, documentId: 'ducks', error: null });
  await world.settle();
  const { memoryIds } = await world.app.ingestion(ada.access, id);
  const { data } = await world.app.memories(ada.access, {}, { limit: 100 });
  expect(data.map((memory) => memory.id).toSorted(), 'it ran once').toEqual(memoryIds.toSorted());
  expect(memoryIds).not.toEqual([]);
  await expect(world.app.submit(ada.access, document), 'it has its id again').rejects.toMatchObject({
    code: 'duplicate_document',
  });
  expect(await world.app.retryIngestion(ada.access, id)).toMatchObject({ status: 'completed', memoryIds });
});

test('a document that was given up stays so once another one has its id', async () => {
  const { ada, document, id } = await givenUp({ documentId: 'ducks' });
  const other = await world.app.submit(ada.access, document);
  await expect(world.app.retryIngestion(ada.access, id)).rejects.toMatchObject({
    code: 'duplicate_document',
    details: { ingestion_id: other.id },
  });
  expect(await world.app.ingestion(ada.access, id)).toMatchObject({ status: 'failed' });
  await world.settle();
});

/** The job of a document that a worker has leased so many times; `of` finds it. */
async function documentUnderWay(attempt: number) {
  const ada = await world.user('ada');
  const document = { document: 'I keep ducks.', documentType: 'note', mode: 'fast', ...ada.named } as const;
  await submitHeld(world.deps, ada.access, document);
  const of = { instanceNumber: ada.access.instanceNumber };
  await world.deps.db.job.updateMany({ where: of, data: { attempt, lockedUntil: new Date(Date.now() + 60_000) } });
  const [row] = await world.deps.db.job.findMany({ where: of });
  return { of, row: row! };
}

test.each([
  { case: 'an outage', error: new DomainError('unavailable', 'away'), past: { attempt: 6, failures: 0 } },
  { case: 'a fault of its own', error: new Error('wrong'), past: { attempt: 6, failures: 1 } },
])('a document that was under way for the sixth time is not given up: $case', async ({ error, past }) => {
  const { of, row } = await documentUnderWay(6);
  const definition = { ...ingestDocumentJob, handler: () => Promise.reject(error) } as never as JobDefinition;
  await runJob({ ...runOf(row), definition });
  expect(await world.deps.db.job.findMany({ where: of })).toMatchObject([{ ...past, lockedUntil: null }]);
  await world.deps.db.job.deleteMany({ where: of });
});

test('a job is put back once the database is there again', async () => {
  const { of, row } = await documentUnderWay(1);
  const away = new DomainError('unavailable', 'away');
  let refused = 0;
  const $executeRaw: Db['$executeRaw'] = (...statement) =>
    (refused++ < 2 ? Promise.reject(away) : world.deps.db.$executeRaw(...statement)) as never;
  const db = new Proxy(world.deps.db, {
    get: (target, name) => (name === '$executeRaw' ? $executeRaw : Reflect.get(target, name)),
  });
  const definition = { ...ingestDocumentJob, handler: () => Promise.reject(away) } as never as JobDefinition;
  await runJob({ ...runOf(row), deps: { ...world.deps, db }, definition });
  expect(refused).toBe(3);
  expect(await world.deps.db.job.findMany({ where: of })).toMatchObject([
    { failures: 0, workerCrashes: 0, lockedUntil: null },
  ]);
  await world.deps.db.job.deleteMany({ where: of });
});

/** A run of this job by a worker that nobody stops. */
const runOf = ({ queue, ...row }: Row) => ({
  deps: world.deps,
  telemetry: createTelemetry({ level: 'silent', process: 'test' }),
  stopping: { asked: new AbortController().signal, overdue: new AbortController().signal },
  job: { ...row, name: queue as JobName },
});

test('a worker that gives up a document which another has taken over leaves it to that one', async () => {
  const ada = await world.user('ada');
  const document = { document: 'I keep ducks.', documentType: 'note', mode: 'fast', ...ada.named } as const;
  const { id } = await submitHeld(world.deps, ada.access, document);
  const { deps } = world;
  const [row] = await deps.db.job.findMany({ where: { instanceNumber: ada.access.instanceNumber } });
  const payload = row!.payload as { ingestionId: string };
  const job = {
    id: row!.id,
    instanceNumber: row!.instanceNumber,
    attempt: row!.attempt - 1,
    name: 'ingest-document',
    payload,
  } as never;
  const telemetry = createTelemetry({ level: 'silent', process: 'test' });
  await ingestDocumentJob.deadLetter!({ deps, telemetry, job } as never, 'it cannot be read');
  expect(await world.app.ingestion(ada.access, id)).toMatchObject({ status: 'queued', error: null });
  await deps.db.job.updateMany({
    where: { instanceNumber: ada.access.instanceNumber },
    data: { runAt: new Date(0), lockedUntil: null },
  });
  deps.wake();
  await world.settle();
  expect(await world.app.ingestion(ada.access, id)).toMatchObject({ status: 'completed' });
});

test('a job at which worker after worker ends lets those pass that wait', async () => {
  const { db } = world.deps;
  const { access } = await world.instance();
  const queue = 'of this test' as JobName; // which no worker looks into
  const names = new Map(['first', 'second', 'third'].map((name) => [newUuid(), name]));
  for (const [n, id] of [...names.keys()].entries()) {
    await db.job.create({
      data: { id, queue, instanceNumber: access.instanceNumber, payload: {}, runAt: new Date(n) },
    });
  }
  const taken: (string | undefined)[] = [];
  const over = -1_000; // as the lease of a worker that ended
  for (let n = 0; n < 7; n++) {
    taken.push(names.get((await leaseJob(db, queue, { forMs: over }))!.id));
    await pause(2); // times in the table are in milliseconds
  }
  expect(taken).toEqual(['first', 'first', 'second', 'second', 'third', 'third', 'first']);
});

test('a job of another instance is not kept waiting by those that one instance sent before', async () => {
  const { db } = world.deps;
  const queue = 'of the test of turns' as JobName; // which no worker looks into
  const [busy, other] = [
    (await world.instance()).access.instanceNumber,
    (await world.instance()).access.instanceNumber,
  ];
  const send = (instanceNumber: bigint, n: number) =>
    db.job.create({ data: { id: newUuid(), queue, instanceNumber, payload: {}, runAt: new Date(n) } });
  for (let n = 0; n < 6; n++) await send(busy, n);
  const taken = [(await leaseJob(db, queue))!.instanceNumber, (await leaseJob(db, queue))!.instanceNumber];
  await send(other, 10);
  taken.push(
    (await leaseJob(db, queue))!.instanceNumber,
    (await leaseJob(db, queue))!.instanceNumber,
    (await leaseJob(db, queue))!.instanceNumber,
  );
  expect(taken).toEqual([busy, busy, other, busy, busy]);
});

test('a job whose payload is of another release waits for a worker that can read it', async () => {
  const { db } = world.deps;
  const { access } = await world.instance();
  const [id, payload] = [newUuid(), { document: 'of another release' }];
  await db.job.create({
    data: {
      id,
      queue: 'ingest-document',
      instanceNumber: access.instanceNumber,
      payload,
      attempt: 100,
      runAt: new Date(0),
    },
  });
  const waiting = { attempt: 101, lockedUntil: null, payload };
  await expect.poll(() => db.job.findUnique({ where: { id } })).toMatchObject(waiting);
  await db.job.delete({ where: { id } });
});
