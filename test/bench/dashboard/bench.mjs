// `npm run bench:dashboard`: how fast the dashboard is in a real Chromium, against the compiled service in a process of
// its own, embedded, with 100,000 memories in the instance.
//
// First load: a new browser profile, so that nothing is cached, opens the overview; it ends when the figures stand there,
// from when on each control answers. Memories: from the click on the link to the frame in which 50 rows with their
// entities are painted. The script that the first page needs is counted as it goes over the wire.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { command, inTemporaryFolder, say, tell } from '../command.mjs';
import { percentile } from '../measure.mjs';
import { newKey, startService } from '../service.mjs';
import { fillUser } from './fill-user.mjs';

const help = `npm run bench:dashboard -- [options]
  --memories <n>   in the instance (100000)
  --runs <n>       of each measure (20)
  --url <url>      a service that runs and is filled, with PRESAGE_ADMIN_TOKEN; none is started then`;
const budgets = { firstLoadMs: 1_000, scriptBytes: 200_000, memoriesMs: 300 };
const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const pageOfMemories = 50;

await command({
  help,
  readSettings(args) {
    const { values } = parseArgs({
      args,
      options: {
        memories: { type: 'string', default: '100000' },
        runs: { type: 'string', default: '20' },
        url: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    return { ...values, memories: Number(values.memories), runs: Number(values.runs) };
  },
  run: (settings) =>
    inTemporaryFolder({ name: 'bench-dashboard', keep: false }, async (folder, opened) => {
      const service = settings.url ? given(settings.url) : await filled(folder, settings.memories, opened);
      const browser = await chromium.launch({
        executablePath: places.find((path) => path && existsSync(path)),
        args: ['--no-sandbox'],
      });
      opened.push(() => browser.close());
      return report(await measure(browser, service, settings.runs));
    }),
});

const given = (url) => ({ url, token: process.env.PRESAGE_ADMIN_TOKEN });

/** The service with so many memories in its instance, of users of 1,000 each. */
async function filled(folder, memories, opened) {
  const [key, token] = [newKey(), `presage_admin_${'b'.repeat(43)}`];
  const { client, baseUrl, stop } = await startService(folder, key, { variables: { PRESAGE_ADMIN_TOKEN: token } });
  opened.push(stop);
  for (let kept = 0, user = 0; kept < memories; user += 1) {
    kept += await fillUser(client, user);
    tell(`filled: ${kept} memories`);
  }
  return { url: baseUrl, token };
}

async function measure(browser, { url, token }, runs) {
  const cookie = await signIn(url, token);
  const { instances } = await ask(url, cookie, '{ instances { nodes { id memories { totalCount isTotalCapped } } } }');
  const [{ id, memories }] = instances.nodes;
  const [firstLoad, list] = [[], []];
  let scriptBytes = 0;
  for (let n = 0; n < runs; n += 1) {
    tell(`run ${n + 1} of ${runs}`);
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    await context.addCookies([{ name: cookie.name, value: cookie.value, url, httpOnly: true, sameSite: 'Strict' }]);
    const page = await context.newPage();
    await page.addInitScript(noteFirstFigures);
    await page.goto(`${url}/dashboard/i/${id}`);
    await page.waitForFunction(() => globalThis.figuresShownAt > 0);
    firstLoad.push(await page.evaluate(() => globalThis.figuresShownAt));
    scriptBytes = await page.evaluate(bytesOfScript);
    await page.waitForFunction(isSettled); // a subscription stays open: the network is never idle
    list.push(await page.evaluate(openMemories, pageOfMemories));
    await context.close();
  }
  return { memories, firstLoad, list, scriptBytes };
}

async function signIn(url, token) {
  const answer = await fetch(`${url}/dashboard/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'presage-csrf': '1', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });
  if (answer.status !== 204) throw new Error(`signing in: ${answer.status} ${await answer.text()}`);
  const [pair] = answer.headers.get('set-cookie').split(';');
  const [name, value] = pair.split('=');
  return { name, value };
}

async function ask(url, { name, value }, query) {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'presage-csrf': '1',
      'sec-fetch-site': 'same-origin',
      cookie: `${name}=${value}`,
    },
    body: JSON.stringify({ query }),
  });
  return (await answer.json()).data;
}

/** In the page: notes when the figures of the overview stand there, in milliseconds since the navigation. */
function noteFirstFigures() {
  const watcher = new MutationObserver(() => {
    if (!document.querySelector('.tiles .value')) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => (globalThis.figuresShownAt = performance.now())));
  });
  watcher.observe(document, { childList: true, subtree: true });
}

/** In the page: the charts that come after the figures are drawn, and nothing loads. */
function isSettled() {
  return document.querySelector('.chart canvas') !== null && !document.body.textContent.includes('Loading…');
}

/** In the page: what was loaded of script before the figures stood there, compressed. Charts come after them. */
function bytesOfScript() {
  return performance
    .getEntriesByType('resource')
    .filter(({ name, startTime }) => name.endsWith('.js') && startTime < globalThis.figuresShownAt)
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/** In the page: opens the memories, and answers how many milliseconds passed until so many rows were painted. */
function openMemories(rows) {
  const link = [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === 'Memories');
  const began = performance.now();
  link.click();
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelectorAll('tbody tr').length < rows || !location.pathname.endsWith('/memories')) return;
      watcher.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { childList: true, subtree: true });
  });
}

function report({ memories, firstLoad, list, scriptBytes }) {
  const lines = [
    ['first load to interactive, ms', firstLoad, budgets.firstLoadMs],
    [`${pageOfMemories} memories painted, ms`, list, budgets.memoriesMs],
  ].map(([name, values, budget]) => {
    const p50 = percentile(values, 0.5);
    const isKept = p50 <= budget;
    say(
      `${name.padEnd(32)} p50 ${p50.toFixed(0)}  p95 ${percentile(values, 0.95).toFixed(0)}  p50 <= ${budget}  ${isKept ? 'ok' : 'BROKEN'}`,
    );
    return isKept;
  });
  const isSmall = scriptBytes <= budgets.scriptBytes;
  say(
    `${'script before the first page, kB'.padEnd(32)} ${(scriptBytes / 1_000).toFixed(0)}  <= 200  ${isSmall ? 'ok' : 'BROKEN'}`,
  );
  say(`memories in the instance: ${memories.totalCount}${memories.isTotalCapped ? '+' : ''}`);
  return lines.every(Boolean) && isSmall;
}
