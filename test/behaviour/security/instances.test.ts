import { status } from '@grpc/grpc-js';
import { describe, expect, test, vi } from 'vitest';
import { requirePurgeReceipt, removePurgedData } from '../../../src/domain/administration/purge-instance.ts';
import { writeTransaction } from '../../../src/domain/invalidation/write-transaction.ts';
import type { InstanceId } from '../../../src/domain/ids.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { bumpInstanceRevision } from '../../../src/domain/tenancy/instance-store.ts';
import { brokenRules } from '../../support/consistency.ts';
import { openDoors } from '../../support/open-doors.ts';
import { day } from '../../support/person.ts';
import { begun, openClient } from '../grpc/open-client.ts';

const doors = openDoors();
const { world } = doors;

/** Tables that hold nothing of one instance. A new table has a column `i`, or stands here with a reason. */
const withoutInstance = [
  '_prisma_migrations',
  'admin_token',
  'client',
  'client_storage_peak',
  'dashboard_link',
  'dashboard_membership',
  'dashboard_session',
  'dashboard_user',
  'idempotency', // by key, and removed with the keys
  'metering_writer',
  'process',
  'service_key',
];

const rowsOf = async (instanceNumber: bigint): Promise<Record<string, number>> => {
  const tables = await tablesWith();
  const counts = await Promise.all(
    tables.map(async (table) => {
      const sql = `SELECT count(*)::int AS count FROM "${table}" WHERE i = $1`;
      const [row] = await world.deps.db.$queryRawUnsafe<{ count: number }[]>(sql, instanceNumber);
      return [table, row!.count] as const;
    }),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};
/** A task may roll samples up into buckets, and remove what was prefetched and expired, at any moment. */
const withoutTransient = (rows: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(rows).filter(([table]) => !table.startsWith('operation_') && table !== 'prefetched_context'),
  );
const tablesWith = async () => (await tables()).filter(({ i }) => i).map(({ name }) => name);
const tables = () =>
  world.deps.db.$queryRaw<{ name: string; i: boolean }[]>`
    SELECT relname::text AS name, EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'i') AS i
    FROM pg_class c WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1`;

/** Rows in as many tables as ordinary use fills. */
async function used(): Promise<{ key: string; access: Access; id: InstanceId }> {
  const { key, access, id } = await world.instance();
  const ada = await world.user('ada', { access, customer: 'acme' });
  await ada.says('My sister Dana Fairweather lives in Leeds. I always want short answers.', day(1), {
    metadata: { source: 'phone' },
    conversationId: 'one',
  });
  await ada.says('D. Fairweather moved to York. I am happy about that.', day(3));
  await ada.says('Dana Fairwether called from Leeds.', day(4), { mode: 'fast' });
  await ada.fetches('Where does Dana live?');
  const note = { document: 'Dana keeps bees.', document_type: 'note', user_id: 'ada', customer_id: 'acme' };
  await fetch(`${doors.baseUrl}/v1/memories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'k-1' },
    body: JSON.stringify(note),
  });
  const said = { role: 'user', content: 'Dana called.', user_id: 'ada', customer_id: 'acme' };
  await doors.send(key, 'POST', '/v1/conversations/one/messages', said);
  await doors.send(key, 'POST', '/v1/memories/batch', { documents: [note, { document: 7 }] });
  await world.settle();
  const [memory] = await ada.memories({ status: 'active' });
  await world.app.forgetMemory(access, memory!.id, { cascade: false });
  await world.deps.metering.flush(new Date());
  await world.deps.rateLimits.settle();
  return { key, access, id: id as InstanceId };
}

/** Purges as the job does, without its long wait for calls under way. */
async function removeAll(instanceNumber: bigint, quiet: number): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    const waitMs = await removePurgedData(world.deps, instanceNumber, { signal, quiet });
    if (waitMs === null) return;
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 100)));
  }
}

/** Only what was archived is purged. */
async function purge(id: string) {
  await world.app.administration.changeInstanceState(world.admin, { id, event: 'archive' });
  return (await world.app.administration.purgeInstance(world.admin, id)).receipt;
}

describe('a purged instance', () => {
  test('opens to nobody from the purge on, and its data key is gone', async () => {
    const { key, access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I live in Leeds.');
    using client = openClient(doors.grpcAddress);
    const stream = await begun(client.anticipate({ key }));

    const receipt = await purge(id);
    expect(receipt).toMatchObject({ completedAt: null, remaining: {} });
    expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(403);
    expect((await doors.ask(key, '{ memories { nodes { id } } }')).status).toBe(403);
    expect((await stream.ended).code).toBe(status.PERMISSION_DENIED);
    const late = client.anticipate({ key });
    expect((await late.ended).code).toBe(status.PERMISSION_DENIED);
    await expect(world.app.accessAsAdmin(world.admin, id as InstanceId)).rejects.toMatchObject({ code: 'not_found' });

    const { dataKey, masterKeyId } = await world.deps.db.instance.findUniqueOrThrow({
      where: { instanceNumber: access.instanceNumber },
    });
    await expect(world.deps.keyRing.keysOf(id, { bytes: dataKey, masterKeyId })).rejects.toThrow(Error);
    const again = await world.app.administration.purgeInstance(world.admin, id);
    expect(again.receipt.id).toBe(receipt.id); // once and no more
  });

  test('leaves no row in any table, also in one that nobody thought of, and a receipt that counts them', async () => {
    const { key, access, id } = await used();
    const neighbour = await world.user('eve');
    await neighbour.says('My brother Tom Harker lives in Bath.');
    const theirs = await rowsOf(neighbour.access.instanceNumber);
    await world.deps.db.$executeRawUnsafe('CREATE TABLE made_later (i bigint, word text)');
    await world.deps.db.$executeRaw`INSERT INTO made_later SELECT i, 'word' FROM instance, generate_series(1, 1200)
      WHERE i IN (${access.instanceNumber}, ${neighbour.access.instanceNumber})`;
    const before = await rowsOf(access.instanceNumber);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'memory',
        'memory_vector',
        'entity',
        'conversation',
        'usage',
        'rate_limit',
        'batch',
        'receipt',
      ]),
    );
    const actor = (await world.deps.db.apiKey.findMany({ where: { instanceNumber: access.instanceNumber } })).map(
      (row) => `key/${row.id}`,
    );
    expect(await world.deps.db.idempotency.count({ where: { actor: { in: actor } } })).toBe(1);

    await purge(id);
    const stopped = new AbortController();
    stopped.abort();
    await removePurgedData(world.deps, access.instanceNumber, { signal: stopped.signal, quiet: 0 });
    await removeAll(access.instanceNumber, 0);

    const { completedAt, removed, remaining } = await requirePurgeReceipt(world.deps.db, id);
    expect(completedAt).not.toBeNull();
    expect(Object.values(remaining).filter((count) => count !== 0)).toEqual([]);
    expect(Object.keys(remaining)).toContain('made_later');
    const { instance: _, audit, usage, storage_peak: peak, job: __, ...gone } = before;
    const { usage: figures = 0, ...rest } = removed; // what is not charged for
    expect(withoutTransient(rest)).toEqual(withoutTransient(gone));

    const { job: ___, ...left } = await rowsOf(access.instanceNumber); // its own job may end at any moment
    expect(left).toEqual({
      instance: 1,
      audit: audit! + 2, // archived, then purged
      usage: usage! - figures,
      ...(peak ? { storage_peak: peak } : {}),
      receipt: 1,
    });
    expect(
      await world.deps.db.audit.count({ where: { instanceNumber: access.instanceNumber, after: { not: null } } }),
    ).toBe(0);
    expect(await world.deps.db.idempotency.count({ where: { actor: { in: actor } } })).toBe(0);
    expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(401);
    await world.deps.db.$executeRawUnsafe('DROP TABLE made_later');
    expect(withoutTransient(await rowsOf(neighbour.access.instanceNumber))).toEqual(withoutTransient(theirs));
    expect(await neighbour.recalls('Where does Tom live?')).not.toEqual([]);
  });

  test('also while it is written to and read: nothing survives, and its neighbours notice nothing', async () => {
    const { key, access, id } = await used();
    const neighbour = await world.instance();
    const eve = await world.user('eve', { access: neighbour.access });
    const over = new AbortController();
    const told = { victim: new Set<number>(), neighbour: new Set<number>() };
    const go = async (whose: 'victim' | 'neighbour', credential: string, n: number) => {
      for (; !over.signal.aborted; n += 10) {
        const note = {
          document: `Parcel ${n} went to Ulverston with Ira Penhallow.`,
          document_type: 'note',
          user_id: 'ada',
        };
        for (const answer of [
          await doors.send(credential, 'POST', '/v1/memories', note),
          await doors.send(credential, 'POST', '/v1/context/fetch', { search_queries: ['parcels'], user_id: 'ada' }),
        ])
          told[whose].add(answer.status);
      }
    };
    const going = [0, 1, 2].map((n) => go('victim', key, n)).concat(go('neighbour', neighbour.key, 3));
    const patience = { timeout: 30_000 };
    await vi.waitFor(() => expect([told.victim.size, told.neighbour.size]).toEqual([2, 2]), patience);
    await purge(id);
    await vi.waitFor(() => expect(told.victim).toContain(403), patience);
    expect(told.neighbour).toEqual(new Set([202, 200]));
    told.neighbour.clear();
    await vi.waitFor(() => expect(told.neighbour.size).toBe(2), patience);
    over.abort();
    await Promise.all(going);
    await removeAll(access.instanceNumber, 1_500);

    expect(told.victim).toEqual(new Set([202, 200, 403]));
    expect(told.neighbour).toEqual(new Set([202, 200])); // since the purge
    const left = await rowsOf(access.instanceNumber);
    expect(
      Object.keys(left).filter(
        (table) => !['instance', 'audit', 'usage', 'storage_peak', 'receipt', 'job'].includes(table),
      ),
    ).toEqual([]);
    expect(left['job'] ?? 0).toBeLessThanOrEqual(1); // the purge's own
    while (await world.deps.db.job.count({ where: { instanceNumber: neighbour.access.instanceNumber } }))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await brokenRules(world.deps, eve.access)).toEqual({});
  });

  test('every table holds rows of instances, or is known to hold none', async () => {
    const others = (await tables()).filter(({ i }) => !i).map(({ name }) => name);
    expect(others).toEqual(withoutInstance);
  });

  test('a viewer purges nothing', async () => {
    const { id, key } = await world.instance();
    const viewer = { ...world.admin, role: 'viewer' } as const;
    expect(() => world.app.administration.purgeInstance(viewer, id)).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
    expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(200);
  });
});

describe('an instance of another region', () => {
  test('is told where to go, at every door', async () => {
    const { key, access, id } = await world.instance();
    using client = openClient(doors.grpcAddress);
    const open = await begun(client.anticipate({ key }));
    await writeTransaction(world.deps, async (tx) => {
      await tx.instance.update({ where: { instanceNumber: access.instanceNumber }, data: { region: 'eu-west' } });
      await bumpInstanceRevision(tx, access.instanceNumber);
    });

    const rest = await doors.send(key, 'GET', '/v1/memories');
    expect(rest.json()).toMatchObject({ status: 421, code: 'misdirected', region: 'eu-west' });
    expect(rest.status).toBe(421);
    const graphql = await doors.ask(key, '{ memories { nodes { id } } }');
    expect([graphql.status, graphql.json().errors[0].extensions.code]).toEqual([421, 'misdirected']);
    for (const stream of [client.anticipate({ key }), open]) {
      const { code, metadata } = await stream.ended;
      expect([code, metadata.get('presage-error-code')]).toEqual([status.FAILED_PRECONDITION, ['misdirected']]);
    }
    const asAdmin = world.app.accessAsAdmin(world.admin, id as InstanceId);
    await expect(asAdmin).rejects.toMatchObject({ code: 'misdirected' });
    // Its vectors are in a store of that region, where this process removes nothing.
    await world.deps.db.instance.update({
      where: { instanceNumber: access.instanceNumber },
      data: { state: 'archived' },
    });
    const purging = world.app.administration.purgeInstance(world.admin, id);
    await expect(purging).rejects.toMatchObject({ code: 'misdirected' });
  });
});
