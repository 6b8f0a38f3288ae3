import { expect } from 'vitest';
import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';

/** One instance, new and served at each of these addresses. */
export interface Served {
  readonly urls: readonly [string, ...string[]];
  readonly key: string;
  readonly adminToken: string;
  readonly instance: string;
}

/** An answer, with the version that it says it began with and the one that was in force when it was asked for. */
interface Answered {
  readonly status: number;
  readonly version: number;
  readonly asked: number;
  readonly count: number;
}

/** Applies and rollbacks, by turns. */
export const changes = 50;
const things = ['kayak', 'canoe', 'tent', 'stove', 'lamp', 'rope', 'map'];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Applies and rolls back, at one address after the other, while agents fetch and tell at all of them. Expects that no
 * request fails, and that each is explained by exactly one version, which is no older than when it was asked.
 */
export async function expectNoDowntime({ urls, key, adminToken, instance }: Served) {
  let turn = 0;
  const send = (credential: string, method: string, path: string, body?: object) =>
    fetch(urls[turn++ % urls.length] + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const asAdmin = async (method: string, path: string, body?: object) => {
    const response = await send(adminToken, method, `/v1/admin/instances/${instance}/configurations${path}`, body);
    const told = (await response.json()) as Record<string, any>;
    expect([path, response.status < 300, told]).toEqual([path, true, told]);
    return told;
  };
  const tell = (document: string, user_id: string) =>
    send(key, 'POST', '/v1/memories', { document, document_type: 'note', user_id, mode: 'fast' });
  const versionOf = (response: Response) => Number(response.headers.get('x-config-version'));
  const ended = async (ingestion: string) =>
    (await (await send(key, 'GET', `/v1/memories/${ingestion}/status?wait=30`)).json()) as Record<string, any>;

  for (const thing of things) {
    const { ingestion_id: id } = (await (await tell(`I own a ${thing}.`, 'ada')).json()) as Record<string, string>;
    expect(await ended(id!)).toMatchObject({ status: 'completed' });
  }
  // How many memories an answer has tells the settings it was made with; the header tells their version.
  const expected = new Map([[1, defaultConfiguration.retrieval.max_results]]);
  const approved: number[] = [];
  for (let n = 0; n < changes / 2; n++) {
    const max_results = 1 + (n % 5);
    const configuration = { ...defaultConfiguration, retrieval: { ...defaultConfiguration.retrieval, max_results } };
    const { version } = await asAdmin('POST', '', { configuration });
    await asAdmin('POST', `/${version}/submit`, {});
    await asAdmin('POST', `/${version}/review`, { decision: 'approve' });
    expected.set(version, max_results);
    approved.push(version);
  }

  let inForce = 1;
  const order = [inForce];
  const over = new AbortController();
  const answers: Answered[] = [];
  const submitted: { ingestion: string; status: number; version: number }[] = [];
  async function keepFetching() {
    while (!over.signal.aborted) {
      const asked = inForce;
      const response = await send(key, 'POST', '/v1/context/fetch', {
        search_queries: ['What do I own?'],
        user_id: 'ada',
      });
      const { memories } = (await response.json()) as { memories: unknown[] };
      answers.push({ status: response.status, version: versionOf(response), asked, count: memories?.length });
      await pause(10);
    }
  }
  async function keepTelling() {
    for (let n = 0; !over.signal.aborted; n++) {
      const response = await tell(`I like song ${n}.`, 'bob');
      const { ingestion_id: ingestion } = (await response.json()) as { ingestion_id: string };
      submitted.push({ ingestion, status: response.status, version: versionOf(response) });
      await pause(50);
    }
  }
  const load = [keepFetching(), keepFetching(), keepTelling()];
  try {
    for (const next of approved) {
      for (const change of [
        () => asAdmin('POST', `/${next}/apply`, { expected_active_version: inForce }),
        () => asAdmin('POST', '/rollback'),
      ]) {
        const { version, configuration } = await change();
        expected.set(version, configuration.retrieval.max_results);
        inForce = version;
        order.push(version);
      }
    }
  } finally {
    over.abort();
    await Promise.allSettled(load);
  }
  await Promise.all(load);

  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(submitted.filter(({ status }) => status !== 202)).toEqual([]);
  expect(new Set(answers.map(({ version }) => version)).size).toBeGreaterThan(5);
  for (const { version, count, asked } of answers) {
    expect([version, count]).toEqual([version, Math.min(expected.get(version)!, things.length)]);
    expect(order.indexOf(version)).toBeGreaterThanOrEqual(order.indexOf(asked)); // what was in force before it was asked is seen at once
  }
  for (const { ingestion, version } of submitted) {
    const { status, memory_ids: ids } = await ended(ingestion);
    expect(status).toBe('completed');
    for (const id of ids) {
      const memory = (await (await send(key, 'GET', `/v1/memories/${id}`)).json()) as { config_version: number };
      expect(memory.config_version).toBe(version);
    }
  }
  const { data } = (await asAdmin('GET', '?limit=100')) as { data: { version: number; state: string }[] };
  expect(data).toHaveLength(1 + changes);
  expect(data.filter(({ state }) => state === 'active').map(({ version }) => version)).toEqual([inForce]);
  const [asked, seen] = [answers.length + submitted.length, new Set(answers.map(({ version }) => version)).size];
  process.stdout.write(
    `${changes} changes at ${urls.length} address(es) under load: ${asked} requests, 0 failed, ${seen} versions seen\n`,
  );
}
