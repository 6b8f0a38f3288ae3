import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '../../src/domain/webhooks/event.ts';
import { ownPage } from '../behaviour/dashboard/open-dashboard.ts';
import { newAdminToken } from '../behaviour/rest/open-server.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';
import { openPage, pageNames, type Shown } from './every-page.ts';
import { expectCalm, openBrowser, settled, violationsOf, type Window } from './open-browser.ts';

const world = openWorld({});
const browsing = openBrowser(world);

let instance: string;
let shown: Shown;

beforeAll(async () => {
  const own = await world.instance();
  instance = own.id;
  const ada = await world.user('ada', { access: own.access });
  await ada.says('I live in Leeds. My sister Anna works at the harbour.', day(1));
  await ada.says('I moved to York. I am allergic to peanuts.', day(2));
  await ada.says('I met Odile Brandt at the harbour.', day(3));
  await ada.says('Mrs. Brandt repaired the harmonium.', day(4));
  const [first] = (await world.app.memories(own.access, {}, { limit: 1 })).data;
  const [known] = (await world.app.entities(own.access, {}, { limit: 1 })).data;
  const settings = { url: 'https://example.com/hooks', description: 'billing', eventTypes };
  const { webhook } = await world.app.webhooks.create(own.access, settings);
  shown = { instance, memory: first!.id, entity: known!.id, webhook: webhook.id, configuration: 1 };
});

const looks = [
  { theme: 'light', width: 1_440 },
  { theme: 'dark', width: 1_440 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const;

describe.each(pageNames)('%s', (name) => {
  let window: Window;
  beforeAll(async () => {
    window = await openPage(browsing, name, shown);
  });
  afterAll(() => window.page.context().close());

  test.each(looks)('is accessible and fits in a $theme theme, $width wide, and asks nobody else', async (look) => {
    const { page } = window;
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.emulateMedia({ colorScheme: look.theme });
    await page.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, look.theme);
    expect(await violationsOf(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expectCalm(window);
  });
});

describe('on a phone', () => {
  const openOnPhone = async (path: string) => {
    const window = await browsing.open(`/dashboard/i/${instance}${path}`, { width: 390, cookie: browsing.owner });
    await settled(window.page);
    return window.page;
  };

  test('a list without a fitting record fits too', async () => {
    const page = await openOnPhone('/memories?q=zebra');
    await page.getByText('No memory fits').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  test('a short page begins right below the menu', async () => {
    const page = await openOnPhone('/keys');
    const menu = (await page.getByRole('button', { name: 'Menu' }).boundingBox())!;
    const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
    expect(heading.y - menu.y - menu.height).toBeLessThan(60);
  });
});

test.each([
  ['memories/mem_nope', 'Back to all memories'],
  ['users/nobody', 'Back to all users'],
  ['entities/ent_nope', 'Back to all entities'],
  ['configurations/99', 'Back to all versions'],
  ['webhooks/wh_nope', 'Back to all webhooks'],
  ['nothing', 'Go to the overview'],
])('an address that leads to nothing (%s) says so in its heading, and leads back', async (path, back) => {
  const { page } = await browsing.openInstance(instance, `/${path}`);
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('link', { name: back }).click();
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor({ state: 'detached' });
});

describe('signing in', () => {
  test('by an admin token, after a refusal, leads to the page that was asked for', async () => {
    const { page } = await browsing.open(`/dashboard/i/${instance}/keys`);
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use an admin token' }).click();
    await page.getByLabel('Admin token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('does not open the dashboard').waitFor();
    await page.getByLabel('Admin token').fill(await newAdminToken(world, 'admin'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Presage' }).waitFor();
  });

  test('an invited colleague joins by the link, and is seen in the team', async () => {
    const owner = await browsing.open('/dashboard/team', { cookie: browsing.owner });
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await owner.page.getByLabel('Email').fill('grace@example.com');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = await owner.page.getByLabel('Send them this link').textContent();
    const colleague = await browsing.open(link!.replace(browsing.dashboard.baseUrl, ''));
    await colleague.page.getByLabel('Email').fill('grace@example.com');
    await colleague.page.getByLabel('Password').fill('correct horse battery');
    await colleague.page.getByRole('button', { name: 'Join' }).click();
    await colleague.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await owner.page.reload();
    const row = owner.page.getByRole('cell', { name: 'grace@example.com' });
    await row.waitFor();
    expect(await row.count()).toBe(1);
  });

  test('who forgot their password chooses another by a link of an owner', async () => {
    const email = 'lost@example.com';
    const { secret } = await world.app.members.invite(world.admin, { email, role: 'viewer', clientId: null });
    await browsing.dashboard.signIn({ link: secret, email, password: 'the forgotten one' });
    const owner = await browsing.open('/dashboard/team', { cookie: browsing.owner });
    const row = owner.page.getByRole('row').filter({ hasText: email });
    await row.getByRole('button', { name: 'Reset password' }).click();
    const link = await owner.page.getByLabel('Send them this link to choose another password').textContent();
    const lost = await browsing.open(link!.replace(browsing.dashboard.baseUrl, ''));
    expect(await violationsOf(lost.page)).toEqual([]);
    await lost.page.getByLabel('Password').fill('a remembered one');
    await lost.page.getByRole('button', { name: 'Set password' }).click();
    await lost.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await browsing.dashboard.signIn({ email, password: 'a remembered one' });
  });

  test('a viewer sees numbers and types, and no words', async () => {
    const cookie = await browsing.dashboard.signIn({ token: await newAdminToken(world, 'viewer') });
    const { page } = await browsing.open(`/dashboard/i/${instance}/memories`, { cookie });
    await settled(page);
    await page
      .getByRole('cell', { name: 'preferences' })
      .or(page.getByRole('cell', { name: 'facts' }))
      .first()
      .waitFor();
    expect(await page.textContent('main')).not.toContain('peanuts');
    await page.goto(`/dashboard/i/${instance}/memories/${shown.memory}`);
    await page.getByText('Your role sees no content here').waitFor();
    expect(await page.getByRole('button', { name: 'Forget…' }).count()).toBe(0);
  });
});

test('the first page needs at most 200 kB of compressed script', async () => {
  const { page } = await browsing.open('/dashboard/i/' + instance, { cookie: browsing.owner });
  await settled(page);
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js') && !name.includes('/overview-charts-'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  );
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(200_000);
});

test('what a chart draws is told in words: all of it in a table, and where the pointer is', async () => {
  const window = await browsing.openInstance(instance, '');
  const { page } = window;
  const chart = page.locator('figure').filter({ has: page.getByRole('img', { name: 'Memories stored by day' }) });
  const table = chart.getByRole('table', { name: 'Memories stored by day' });
  await table.waitFor();
  const kinds = ['facts', 'preferences', 'episodes', 'emotions', 'temporal events'];
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Time', ...kinds]);
  expect(await table.getByRole('rowheader').count()).toBe(30);
  const last = table.getByRole('row').last();
  const told = await last.getByRole('cell').allTextContents();
  const area = chart.locator('.u-over');
  const legend = chart.locator('figcaption');
  const pointed = legend.getByText((await last.getByRole('rowheader').textContent())!);
  const hover = async () => {
    const { width, height } = (await area.boundingBox())!;
    await area.hover({ position: { x: width - 2, y: height / 2 } });
    return pointed.isVisible();
  };
  // What loads above meanwhile moves the chart away from under the pointer.
  await expect.poll(hover, { timeout: 20_000 }).toBe(true);
  for (const [n, kind] of kinds.entries()) await legend.getByText(`${kind} ${told[n]}`, { exact: true }).waitFor();
  await page.mouse.move(0, 0);
  await legend.getByRole('time').waitFor({ state: 'detached' });
  expectCalm(window);
});

test('filters stand in the address, and a link shows what its sender saw', async () => {
  const window = await browsing.openInstance(instance, '/memories');
  const { page } = window;
  await settled(page);
  await page.getByRole('group', { name: 'Type' }).getByRole('button', { name: 'facts' }).click();
  await page.getByRole('group', { name: 'Type' }).getByRole('button', { name: 'preferences' }).click();
  await page.getByLabel('Order').selectOption('OLDEST_FIRST');
  await page.getByLabel('Search the words of memories').fill('peanuts');
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(5);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    type: 'FACTS,PREFERENCES',
    order: 'OLDEST_FIRST',
    q: 'peanuts',
  });
  const other = await browsing.open(page.url().replace(browsing.dashboard.baseUrl, ''), { cookie: browsing.owner });
  await other.page.getByRole('link', { name: 'I am allergic to peanuts.' }).first().waitFor();
  expectCalm(window);
});

test('the instance that was shown last opens again, and not the newest', async () => {
  await world.instance();
  const window = await browsing.openInstance(instance, '/memories');
  const { page } = window;
  await settled(page);
  await page.goto(`${browsing.dashboard.baseUrl}/dashboard/`);
  await page.waitForURL(`**/dashboard/i/${instance}`);
  expectCalm(window);
});

describe('what is there before anything is', () => {
  test.each([
    { path: '', says: 'Nothing is remembered yet', command: 'curl' },
    { path: '/memories', says: 'No memory fits', command: 'curl' },
    { path: '/users', says: 'No user yet', command: 'curl' },
    { path: '/entities', says: 'No entity yet', command: 'curl' },
    { path: '/reviews', says: 'Nothing waits for a decision', command: 'curl' },
    { path: '/retention', says: 'Nothing is due', command: 'npx presage retention --dry-run' },
    { path: '/webhooks', says: 'No webhook yet', command: 'npx presage webhooks create' },
  ])('$path/ says what to do next, with a command to copy', async ({ path, says, command }) => {
    const { id } = await world.instance();
    const window = await browsing.openInstance(id, path);
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const empty = page.locator('.empty');
    await empty.getByRole('heading', { name: says }).waitFor();
    await empty.getByRole('button', { name: 'Copy' }).click();
    await empty.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(command);
    expect(await violationsOf(page)).toEqual([]);
    expectCalm(window);
  });
});

describe('by keyboard', () => {
  test('the first tab skips to the content, and a dialog gives the focus back to what opened it', async () => {
    const window = await browsing.openInstance(instance, '/keys');
    const { page } = window;
    await settled(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Label').fill('by keyboard');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New key');
    expectCalm(window);
  });

  test('a theme that is chosen stays, whatever the system has', async () => {
    const { page } = await browsing.openInstance(instance, '/keys');
    await settled(page);
    await page.getByRole('button', { name: 'Your account' }).press('Enter');
    await page.getByRole('menuitemradio', { name: 'Dark theme' }).press('Enter');
    await page.reload();
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  });
});

describe('what goes wrong', () => {
  const missing = { status: 404, body: '' };
  const keys = '**/assets/keys-*.js';

  test('a page whose file is gone after an upgrade is there after one reload', async () => {
    const { page } = await browsing.openInstance(instance, '');
    await settled(page);
    await page.route(keys, (route) => route.fulfill(missing), { times: 1 });
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a page that fails says so, offers a reload, and leaves the others be', async () => {
    const { page } = await browsing.openInstance(instance, '');
    await settled(page);
    await page.route(keys, (route) => route.fulfill(missing));
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.unroute(keys);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test.each([
    { where: 'on a page that is live', path: 'memories', act: async () => undefined },
    {
      where: 'by the next request',
      path: 'keys',
      act: (page: Page) => page.getByRole('link', { name: 'Users' }).click(),
    },
  ])('a session that ended elsewhere leads to signing in: $where', async ({ path, act }) => {
    const cookie = await browsing.dashboard.signIn({ token: await newAdminToken(world, 'admin') });
    const { page } = await browsing.open(`/dashboard/i/${instance}/${path}`, { cookie });
    await settled(page);
    await browsing.dashboard.send('DELETE', '/dashboard/session', { headers: { ...ownPage, cookie } });
    await act(page);
    await page.getByRole('heading', { name: 'Sign in to Presage' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test.each(['Sign out', 'Sign out everywhere'])('“%s” says when it did not', async (name) => {
    const cookie = await browsing.dashboard.signIn({ token: await newAdminToken(world, 'admin') });
    const window = await browsing.open(`/dashboard/i/${instance}/keys`, { cookie });
    const { page } = window;
    await settled(page);
    await page.route('**/{session,graphql}', (route) => route.abort());
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await page.getByRole('alert').getByText('You are still signed in').waitFor();
    expect(window.troubles.filter((each) => !each.includes('Failed to load resource'))).toEqual([]);
  });
});

test('a role is changed, and a member removed, when that is confirmed', async () => {
  const email = 'hopper@example.com';
  const { secret } = await world.app.members.invite(world.admin, { email, role: 'viewer', clientId: null });
  await browsing.dashboard.signIn({ link: secret, email, password: 'correct horse battery' });
  const { page } = await browsing.open('/dashboard/team', { cookie: browsing.owner });
  const row = page.getByRole('row').filter({ hasText: email });
  const role = row.getByRole('combobox');
  const dialog = page.getByRole('dialog');
  await role.selectOption('OWNER');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await role.inputValue()).toBe('VIEWER');
  await role.selectOption('ADMIN');
  await dialog.getByRole('button', { name: 'Give this role' }).click();
  await expect.poll(() => role.inputValue()).toBe('ADMIN');
  await row.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await row.count()).toBe(1);
  await row.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
});

test('signing out everywhere ends the session of another window', async () => {
  const email = 'elsewhere@example.com';
  const { secret } = await world.app.members.invite(world.admin, { email, role: 'viewer', clientId: null });
  const given = { email, password: 'correct horse battery' };
  const one = await browsing.dashboard.signIn({ link: secret, ...given });
  const windows = [
    await browsing.open(`/dashboard/i/${instance}`, { cookie: one }),
    await browsing.open(`/dashboard/i/${instance}`, { cookie: await browsing.dashboard.signIn(given) }),
  ] as const;
  for (const { page } of windows) await settled(page);
  await windows[0].page.getByRole('button', { name: 'Your account' }).click();
  await windows[0].page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await windows[0].page.getByRole('heading', { name: 'Sign in to Presage' }).waitFor(); // a reload might take the request back
  for (const { page } of windows) {
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Presage' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  }
});
