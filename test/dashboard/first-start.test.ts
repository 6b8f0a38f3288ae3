import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';
import { expectCalm, openBrowser, settled, violationsOf } from './open-browser.ts';

// Its own: nobody has made anything in it.
const browsing = openBrowser(openWorld({}));

test.each([
  { path: '/audit', says: 'Nothing was changed yet', command: 'npx presage keys create' },
  { path: '/team', says: 'Nobody signs in with an address yet', command: 'npx presage dashboard' },
  { path: '/usage', says: 'No call yet', command: 'curl' },
  { path: '/clients', says: 'No client yet', command: 'npx presage init' },
])('$path of a new service says what to do next, with a command to copy', async ({ path, says, command }) => {
  const window = await browsing.open(`/dashboard${path}`, { cookie: browsing.owner });
  const { page } = window;
  await settled(page);
  const empty = page.locator('.empty').filter({ has: page.getByRole('heading', { name: says }) });
  expect(await empty.locator('pre').textContent()).toContain(command);
  expect(await violationsOf(page)).toEqual([]);
  expectCalm(window);
});
