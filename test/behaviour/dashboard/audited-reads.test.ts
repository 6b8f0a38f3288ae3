import { expect, test } from 'vitest';
import { newAdminToken } from '../rest/open-server.ts';
import { openWorld } from '../../support/world.ts';
import { day } from '../../support/person.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { openDashboard } from './open-dashboard.ts';

let at = day(10);
const world = openWorld({ now: () => at });
const dashboard = openDashboard(world);

const query = 'query ($i: ID!) { memories(instanceId: $i, filter: { type: FACTS }) { nodes { id content } } }';

/** Opens the list of facts; answers their ids. */
async function looks(cookie: string, access: Access): Promise<string[]> {
  const { data } = await dashboard.ask(cookie, query, { variables: { i: access.instance } });
  return data.memories.nodes.map(({ id }: { id: string }) => id).toSorted();
}

/** What was read of an instance, row by row, the first row first. */
async function rowsOf({ instance }: Access): Promise<{ actor: string; ids: string[] }[]> {
  const { clientId } = await world.app.administration.instance(world.admin, instance);
  const { data } = await world.app.administration.clientAudit(world.admin, clientId, { limit: 100 });
  return data
    .filter(({ action, target }) => action === 'content.read' && target === instance)
    .map(({ actor, after }) => ({ actor, ids: (after as { Memory: { ids: string[] } }).Memory.ids.toSorted() }))
    .toReversed();
}

const later = (minutes: number) => (at = new Date(at.getTime() + minutes * 60_000));
const signIn = async () => dashboard.signIn({ token: await newAdminToken(world, 'admin') });

test('a session leaves a row for what it reads, and none for the same again within the hour', async () => {
  const { access } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.', day(1));
  const cookie = await signIn();
  const first = await looks(cookie, access);
  for (let n = 0; n < 3; n += 1) {
    later(10);
    expect(await looks(cookie, access)).toEqual(first);
  }
  expect(await rowsOf(access)).toMatchObject([{ ids: first }]);

  await ada.says('My sister is called Dana.', day(2));
  later(1);
  const both = await looks(cookie, access);
  const added = both.filter((id) => !first.includes(id));
  later(1);
  await looks(cookie, access);
  expect(added.length).toBeGreaterThan(0);
  expect(await rowsOf(access)).toMatchObject([{ ids: first }, { ids: added }]);

  later(60);
  await looks(cookie, access);
  expect(await rowsOf(access)).toMatchObject([{ ids: first }, { ids: added }, { ids: both }]);
});

test('the profile of each user is audited for itself, with each memory that it is made of', async () => {
  const { access } = await world.instance();
  const users = await Promise.all(['ada', 'bob'].map((id) => world.user(id, { access })));
  for (const user of users) await user.says('I live in Leeds.', day(1));
  const cookie = await signIn();
  const reads = async (userId: string) => {
    const asked = 'query ($i: ID!, $u: String!) { instance(id: $i) { user(userId: $u) { profile { text } } } }';
    const { data } = await dashboard.ask(cookie, asked, { variables: { i: access.instance, u: userId } });
    expect(data.instance.user.profile.text).toContain('Leeds');
  };
  const profilesRead = async () => {
    const { clientId } = await world.app.administration.instance(world.admin, access.instance);
    const { data } = await world.app.administration.clientAudit(world.admin, clientId, { limit: 100 });
    return data
      .filter(({ action, target }) => action === 'content.read' && target === access.instance)
      .map(({ after }) => after as Record<'UserProfile' | 'Memory', { ids: string[] } | undefined>)
      .map(({ UserProfile: profile, Memory: memories }) => [profile?.ids ?? [], memories?.ids.length ?? 0])
      .toReversed();
  };
  await reads('ada');
  await reads('bob');
  await reads('ada');
  const [own, others] = await profilesRead();
  expect(await profilesRead()).toHaveLength(2);
  expect([own![0], others![0]]).toEqual([['ada'], ['bob']]);
  expect(own![1]).toBeGreaterThan(0);
  expect(others![1]).toBeGreaterThan(0);

  await users[0]!.says('I love chess.', day(2));
  await reads('ada');
  const rows = await profilesRead();
  expect(rows).toHaveLength(3);
  expect(rows[2]![0]).toEqual([]);
  expect(rows[2]![1]).toBeGreaterThan(0);
});

test('another session, another instance and an admin token are audited for themselves', async () => {
  const { access } = await world.instance();
  const other = await world.instance();
  for (const each of [access, other.access]) await (await world.user('ada', { access: each })).says('I live in Leeds.');
  const [one, another] = [await signIn(), await signIn()];
  for (const cookie of [one, another, one, another]) await looks(cookie, access);
  await looks(one, other.access);
  const rows = await rowsOf(access);
  expect(rows).toHaveLength(2);
  expect(new Set(rows.map(({ actor }) => actor)).size).toBe(2);
  expect(await rowsOf(other.access)).toHaveLength(1);

  const token = await newAdminToken(world, 'admin');
  for (let n = 0; n < 2; n += 1) {
    const answer = await dashboard.send('POST', '/graphql', {
      body: { query, variables: { i: access.instance } },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  }
  expect(await rowsOf(access)).toHaveLength(4);
});
