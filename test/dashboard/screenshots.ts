import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, test } from 'vitest';
import type { StreamSettings, Signal } from '../../src/domain/anticipation/stream-messages.ts';
import { parseInstanceId } from '../../src/domain/ids.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { eventTypes } from '../../src/domain/webhooks/event.ts';
import { Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';
import { newAdminToken } from '../behaviour/rest/open-server.ts';
import { openPage, pageNames, type Shown } from './every-page.ts';
import { expectCalm, openBrowser, settled } from './open-browser.ts';

/** `npm run screenshots:dashboard`: the pictures of `docs/dashboard.md`, of an instance that was used for a month. */
const folder = process.env['SCREENSHOTS']!;

const dayMs = 86_400_000;
let daysAgo = 29;
const now = () => new Date(Date.now() - daysAgo * dayMs);
const world = openWorld({ now });
const browsing = openBrowser(world);

/** What people said, by how many days ago it was. */
const month: readonly (readonly [daysAgo: number, user: string, said: string])[] = [
  [29, 'ada', 'I live in Leeds. I am allergic to peanuts.'],
  [28, 'grace', 'I work at the observatory in Bergen. My sister Anna plays the violin.'],
  [26, 'ada', 'Please always answer me in French.'],
  [24, 'noor', 'I love hiking in the Dolomites. My dentist is Dr. Okafor.'],
  [22, 'grace', 'I feel anxious about the launch. Maria Lopez is my manager.'],
  [21, 'mateo', 'I run a bakery in Porto. My daughter Lena turns six on 3 March.'],
  [18, 'ada', 'I met Odile Brandt at the harbour. We talked about the lighthouse.'],
  [16, 'noor', 'I have an appointment with Dr. Okafor on 12 December at 10:00.'],
  [14, 'mateo', 'I prefer short answers. I bought a new oven for the bakery.'],
  [12, 'grace', 'Maria Lopez and Anna met in Bergen. Anna lives in Bergen.'],
  [11, 'ada', 'Mrs. Brandt repaired the harmonium.'],
  [9, 'ada', 'I moved to York last week.'],
  [7, 'noor', 'I am vegetarian. My brother Omar visits me in Tartu every summer.'],
  [5, 'grace', 'I was promoted. I lead the telescope group at the observatory now.'],
  [4, 'mateo', 'Lena broke her arm. We spent the night at the hospital in Porto.'],
  [2, 'ada', 'Odile Brandt and I sail to Whitby on Saturday.'],
  [1, 'noor', 'I cannot stand coriander. I got a kayak from Omar.'],
  [0, 'ada', 'Odile Brandt gave me a kayak in York. I feel happy about it.'],
];
const questions = ['What must I not eat?', 'Where do I live?', 'Who is my manager?', 'What do I look forward to?'];

let shown: Shown;
let owner: string;

beforeAll(async () => {
  const { app, admin } = world;
  const { id: instance } = await app.createInstance(admin, { name: 'Harbour assistant' });
  const administered = await app.accessAsAdmin(admin, parseInstanceId(instance));
  const { key } = await app.createKey(administered, { label: 'support bot' });
  await app.createKey(administered, { label: 'voice agent', rate: { perMinute: 600, burst: 100 } });
  const caller = await app.authenticate(`Bearer ${key}`);
  if (caller.kind !== 'instance') throw new Error('a key opens an instance');
  const { access } = caller;
  for (const [ago, user, said] of month) {
    daysAgo = ago;
    const conversationId = `${user}-${ago}`;
    const turns = [
      { role: 'user', content: said },
      { role: 'assistant', content: 'I will keep that in mind.' },
    ];
    await new Person(world, access, { userId: user }).says(turns, now(), { conversationId });
    await app.addMessages(access, { conversationId, userId: user, messages: turns });
    for (const question of questions.slice(0, 1 + (ago % 4))) {
      await app.fetchContext(access, {
        searchQueries: [question],
        userId: user,
        mode: ago % 2 ? 'fast' : 'accurate',
        maxResults: 10,
        explain: false,
      });
    }
    await foresee(access, { userId: user, conversationId }, questions[ago % 4]!);
  }
  daysAgo = 0;
  const find = async (q: string) => (await app.memories(access, { q }, { limit: 1 })).data[0]!.id;
  const [entity] = (await app.entities(access, { q: 'Odile Brandt' }, { limit: 1 })).data;
  const address = { url: 'http://127.0.0.1:9/hooks', description: 'billing', eventTypes };
  const { webhook } = await app.webhooks.create(access, address);
  await app.webhooks.test(access, webhook.id);
  const memory = await find('York last week');
  shown = { instance, memory, entity: entity!.id, webhook: webhook.id, configuration: 2 };
  const useCase = [
    '# Harbour assistant',
    '',
    'An assistant for the members of a sailing club, who come back for years.',
    'It should remember what they like, whom they sail with, and when they want to go.',
    'Records must be kept for seven years for compliance.',
    'Do not remember payment details.',
  ];
  await app.configurations.init(administered, { useCase: useCase.join('\n') });
  for (const [email, role] of [
    ['grace@example.com', 'admin'],
    ['omar@example.com', 'viewer'],
  ] as const) {
    const { secret } = await app.members.invite(admin, { email, role, clientId: null });
    await browsing.dashboard.signIn({ link: secret, email, password: 'correct horse battery' });
  }
  await app.members.invite(admin, { email: 'lena@example.com', role: 'admin', clientId: null });
  owner = await browsing.dashboard.signIn({ token: await newAdminToken(world, 'owner') });
  mkdirSync(folder, { recursive: true });
}, 300_000);

/** An agent's stream that says something while it is typed, and reports the best memory of its bundle, if one comes, as used. */
async function foresee(access: Access, session: StreamSettings, content: string): Promise<void> {
  const answered = new AbortController();
  let best: string | undefined;
  async function* signals(): AsyncGenerator<Signal> {
    yield { kind: 'session-start', session: { ...session, remember: true } };
    yield { kind: 'partial-message', role: 'user', content };
    await pause(200);
    yield { kind: 'message', role: 'user', content };
    // Where nothing bears on it, no bundle comes.
    await pause(1_500, undefined, { signal: answered.signal }).catch(() => undefined);
    if (best) yield { kind: 'context-used', memoryIds: [best] };
    yield { kind: 'session-end' };
  }
  for await (const update of world.app.anticipate(access, signals(), AbortSignal.timeout(20_000))) {
    const called = update.kind === 'bundle' && update.memories.find(({ reason }) => reason === 'context');
    if (!called) continue;
    best = called.id;
    answered.abort();
  }
}

/** What somebody does on a page before its picture is taken. */
const doings: Readonly<Record<string, (page: Awaited<ReturnType<typeof browsing.open>>['page']) => Promise<void>>> = {
  async playground(page) {
    await page.getByRole('button', { name: 'Make a key for this tab' }).click();
    await page.getByLabel('As user').fill('ada');
    await page.getByLabel('Say something').first().fill('I would like to learn the harmonium.');
    await page.getByRole('button', { name: 'Remember' }).click();
    await page.getByRole('heading', { name: 'What was extracted' }).waitFor();
    await page.getByLabel('Ask', { exact: true }).fill('What must I not eat?');
    await page.getByRole('button', { name: 'Recall' }).click();
    await page.getByText('Score', { exact: false }).first().click();
    await page.getByRole('button', { name: 'Start a conversation' }).click();
    await page
      .getByPlaceholder('Who could sail with me on Saturday?')
      .pressSequentially('Who could sail to Whitby with me', { delay: 5 });
    await page.locator('[aria-live] li').filter({ hasText: 'context' }).first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  async user(page) {
    await page.locator('.choice button').first().click();
  },
  async configuration(page) {
    await page.getByRole('tab', { name: 'Settings from the file' }).click();
  },
  async retention(page) {
    await page.getByLabel('As if it were').fill('2029-11-24');
    await page.getByRole('row').nth(1).waitFor();
  },
};

const onPhone = new Set(['overview', 'memory', 'playground']);

describe.each([...pageNames, 'sign-in'] as const)('%s', (name) => {
  test.each([
    { theme: 'light', width: 1_280, as: `${name}-light` },
    { theme: 'dark', width: 1_280, as: `${name}-dark` },
    ...(onPhone.has(name) ? [{ theme: 'light', width: 390, as: `${name}-phone` } as const] : []),
  ] as const)('$as', { timeout: 120_000 }, async ({ theme, width, as }) => {
    const window =
      name === 'sign-in'
        ? await browsing.open('/dashboard/', { theme, width })
        : await openPage(browsing, name, shown, { theme, width, cookie: owner });
    const { page } = window;
    await doings[name]?.(page);
    await settled(page);
    await page.waitForLoadState('load');
    await page.screenshot({ path: `${folder}/${as}.png`, animations: 'disabled' });
    expectCalm(window);
    await page.context().close();
  });
});
