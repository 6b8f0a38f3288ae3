import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as clientModule from '../dist/index.js';
import { expected } from './runtimes/smoke.mjs';
import { startService, type Service } from './support/service.ts';

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(`runtimes/${name}.mjs`, import.meta.url));

const onCommandLine = [
  { name: 'Node', command: process.execPath, words: [] },
  { name: 'Node18', command: process.env['NODE18'] ?? 'node18', words: [] },
  { name: 'Deno', command: process.env['DENO'] ?? 'deno', words: ['run', '--quiet', '--allow-all'] },
  { name: 'Bun', command: process.env['BUN'] ?? 'bun', words: ['run'] },
];
const chromiumPath = ['chromium', 'chromium-browser', 'google-chrome'].reduce(
  (found, name) => found || spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(),
  process.env['CHROMIUM'] ?? '',
);
const isThere = (command: string) => spawnSync(command, ['--version']).status === 0;
const missing = onCommandLine.filter(({ command }) => !isThere(command)).map(({ name }) => name);
if (chromiumPath === '') missing.push('Chromium');
if (missing.length > 0)
  process.stderr.write(
    `Not tested, since not installed: ${missing.join(', ')}. Set ${missing.map((name) => name.toUpperCase()).join(', ')} to a path.\n`,
  );

/** A test's own `import()` would be rewritten for Node before it is sent to the browser. */
const page =
  "<!doctype html><script type=module>import * as client from '/dist/index.js'; globalThis.client = client;</script>";

let service: Service;
let pages: Server;
beforeAll(async () => {
  pages = createServer((request, response) => {
    const { url = '' } = request;
    const isPage = url === '/';
    response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
    if (isPage) response.end(page);
    else if (url.startsWith('/dist/')) response.end(readFileSync(new URL(`..${url}`, import.meta.url)));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  service = await startService({ CORS_ORIGINS: origin() });
}, 300_000);
afterAll(async () => {
  pages.close();
  await service.stop();
});
const origin = () => `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;

describe.each(onCommandLine)('$name', ({ name, command, words }) => {
  const env = () => ({
    ...process.env,
    PRESAGE_URL: service.url,
    PRESAGE_KEY: service.key,
    PRESAGE_GRPC: service.grpc,
  });

  test.skipIf(missing.includes(name))(`remembers and recalls (not played where ${name} is not installed)`, async () => {
    const { stdout } = await run(command, [...words, script('run-smoke')], { env: env() });
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  test.skipIf(missing.includes(name))(`holds a stream (not played where ${name} is not installed)`, async () => {
    const { stdout } = await run(command, [...words, script('stream-smoke')], { env: env(), timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual(['Always answer in metric units.', 'withdrawn']);
  });
});

test.skipIf(chromiumPath === '')(
  'a browser recalls with its token (not played where there is no Chromium)',
  async () => {
    const { Presage } = await import('../dist/index.js');
    const memory = new Presage({ apiKey: service.key, baseUrl: service.url });
    await memory.remember('I am allergic to peanuts.', { user_id: 'browser-1' });
    const { token } = await memory.tokens.create({ user_id: 'browser-1' });
    const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
    try {
      const tab = await browser.newPage();
      await tab.goto(origin());
      const recalled = await tab.evaluate(
        async ({ apiKey, baseUrl }) => {
          const { client } = globalThis as unknown as { client: typeof clientModule };
          const inPage = new client.Presage({ apiKey, baseUrl });
          const { memories } = await inPage.recall('What must I not eat?', { user_id: 'browser-1' });
          const refused: unknown = await inPage
            .recall('Where?', { user_id: 'browser-2' })
            .catch((error: unknown) => error);
          return [memories[0]?.content, refused instanceof client.AuthenticationError];
        },
        { apiKey: token!, baseUrl: service.url },
      );
      expect(recalled).toEqual(['I am allergic to peanuts.', true]);
    } finally {
      await browser.close();
    }
  },
);
