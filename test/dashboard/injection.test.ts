import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../src/domain/anticipation/stream-messages.ts';
import { parseInstanceId } from '../../src/domain/ids.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';
import { expectCalm, openBrowser, settled } from './open-browser.ts';

const world = openWorld({});
const browsing = openBrowser(world);
const { openInstance: open } = browsing;

describe('what people say is shown and never run', () => {
  const wrappings = [
    (code: string) => code,
    (code: string) => `I live in Leeds ${code}`,
    (code: string) => `"'>${code}`,
    (code: string) => `]]>--></textarea></title>${code}`,
  ];
  const codes = Array.from({ length: 10 }, (_, n) => `alert(${n})`).flatMap((code) => [
    `<script>${code}</script>`,
    `<img src=x onerror=${code}>`,
    `<svg/onload=${code}>`,
    `<a href="javascript:${code}">x</a>`,
    `<iframe srcdoc="<script>${code}</script>"></iframe>`,
  ]);
  const payloads = codes.flatMap((code) => wrappings.map((wrap) => wrap(code)));

  test('200 payloads in memories, names, metadata and a use-case file run nowhere', { timeout: 180_000 }, async () => {
    expect(payloads).toHaveLength(200);
    const { access, id } = await world.instance();
    const person = await world.user('<img src=x onerror=alert(1)>', { access });
    const turns = payloads.map((content, n) => ({ role: 'user', content, name: payloads[n]!.slice(0, 100) }));
    await world.app.submit(access, {
      document: turns,
      documentType: 'ai-chat-conversation',
      mode: 'fast',
      metadata: { note: payloads[0]! },
      ...person.named,
    });
    await world.settle();
    await person.says('My sister <b onmouseover=alert(1)>Anna</b> lives in Leeds.', day(2));
    await world.app.configurations.init(world.asAdmin(access), {
      useCase: `# Clinic\n\n${payloads.slice(0, 50).join('\n\n')}\n\nKeep records for seven years.\n`,
    });
    const window = await open(id, '');
    const { page } = window;
    const { data: entities } = await world.app.entities(access, {}, { limit: 3 });
    const { key } = await world.app.createKey(world.asAdmin(access), { label: payloads[1]! });
    expect(key).toMatch(/^presage_/);
    await world.app.webhooks.create(access, {
      url: 'https://example.com/<script>alert(1)</script>',
      description: payloads[2]!,
      eventTypes: ['config.applied'],
    });
    for (const path of [
      '',
      '/memories',
      `/memories?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
      '/users',
      `/users/${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
      '/entities',
      ...entities.map((entity) => `/entities/${entity.id}`),
      '/reviews',
      '/retention',
      '/keys',
      '/webhooks',
      '/configurations',
      '/configurations/2',
    ]) {
      await page.goto(`/dashboard/i/${id}${path}`);
      await settled(page);
    }
    await page.getByRole('tab', { name: 'Settings from the file' }).click();
    await page.goto('/dashboard/audit');
    await settled(page);
    const { data } = await world.app.memories(access, {}, { limit: 3 });
    for (const { id: each } of data) {
      await page.goto(`/dashboard/i/${id}/memories/${each}`);
      await settled(page);
    }
    expectCalm(window);
  });

  /** Loads a list to its end. */
  async function loadAll(page: Page) {
    const more = page.getByRole('button', { name: 'Load more' });
    while (await more.count()) {
      await more.first().click();
      await settled(page);
    }
  }
  /** Waits until a page shows all of these. */
  async function shows(page: Page, texts: readonly string[]) {
    await expect
      .poll(async () => {
        const shown = (await page.textContent('main'))!;
        return texts.filter((each) => !shown.includes(each));
      })
      .toEqual([]);
  }

  test('nor in a conversation with what was anticipated at each turn', { timeout: 180_000 }, async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says(
      payloads.slice(0, 20).map((code) => ({ role: 'user', content: `I am allergic to ${code} and peanuts.` })),
      day(1),
    );
    const conversationId = payloads[3]!;
    for (const from of [0, 100]) {
      const messages = payloads.slice(from, from + 100).map((content) => ({ role: 'user', name: content, content }));
      await world.app.addMessages(access, { conversationId, userId: 'ada', messages });
    }
    const stream = world.app.anticipate(access, asks('What must I not eat?'), AbortSignal.timeout(20_000));
    for await (const update of stream) if (update.kind === 'bundle') break;
    async function* asks(content: string): AsyncGenerator<Signal> {
      yield { kind: 'session-start', session: { conversationId, userId: 'ada', remember: true } };
      yield { kind: 'message', role: 'user', content };
      await new Promise(() => undefined);
    }
    const window = await open(id, '/users/ada');
    const { page } = window;
    await page.locator('.choice').filter({ hasText: '201 messages' }).getByRole('button').first().click();
    await page.locator('.anticipated').getByText('alert').first().waitFor();
    const earlier = page.getByRole('button', { name: 'Earlier turns' });
    while (await earlier.count()) {
      await earlier.click();
      await settled(page);
    }
    await shows(page, payloads);
    expectCalm(window);
  });

  test('nor in the playground', { timeout: 180_000 }, async () => {
    const { id } = await world.instance();
    const window = await open(id, '/playground');
    const { page } = window;
    await page.getByRole('button', { name: 'Make a key for this tab' }).click();
    await page.getByLabel('As user').fill(payloads[5]!);
    for (let from = 0; from < payloads.length; from += 20) {
      const said = payloads.slice(from, from + 20);
      await page
        .getByLabel('Say something')
        .first()
        .fill(said.map((code, n) => `I own boat ${from + n} called ${code}.`).join('\n'));
      await page.getByRole('button', { name: 'Remember' }).click();
      await page
        .locator('section')
        .filter({ hasText: 'What was extracted' })
        .getByText(`boat ${from}`)
        .first()
        .waitFor();
      await page.getByLabel('Ask', { exact: true }).fill(said[0]!);
      await page.getByRole('button', { name: 'Recall' }).click();
      await page.getByText('Score', { exact: false }).first().waitFor();
      await settled(page);
    }
    await page.getByRole('button', { name: 'Start a conversation' }).click();
    const live = page.locator('section').filter({ hasText: 'Anticipated live' });
    await live.getByLabel('Say something').fill(`Where is my boat called ${payloads[1]}?`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('[aria-live] a').getByText('boat').first().waitFor();
    expectCalm(window);
  });

  test('nor in what a webhook is described by', { timeout: 180_000 }, async () => {
    const { access, id } = await world.instance();
    const { webhook } = await world.app.webhooks.create(access, {
      url: 'http://127.0.0.1:9/<script>alert(1)</script>',
      description: 'billing',
      eventTypes: ['config.applied'],
    });
    await world.app.webhooks.test(access, webhook.id);
    const window = await open(id, `/webhooks/${webhook.id}`);
    const { page } = window;
    for (let from = 0; from < payloads.length; from += 2) {
      const two = payloads.slice(from, from + 2);
      await world.app.webhooks.update(access, webhook.id, { description: two.join(' ') });
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))); // it is seen again
      await page.getByText(two[1]!).first().waitFor();
    }
    expectCalm(window);
  });

  test('nor in names of clients and instances, and in addresses of a team', { timeout: 180_000 }, async () => {
    const { app, admin, deps } = world;
    for (const name of payloads) await app.administration.createClient(admin, { name });
    // A page offers a hundred clients to choose from, the newest.
    const { id: clientId } = await app.administration.createClient(admin, { name: payloads[0]! });
    const window = await browsing.open('/dashboard/clients', { cookie: browsing.owner });
    const { page } = window;
    await settled(page);
    await loadAll(page);
    await shows(page, payloads);
    for (const from of [0, 100]) {
      // A page knows the names of a hundred instances, the newest.
      for (const name of payloads.slice(from, from + 100)) {
        const { id } = await app.createInstance(admin, { name, clientId });
        app.countAdminCall(admin, parseInstanceId(id));
      }
      await deps.metering.flush(new Date());
      await page.goto('/dashboard/usage');
      await settled(page);
      await page.getByLabel('Client').selectOption(clientId);
      await settled(page);
      await loadAll(page);
      await shows(page, payloads.slice(from, from + 100));
    }
    await page.goto('/dashboard/audit');
    await settled(page);
    await page.getByLabel('Client').selectOption(clientId);
    await loadAll(page);
    const emails = payloads.map((code, n) => `${code.toLowerCase().replaceAll(' ', '/')}@${n}.example.com`);
    for (const email of emails) await app.members.invite(admin, { email, role: 'viewer', clientId: null });
    await page.goto('/dashboard/team');
    await settled(page);
    await loadAll(page);
    await shows(page, emails);
    expectCalm(window);
  });
});
