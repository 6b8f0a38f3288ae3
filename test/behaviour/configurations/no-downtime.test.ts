import { expect, test } from 'vitest';
import { firstConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { openAdmin } from './open-admin.ts';

const administered = openAdmin();
const { world } = administered;
const admin = administered.as('admin');

/** An answer, with the version that it says it began with and the one that was in force when it was asked for. */
interface Answered {
  readonly status: number;
  readonly version: number;
  readonly asked: number;
  readonly count: number;
}

const changes = 50;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test(`${changes} applies and rollbacks under load: no request fails, and each is of exactly one version`, async () => {
  const { key, id, access } = await world.instance();
  const path = `/instances/${id}/configurations`;
  const ada = await world.user('ada', { access });
  const things = ['kayak', 'canoe', 'tent', 'stove', 'lamp', 'rope', 'map'];
  for (const thing of things) await ada.says(`I own a ${thing}.`);

  // How many memories an answer has tells the settings it was made with; the header tells their version.
  const expected = new Map([[1, firstConfiguration.retrieval.max_results]]);
  let inForce = 1;
  const order = [inForce];
  const over = new AbortController();
  const answers: Answered[] = [];
  const submitted: { ingestion: string; version: number }[] = [];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (to: string, body: object) =>
    fetch(administered.baseUrl + to, { method: 'POST', headers, body: JSON.stringify(body) });

  async function keepFetching() {
    while (!over.signal.aborted) {
      const asked = inForce;
      const response = await post('/v1/context/fetch', { search_queries: ['What do I own?'], user_id: 'ada' });
      const { memories } = (await response.json()) as { memories: unknown[] };
      const version = Number(response.headers.get('x-config-version'));
      answers.push({ status: response.status, version, asked, count: memories?.length });
      await pause(10);
    }
  }
  async function keepTelling() {
    for (let n = 0; !over.signal.aborted; n++) {
      const document = { document: `I like song ${n}.`, document_type: 'note', user_id: 'bob', mode: 'fast' };
      const response = await post('/v1/memories', document);
      expect(response.status).toBe(202);
      const { ingestion_id: ingestion } = (await response.json()) as { ingestion_id: string };
      submitted.push({ ingestion, version: Number(response.headers.get('x-config-version')) });
      await pause(50);
    }
  }
  const approved: number[] = [];
  const asAdmin = await world.app.accessAsAdmin(world.admin, access.instance);
  for (let n = 0; n < changes / 2; n++) {
    const max_results = 1 + (n % 5);
    const configuration = { ...firstConfiguration, retrieval: { ...firstConfiguration.retrieval, max_results } };
    const { version } = await world.app.configuring.init(asAdmin, { configuration });
    await world.app.configuring.submit(asAdmin, { version });
    await world.app.configuring.review(asAdmin, { version, decision: 'approve' });
    expected.set(version, max_results);
    approved.push(version);
  }

  const load = [keepFetching(), keepFetching(), keepTelling()];
  for (const next of approved) {
    for (const step of [
      () => admin('POST', `${path}/${next}/apply`, { over: inForce }),
      () => admin('POST', `${path}/rollback`),
    ]) {
      const told = await step();
      expect([told.status, told.text]).toEqual([200, told.text]);
      const { version, configuration } = told.json();
      expected.set(version, configuration.retrieval.max_results);
      inForce = version;
      order.push(version);
    }
  }
  over.abort();
  await Promise.all(load);
  await world.settle();

  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(new Set(answers.map(({ version }) => version)).size).toBeGreaterThan(5);
  for (const { version, count, asked } of answers) {
    expect([version, count]).toEqual([version, Math.min(expected.get(version)!, things.length)]);
    expect(order.indexOf(version)).toBeGreaterThanOrEqual(order.indexOf(asked)); // what was in force before it was asked is seen at once
  }
  for (const { ingestion, version } of submitted) {
    const { memoryIds } = await world.app.ingestion(access, ingestion);
    const memories = await world.app.memoriesByIds(access, memoryIds);
    expect(memories.map((memory) => memory?.configurationVersion)).toEqual(memoryIds.map(() => version));
  }
  const versions = await world.app.configurations(access);
  expect(versions.length).toBe(1 + changes);
  expect(versions.filter(({ state }) => state === 'active').map(({ version }) => version)).toEqual([inForce]);
  expect(await world.d.db.event.count({ where: { i: access.i, type: 'config.applied' } })).toBe(changes);
}, 120_000);
