import { expect, test } from 'vitest';
import { Metering } from '../../../src/domain/metering/metering.ts';
import { timeBuckets, namesAtMost } from '../../../src/domain/metering/operations.ts';
import { rollUp } from '../../../src/domain/metering/roll-up.ts';
import { openDoors } from '../../support/open-doors.ts';
import { openClient, says, start } from '../grpc/open-client.ts';

const doors = openDoors();
const { world } = doors;
const never = new AbortController().signal;

const latency = async (key: string, query: string) =>
  (await doors.send(key, 'GET', `/v1/analytics/latency?${query}`)).json();
const operations = async (key: string) => {
  const { data } = (await doors.send(key, 'GET', '/v1/analytics/operations?bucket=minute')).json();
  return Object.fromEntries(
    data.map(({ operation, variant, ...figures }: any) => [`${operation}/${variant}`, figures]),
  ) as Record<string, any>;
};

/** One more process on the same database. */
const another = (now = () => new Date()) => {
  const nothing = async () => undefined;
  return new Metering({
    db: world.deps.db,
    now,
    usageWriters: { saveAccesses: nothing, saveUserCalls: nothing, saveUses: nothing },
  });
};

test('a fetch is measured by its mode and source, with what it returned, and a failed one as an error', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.', new Date());
  const body = { search_query: 'Where do I live?', user_id: 'ada' };
  for (const mode of ['fast', 'fast', 'accurate'])
    expect(
      (await doors.send(key, 'POST', '/v1/context/fetch', { ...body, mode })).json().memories.length,
    ).toBeGreaterThan(0);
  await doors.send(key, 'POST', '/v1/context/fetch', {
    search_query: 'Where?',
    mode: 'fast',
    conversation_id: 'never-seen',
  });

  const all = await latency(key, 'operation=context_fetch&bucket=minute');
  expect(all).toMatchObject({ operation: 'context_fetch', variant: null, bucket: 'minute' });
  const sum = (name: string, { series } = all) => series.reduce((total: number, each: any) => total + each[name], 0);
  expect([sum('count'), sum('errors')]).toEqual([4, 1]);
  expect(sum('items')).toBeGreaterThanOrEqual(3);
  for (const { p50, p90, p95, p99, max } of all.series.filter((point: any) => point.p50 !== null)) {
    expect(p50).toBeGreaterThan(0);
    expect([p50, p90, p95, p99, max]).toEqual([p50, p90, p95, p99, max].toSorted((a, b) => a - b));
  }
  expect(sum('count', await latency(key, 'operation=context_fetch&bucket=day&variant=accurate'))).toBe(1);
  expect(sum('count', await latency(key, 'operation=context_fetch&bucket=day&variant=fast/store'))).toBe(2);
  expect(sum('count', await latency(key, 'operation=context_fetch&bucket=day&variant=anticipation'))).toBe(0);
});

test('ingestions, compactions, streams and GraphQL operations are measured, each as what it is', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.', new Date(Date.now() - 86_400_000), { conversationId: 'harbour' });
  await ada.says('I moved to York.', new Date());
  await doors.send(key, 'POST', '/v1/conversations/harbour/messages', {
    user_id: 'ada',
    messages: [{ role: 'user', content: 'Never call me before nine.' }],
  });
  await doors.send(key, 'POST', '/v1/context/compact', { conversation_id: 'harbour', strategy: 'balanced' });
  await doors.ask(key, 'query Dashboard { memories { nodes { id } } }');
  await doors.ask(key, '{ memories { nodes { id } } }');
  await doors.ask(key, 'query Wrong { memory(id: "mem_nothing") { id } ingestion(id: "ing_nothing") { id } }');
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key });
  stream.send(start(), says('Where do I live?'));
  while (!(await stream.next())!.bundle);
  stream.hangUp();
  await stream.ended;

  const told = await operations(key);
  // The third is of the message, which is read before it is compacted; superseded are the fact, and the passage that says nothing else.
  expect(told['ingest/long-range']).toMatchObject({ count: 3, errors: 0, superseded: 2 });
  expect(told['ingest/long-range'].items).toBeGreaterThan(0);
  expect(told['compact/balanced']).toMatchObject({ count: 1, errors: 0 });
  expect(told['graphql/Dashboard']).toMatchObject({ count: 1, errors: 0 });
  expect(told['graphql/anonymous']).toMatchObject({ count: 1 });
  const answered = told['stream/message'] ?? told['stream/session_start']; // what came together is answered together
  expect(answered).toMatchObject({ count: 1, errors: 0 });
  expect(answered.items).toBeGreaterThan(0);
});

test('what several processes measured is added once, whether a job has rolled it up or not', async () => {
  const { access, key } = await world.instance();
  const at = new Date();
  const [one, other] = [another(() => at), another(() => at)];
  for (let ms = 1; ms <= 100; ms++)
    (ms % 2 ? one : other).measure(access.instanceNumber, 'compact', { variant: 'balanced', ms });
  await Promise.all([one.flush(at), other.flush(at)]);
  const figures = { count: 100, p50: expect.closeTo(50, 0), max: 100 };
  for (const rolled of [false, true, true]) {
    if (rolled) await Promise.all([rollUp(world.deps, never), rollUp(world.deps, never)]);
    for (const bucket of ['minute', 'hour', 'day'])
      expect((await latency(key, `operation=compact&bucket=${bucket}`)).series).toEqual([
        expect.objectContaining(figures),
      ]);
  }
  one.measure(access.instanceNumber, 'compact', { variant: 'balanced', ms: 500 });
  await one.flush(at);
  await rollUp(world.deps, never);
  expect((await latency(key, 'operation=compact&bucket=day')).series).toEqual([
    expect.objectContaining({ count: 101, max: 500 }),
  ]);
});

test('minutes are kept for 48 hours, hours for 60 days, days for two years', async () => {
  const { access } = await world.instance();
  const at = Date.now();
  for (const days of [0, 1, 3, 59, 61, 729, 735]) {
    const then = new Date(at - days * timeBuckets.day.ms);
    const metering = another(() => then);
    metering.measure(access.instanceNumber, 'compact', { variant: 'balanced', ms: 1 });
    await metering.flush(then);
  }
  await rollUp(world.deps, never);
  const rows = await world.deps.db.operationBucket.groupBy({
    by: ['bucket'],
    where: { instanceNumber: access.instanceNumber },
    _count: true,
  });
  expect(Object.fromEntries(rows.map(({ bucket, _count }) => [bucket, _count]))).toEqual({
    minute: 2,
    hour: 4,
    day: 6,
  });
  expect(await world.deps.db.operationSample.count({ where: { instanceNumber: access.instanceNumber } })).toBe(0);
});

test('names that callers give are sealed, and few and short however many they send', async () => {
  const { access, key } = await world.instance();
  const app = world.app;
  const call = (name: string) => app.measureOperation(access, { name, ms: 1, isError: false });
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < namesAtMost; n++) call(`Round${round}Jinglethorpe${n}`);
    call('L'.repeat(1_000));
    await world.deps.metering.flush(new Date());
    await rollUp(world.deps, never);
  }
  const told = await operations(key);
  const names = Object.keys(told);
  expect(names.length).toBeLessThanOrEqual(namesAtMost + 1);
  expect(names).toContain('graphql/Round0Jinglethorpe7');
  expect(Object.values(told).reduce((sum, { count }) => sum + count, 0)).toBe(3 * (namesAtMost + 1));
  const rows = await world.deps.db.operationBucket.findMany({ where: { instanceNumber: access.instanceNumber } });
  expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value))).not.toContain(
    'Jingle',
  );
});

test('a time that is none, or too long, is named', async () => {
  const { key } = await world.instance();
  const refused = async (query: string) => {
    const { status, errors } = await latency(key, query);
    return [status, errors.map(({ field }: any) => field)];
  };
  expect(await refused('bucket=hour')).toEqual([400, ['operation']]);
  expect(await refused('operation=sleep')).toEqual([400, ['operation']]);
  expect(await refused('operation=ingest&bucket=week')).toEqual([400, ['bucket']]);
  expect(await refused('operation=ingest&from=2026-02-02&to=2026-02-01')).toEqual([400, ['from']]);
  expect(await refused('operation=ingest&bucket=minute&from=2026-01-01&to=2026-02-01')).toEqual([400, ['from']]);
  expect(await refused('operation=ingest&to=0001-01-01')).toEqual([400, ['to']]);
  expect((await latency(key, 'operation=ingest&bucket=day&from=2024-06-01&to=2026-05-31')).series).toEqual([]);
});

test('more figures than are added up for one call are refused, and a shorter time is told', async () => {
  const { access, key } = await world.instance();
  const end = Date.parse('2026-03-02');
  await world.deps.db.$executeRaw`
    INSERT INTO operation_bucket (i, bucket, operation, start, variant, count, errors, items, discarded, superseded, max_ms)
    SELECT ${access.instanceNumber}, 'minute', 'compact', ${new Date(end)}::timestamptz - minute * interval '1 minute', variant, 1, 0, 0, 0, 0, 1
    FROM generate_series(1, 2880) AS minute, unnest(${Array.from({ length: 18 }, (_, n) => `variant ${n}`)}::text[]) AS variant`;
  const query = (hours: number) =>
    `bucket=minute&from=${new Date(end - hours * 3_600_000).toISOString()}&to=${new Date(end).toISOString()}`;
  for (const path of ['latency?operation=compact&', 'operations?']) {
    const answer = (hours: number) => doors.send(key, 'GET', `/v1/analytics/${path}${query(hours)}`);
    expect((await answer(48)).json()).toMatchObject({ status: 400, errors: [{ field: 'from' }] });
    expect((await answer(1)).status).toBe(200);
  }
});

test('nobody is told what another instance does, and a dashboard reads all by GraphQL', async () => {
  const { access, key, id } = await world.instance();
  const stranger = await world.instance();
  world.deps.metering.measure(access.instanceNumber, 'compact', { variant: 'balanced', ms: 3 });
  expect((await latency(stranger.key, 'operation=compact')).series).toEqual([]);
  const query = `query Latency { instance(id: "${id}") {
    latency(operation: COMPACT, variant: "balanced", bucket: DAY) { start count errors p50 p99 max }
    operations(bucket: DAY) { operation variant count }
    monthlyUsage { apiCalls adminCalls tokens { purpose } memoriesPeak }
  } }`;
  const { data } = (await doors.ask(key, query)).json();
  expect(data.instance.latency).toEqual([expect.objectContaining({ count: 1, errors: 0, max: 3 })]);
  expect(data.instance.operations).toContainEqual({ operation: 'COMPACT', variant: 'balanced', count: 1 });
  expect(data.instance.monthlyUsage).toMatchObject({ apiCalls: 1, adminCalls: 0, tokens: [] });
  expect((await doors.ask(stranger.key, query)).json().data).toEqual({ instance: null });
});
