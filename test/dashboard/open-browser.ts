import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { newAdminToken } from '../behaviour/rest/open-server.ts';
import { openDashboard, type Dashboard } from '../behaviour/dashboard/open-dashboard.ts';
import type { World } from '../support/world.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium of this machine: `CHROMIUM`, or where Debian puts it. */
function findChromium(): string {
  const found = [process.env['CHROMIUM'] ?? '', ...places].find((path) => path && existsSync(path));
  if (!found) throw new Error('no Chromium: apt-get install chromium, or set CHROMIUM to the path of one');
  return found;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Window {
  readonly page: Page;
  /** What went wrong in the page: uncaught errors, violations of the policy, dialogs that a payload opened. */
  readonly troubles: string[];
  /** Requests to any other host. */
  readonly strangers: string[];
}

export interface WindowOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** Undefined: nobody is signed in. */
  readonly cookie?: string | undefined;
}

export interface Browsing {
  readonly dashboard: Dashboard;
  /** The cookie of an owner of the whole service. */
  readonly owner: string;
  open(path: string, options?: WindowOptions): Promise<Window>;
  /** Opens a page of an instance for the owner. */
  openInstance(instance: string, path: string): Promise<Window>;
}

/** A real browser before the real service, for the tests of one file; each window is a browser profile of its own. */
export function openBrowser(world: World): Browsing {
  const dashboard = openDashboard(world);
  let browser: Browser;
  let owner = '';
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    owner = await dashboard.signIn({ token: await newAdminToken(world, 'owner') });
  });
  afterAll(() => browser.close());

  const open: Browsing['open'] = async (path, { width = 1_440, theme = 'light', cookie } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      baseURL: dashboard.baseUrl,
    });
    if (cookie) {
      const [name, value] = cookie.split('=') as [string, string];
      await context.addCookies([{ name, value, url: dashboard.baseUrl, httpOnly: true, sameSite: 'Strict' }]);
    }
    const page = await context.newPage();
    page.setDefaultTimeout(50_000); // a busy machine is no failure
    const [troubles, strangers]: [string[], string[]] = [[], []];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (line) => {
      // That nobody is signed in is told by a 401, which the browser logs.
      if (line.type() === 'error' && !line.text().includes('401')) troubles.push(line.text());
    });
    page.on('dialog', (dialog) => {
      troubles.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(dashboard.baseUrl)) strangers.push(request.url());
    });
    await page.goto(path);
    return { page, troubles, strangers };
  };

  return {
    dashboard,
    get owner() {
      return owner;
    },
    open,
    openInstance: (instance, path) => open(`/dashboard/i/${instance}${path}`, { cookie: owner }),
  };
}

/** Waits until the page shows what it loads. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !document.body.textContent?.includes('Loading…'));
}

/** What axe finds wrong with a page, a line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }: any) => nodes.map(({ html }: any) => `${id}: ${html}`));
  });
}

/** Whether nothing went wrong in a window, and it asked nobody but the service. */
export function expectCalm({ troubles, strangers }: Window): void {
  expect({ troubles, strangers }).toEqual({ troubles: [], strangers: [] });
}

export interface Asked {
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Keeps back what a page asks the service from now on, until it is released. */
export async function hold(page: Page, isHeld: (asked: Asked) => boolean) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = page.waitForRequest((request) => request.url().endsWith('/graphql') && isHeld(request.postDataJSON()));
  await page.route('**/graphql', async (route) => {
    if (isHeld(route.request().postDataJSON())) await released;
    await route.fallback();
  });
  return { asked, release };
}
