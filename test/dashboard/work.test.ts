import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import type { Signal } from '../../src/domain/anticipation/stream-messages.ts';
import { parseInstanceId } from '../../src/domain/ids.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { day } from '../support/person.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { openWorld } from '../support/world.ts';
import { expectCalm, openBrowser, settled, violationsOf } from './open-browser.ts';

const world = openWorld({});
const browsing = openBrowser(world);

const open = (instance: string, path: string) =>
  browsing.open(`/dashboard/i/${instance}${path}`, { cookie: browsing.owner });

interface Asked {
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Keeps back what a page asks the service from now on, until it is released. */
async function hold(page: Page, isHeld: (asked: Asked) => boolean) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = page.waitForRequest((request) => request.url().endsWith('/graphql') && isHeld(request.postDataJSON()));
  await page.route('**/graphql', async (route) => {
    if (isHeld(route.request().postDataJSON())) await released;
    await route.fallback();
  });
  return { asked, release };
}

describe('memories', () => {
  test('said in the playground, one is found, read with its evidence, and forgotten with a receipt', async () => {
    const { id } = await world.instance();
    const window = await open(id, '/playground');
    const { page } = window;
    await page.getByRole('button', { name: 'Make a key for this tab' }).click();
    await page.getByLabel('Say something').first().fill('I am allergic to peanuts.');
    await page.getByRole('button', { name: 'Remember' }).click();
    await page.getByRole('heading', { name: 'What was extracted' }).waitFor();
    await page.getByLabel('Ask', { exact: true }).fill('What must I not eat?');
    await page.getByRole('button', { name: 'Recall' }).click();
    await page.getByText('Score', { exact: false }).first().waitFor();
    await page.getByRole('link', { name: 'I am allergic to peanuts.' }).first().click();
    await page.getByRole('heading', { name: 'Where it was said' }).waitFor();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByLabel('Also forget other memories that state the same').check();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await page.goto(`/dashboard/i/${id}/memories`);
    await settled(page);
    expect(await page.getByText('peanuts').count()).toBe(0);
    expectCalm(window);
  });

  test('one that was replaced shows by what, and holds again when that is undone', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I live in Leeds.', day(1));
    await ada.says('I live in York now.', day(2));
    const window = await open(id, '/memories?status=SUPERSEDED');
    const { page } = window;
    await page.getByRole('link', { name: 'I live in Leeds.' }).first().click();
    await page.getByRole('link', { name: 'I live in York now.' }).click();
    await page.getByText('It replaced').waitFor();
    await page.getByRole('link', { name: 'I live in Leeds.' }).first().click();
    await page.getByRole('button', { name: 'Undo: this memory holds again' }).click();
    await page.locator('.page-head').getByText('active', { exact: true }).waitFor();
    expectCalm(window);
  });

  test('a user is exported to the last word, and forgotten with a receipt', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I am allergic to peanuts.', day(1), { conversationId: 'call' });
    const window = await open(id, '/users/ada');
    const { page } = window;
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ kind: 'memory', content: 'I am allergic to peanuts.' }));
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await page.goto(`/dashboard/i/${id}/users`);
    await page.getByRole('heading', { name: 'No user yet' }).waitFor();
    expectCalm(window);
  });

  test.each(['50%', 'a%2Fb', 'a/b'])('the page of the user %s is of that user and of no other', async (userId) => {
    const { access, id } = await world.instance();
    for (const each of ['50%', 'a%2Fb', 'a/b'])
      await (await world.user(each, { access })).says(`My boat is called ${each}.`, day(1));
    const window = await open(id, '/users');
    const { page } = window;
    await page.getByRole('link', { name: userId, exact: true }).click();
    await page.getByRole('heading', { name: userId, level: 1 }).waitFor();
    await page
      .getByRole('link', { name: `My boat is called ${userId}.` })
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('heading', { name: userId, level: 1 }).waitFor();
    expectCalm(window);
  });

  test('what was begun on the page of one is not open on the page of another', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I live in Leeds.', day(1));
    await ada.says('I live in York now.', day(2));
    const window = await open(id, '/memories?status=SUPERSEDED');
    const { page } = window;
    await page.getByRole('link', { name: 'I live in Leeds.' }).first().click();
    await page.getByRole('link', { name: 'I live in York now.' }).first().click();
    await page.locator('.memory-content').getByText('York').waitFor();
    await page.getByRole('button', { name: 'Correct…' }).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.locator('.memory-content').getByText('Leeds').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expectCalm(window);
  });

  test('one is corrected, and found by its new words', async () => {
    const { access, id } = await world.instance();
    await (await world.user('ada', { access })).says('I am allergic to peanuts.', day(1));
    const window = await open(id, '/memories?q=peanuts');
    const { page } = window;
    await page.getByRole('link', { name: 'I am allergic to peanuts.' }).first().click();
    await page.getByRole('button', { name: 'Correct…' }).click();
    await page.getByRole('dialog').getByLabel('Memory').fill('I am allergic to walnuts.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.memory-content').getByText('I am allergic to walnuts.').waitFor();
    await page.goto(`/dashboard/i/${id}/memories?q=walnuts`);
    await page.getByRole('link', { name: 'I am allergic to walnuts.' }).first().waitFor();
    expectCalm(window);
  });

  test('that others go too is said for one that is forgotten, and not kept for the next', async () => {
    const { access, id } = await world.instance();
    await (await world.user('ada', { access })).says('I am allergic to peanuts.', day(1));
    const window = await open(id, '/memories?q=peanuts');
    const { page } = window;
    await page.getByRole('link', { name: 'I am allergic to peanuts.' }).first().click();
    const others = page.getByLabel('Also forget other memories that state the same');
    await page.getByRole('button', { name: 'Forget…' }).click();
    await others.check();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Forget…' }).click();
    expect(await others.isChecked()).toBe(false);
    expectCalm(window);
  });

  test('what was split off is not chosen on the page of its new entity', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('Odile Brandt repaired the harmonium.', day(2));
    await ada.says('Odile Brandt tuned the piano.', day(3));
    const window = await open(id, '/entities?q=Odile+Brandt');
    const { page } = window;
    await page.getByRole('link', { name: 'Odile Brandt' }).first().click();
    for (const thing of ['harmonium', 'piano'])
      await page
        .getByLabel(new RegExp(`Means another: .*${thing}`))
        .first()
        .check();
    const whole = page.url();
    await page.getByRole('button', { name: 'Split off what is chosen' }).click();
    await page.waitForURL((url) => url.href !== whole);
    await expect.poll(() => page.textContent('main')).not.toContain('harbour');
    expect(await page.getByRole('checkbox').count()).toBeGreaterThan(1);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expectCalm(window);
  });

  test('those that mean another are split off an entity', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('Odile Brandt repaired the harmonium.', day(2));
    const window = await open(id, '/entities?q=Odile+Brandt');
    const { page } = window;
    await page.getByRole('link', { name: 'Odile Brandt' }).first().click();
    await page.getByRole('button', { name: 'Split off what is chosen' }).waitFor();
    const whole = page.url();
    await page
      .getByLabel(/Means another: .*harmonium/)
      .first()
      .check();
    await page.getByRole('button', { name: 'Split off what is chosen' }).click();
    await page.waitForURL((url) => url.href !== whole);
    await settled(page);
    await page.getByRole('heading', { name: 'Odile Brandt', level: 1 }).waitFor();
    await expect.poll(() => page.textContent('main')).not.toContain('harbour');
    expectCalm(window);
  });

  test('the timeline of one tells what it replaced, when it is kept until, and leads to both', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I live in Leeds.', day(1));
    await ada.says('I live in York now.', day(2));
    const window = await open(id, '/memories?status=ACTIVE&q=York');
    const { page } = window;
    await page.getByRole('link', { name: 'I live in York now.' }).first().click();
    const moments = page.locator('.timeline li');
    await moments.filter({ hasText: 'It replaced' }).getByRole('link', { name: 'I live in Leeds.' }).first().waitFor();
    const [first] = await moments.allTextContents();
    expect(first).toContain('Said');
    await moments.filter({ hasText: 'Kept until' }).first().waitFor();
    expectCalm(window);
  });

  test('one that is stored or replaced by anybody shows in open windows without a reload', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I live in Leeds.', day(1));
    const [list, overview] = [await open(id, '/memories'), await open(id, '')];
    await list.page.getByRole('link', { name: 'I live in Leeds.' }).first().waitFor();
    await overview.page.locator('.tiles').waitFor();
    await ada.says('I live in York now.', day(2));
    await list.page.getByRole('link', { name: 'I live in York now.' }).first().waitFor();
    await list.page.getByText('superseded').nth(1).waitFor();
    await overview.page
      .locator('.tile')
      .filter({ hasText: 'Memories' })
      .getByText(/^[1-9] superseded/)
      .waitFor();
    expectCalm(list);
    expectCalm(overview);
  });

  test('an entity is merged into another that is found by its name, and the merge is undone', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('I met Ingrid Keller at the harbour.', day(2));
    const window = await open(id, '/entities?q=Ingrid+Keller');
    const { page } = window;
    await page.getByRole('link', { name: 'Ingrid Keller' }).first().click();
    const name = page.getByRole('searchbox', { name: 'Its name, in full' });
    const stays = page.getByLabel('Entity that stays');
    await name.fill('Odile Brandt');
    await stays.getByRole('option', { name: 'Odile Brandt' }).waitFor({ state: 'attached' });
    await name.press('Enter');
    expect(await page.getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true); // none is chosen
    await stays.selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    const asked = page.getByRole('dialog');
    await asked.getByRole('heading', { name: /Merge Ingrid Keller \(.*\) into Odile Brandt \(.*\)\?/ }).waitFor();
    await asked.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('heading', { name: 'Odile Brandt', level: 1 }).waitFor();
    const merges = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Merges' }) });
    await merges.getByText('Ingrid Keller').waitFor();
    await merges.getByRole('button', { name: 'Undo this merge' }).click();
    await expect
      .poll(async () => (await world.app.entities(access, { q: 'Ingrid Keller' }, { limit: 10 })).data.length)
      .toBe(1);
    expectCalm(window);
  });

  test('what another name found is no entity to merge into while a name is looked for', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('I met Ingrid Keller at the harbour.', day(2));
    const window = await open(id, '/entities?q=Ingrid+Keller');
    const { page } = window;
    await page.getByRole('link', { name: 'Ingrid Keller' }).first().click();
    const name = page.getByRole('searchbox', { name: 'Its name, in full' });
    const stays = page.getByLabel('Entity that stays');
    await name.fill('Odile Brandt');
    await stays.getByRole('option', { name: 'Odile Brandt' }).waitFor({ state: 'attached' });
    await stays.selectOption({ index: 1 });
    const held = await hold(page, ({ operationName }) => operationName === 'LikelySame');
    await name.fill('Nobody');
    await held.asked;
    expect(await stays.getByRole('option').allTextContents()).toEqual(['No entity of this name']);
    expect(await page.getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true);
    held.release();
    expectCalm(window);
  });

  test('what a later sweep would take is told by its words and by when it goes', async () => {
    const { access, id } = await world.instance();
    await (await world.user('ada', { access })).says('I met Odile Brandt at the harbour.', day(1));
    const window = await open(id, '/retention');
    const { page } = window;
    await page.getByRole('heading', { name: 'Nothing is due' }).waitFor();
    await page.getByLabel('As if it were').fill('2040-01-01');
    await page.getByRole('link', { name: 'I met Odile Brandt at the harbour.' }).first().waitFor();
    await page.getByRole('columnheader', { name: 'Goes' }).waitFor();
    expectCalm(window);
  });

  test('what is being typed calls memories up before it is sent', async () => {
    const { access, id } = await world.instance();
    const user = await world.user('playground', { access });
    await user.says('I am allergic to peanuts.', day(1));
    const window = await open(id, '/playground');
    const { page } = window;
    await page.getByRole('button', { name: 'Make a key for this tab' }).click();
    await page.getByRole('button', { name: 'Start a conversation' }).click();
    const live = page.locator('section').filter({ hasText: 'Anticipated live' });
    await live.getByLabel('Say something').pressSequentially('Can I cook with peanuts', { delay: 5 });
    await page.locator('[aria-live] a').getByText('I am allergic to peanuts.').first().waitFor();
    const [conversation] = await world.deps.db.conversation.findMany({
      where: { instanceNumber: access.instanceNumber, messageCount: 0 },
    });
    expect(conversation).toBeDefined(); // nothing was said
    expectCalm(window);
  });

  test('what is anticipated in a conversation is pushed while it is held', async () => {
    const { access, id } = await world.instance();
    const user = await world.user('playground', { access });
    await user.says('I am allergic to peanuts.', day(1));
    const { page } = await open(id, '/playground');
    await page.getByRole('button', { name: 'Make a key for this tab' }).click();
    await page.getByRole('button', { name: 'Start a conversation' }).click();
    const live = page.locator('section').filter({ hasText: 'Anticipated live' });
    await live.getByLabel('Say something').fill('What can I cook tonight with peanuts?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('[aria-live] a').getByText('I am allergic to peanuts.').first().waitFor();
    await page.getByRole('button', { name: 'Give the key back' }).click();
    await page.getByRole('heading', { name: 'Speak as an agent does' }).waitFor();
    const { data } = await world.app.keys(world.asAdmin(access), { limit: 10 });
    expect(data.find(({ label }) => label === 'playground')?.revokedAt).not.toBeNull();
  });
});

describe('the playground', () => {
  const keyOf = async (access: Access) => {
    const { data } = await world.app.keys(world.asAdmin(access), { limit: 10 });
    return data.find(({ label }) => label === 'playground');
  };
  async function begin(id: string): Promise<Page> {
    const { page } = await open(id, '/playground');
    await page.getByRole('button', { name: 'Make a key for this tab' }).click();
    await page.getByLabel('As user').waitFor();
    return page;
  }

  test.each([
    { way: 'by a link', leave: (page: Page) => page.getByRole('link', { name: 'Audit' }).click() },
    { way: 'with its window', leave: (page: Page) => page.goto('about:blank') },
  ])('gives the key that it made back when it is left $way', async ({ leave }) => {
    const { access, id } = await world.instance();
    const page = await begin(id);
    expect((await keyOf(access))?.revokedAt).toBeNull();
    await leave(page);
    await expect.poll(async () => (await keyOf(access))?.revokedAt).not.toBeNull();
  });

  test('says when the key could not be given back, and holds it until it is', async () => {
    const { access, id } = await world.instance();
    const page = await begin(id);
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('revokeKey') ? route.abort() : route.fallback(),
    );
    await page.getByRole('button', { name: 'Give the key back' }).click();
    await page.getByRole('alert').waitFor();
    expect((await keyOf(access))?.revokedAt).toBeNull();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Give the key back' }).click();
    await page.getByRole('heading', { name: 'Speak as an agent does' }).waitFor();
    expect((await keyOf(access))?.revokedAt).not.toBeNull();
  });

  test('asks and listens once for the user that was named then, whoever is typed afterwards', async () => {
    const { access, id } = await world.instance();
    await (await world.user('playground', { access })).says('I am allergic to peanuts.', day(1));
    const page = await begin(id);
    const sent: any[] = [];
    page.on('request', (request) => request.url().includes('/graphql') && sent.push(request.postDataJSON()));
    const recall = async (words: string) => {
      const answer = page.waitForResponse((each) => each.request().postData()?.includes(words) ?? false);
      await page.getByLabel('Ask', { exact: true }).fill(words);
      await page.getByRole('button', { name: 'Recall' }).click();
      await answer;
    };
    await page.getByRole('button', { name: 'Start a conversation' }).click();
    await page.getByText('Anticipated live').waitFor();
    await recall('What must I not eat?');
    await page.getByLabel('As user').fill('');
    await page.getByLabel('As user').pressSequentially('grace');
    await recall('Where do I live?');
    const users = (operation: string) =>
      sent
        .filter(({ query }) => query.includes(operation))
        .map(({ variables }) => variables.user ?? variables.query.userId);
    expect(users('PlaygroundAsk')).toEqual(['playground', 'grace']);
    expect(users('PlaygroundAnticipated')).toEqual(['playground']);
  });
});

describe('conversations', () => {
  const question = 'Is there a food that I should avoid?';

  /** Ada asks an agent whose stream hears it while it is typed, and reports the memory of her allergy as used. */
  async function asksAnAgent(access: Access): Promise<void> {
    const [allergy] = (await world.app.memories(access, { type: 'facts' }, { limit: 1 })).data;
    let answered = () => {};
    async function* signals(): AsyncGenerator<Signal> {
      yield { kind: 'session-start', session: { conversationId: 'kitchen', userId: 'ada', remember: true } };
      for (const kind of ['partial-message', 'message'] as const) {
        const bundle = new Promise<void>((resolve) => (answered = resolve));
        yield { kind, role: 'user', content: question };
        await bundle;
      }
      yield { kind: 'context-used', memoryIds: [allergy!.id] };
      yield { kind: 'message', role: 'assistant', content: 'Anything with peanuts.' };
    }
    for await (const update of world.app.anticipate(access, signals(), AbortSignal.timeout(20_000)))
      if (update.kind === 'bundle' && update.memories.some(({ reason }) => reason === 'context')) answered();
  }

  test('what was anticipated stands beside each turn, used or not', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I am allergic to peanuts.', day(1));
    await ada.says('My sister Anna lives in Leeds.', day(2));
    await asksAnAgent(access);
    const window = await open(id, '/users/ada');
    const { page } = window;
    await page.getByRole('button', { name: 'kitchen' }).click();
    const [asked, answered] = [page.locator('.turn').nth(0), page.locator('.turn').nth(1)];
    await asked.getByText(question).waitFor();
    await asked.getByText(/anticipated, 1 used$/).waitFor();
    const allergy = asked.getByRole('listitem').filter({ hasText: 'I am allergic to peanuts.' }).first();
    await allergy.getByText(/^at hand .* before$/).waitFor();
    await asked.getByText('used', { exact: true }).waitFor();
    await answered.getByText('Anything with peanuts.').waitFor();
    expect(await answered.locator('.anticipated').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await allergy.getByRole('link').click();
    await page.getByRole('heading', { name: 'Where it was said' }).waitFor();
    expectCalm(window);
  });

  test('one that no stream heard says how one comes to hear it, and shows earlier turns when asked', async () => {
    const { access, id } = await world.instance();
    const messages = Array.from({ length: 45 }, (_, n) => ({ role: 'user', content: `I counted ${n} boats.` }));
    await world.app.addMessages(access, { conversationId: 'harbour', userId: 'ada', messages });
    const window = await open(id, '/users/ada');
    const { page } = window;
    await page.getByRole('button', { name: 'harbour' }).click();
    await page.getByRole('heading', { name: 'No stream heard these turns' }).waitFor();
    expect(await page.locator('.empty pre').first().textContent()).toMatch(/curl -N .*\/anticipated/);
    expect(await page.locator('.turn').count()).toBe(20);
    for (const count of [40, 45]) {
      await page.getByRole('button', { name: 'Earlier turns' }).click();
      await expect.poll(() => page.locator('.turn').count()).toBe(count);
    }
    expect(await page.locator('.turn').first().textContent()).toContain('I counted 0 boats.');
    expect(await page.getByRole('button', { name: 'Earlier turns' }).count()).toBe(0);
    expectCalm(window);
  });
});

describe('lists that are longer than a page', () => {
  /** Opens a page that asks for two of a list at once, and hears of no change, which would load its lists anew. */
  async function openShort(instance: string, path: string) {
    const window = await open(instance, '/keys');
    const { page } = window;
    await page.route('**/graphql/stream', () => {});
    await page.route('**/graphql', (route) => {
      const { variables, ...asked } = route.request().postDataJSON() as Asked;
      return route.continue({
        postData: { ...asked, variables: 'first' in variables ? { ...variables, first: 2 } : variables },
      });
    });
    await page.goto(`/dashboard/i/${instance}${path}`);
    await settled(page);
    return { ...window, more: page.getByRole('button', { name: 'Load more' }) };
  }

  test('conversations of a user, where a page that fails says so and is asked for again', async () => {
    const { access, id } = await world.instance();
    for (const conversationId of ['morning', 'noon', 'evening']) {
      const messages = [{ role: 'user', content: 'How many boats are there?' }];
      await world.app.addMessages(access, { conversationId, userId: 'ada', messages });
    }
    const { page, more } = await openShort(id, '/users/ada');
    const rows = page.locator('.choice');
    await expect.poll(() => rows.count()).toBe(2);
    const fail = (route: Route) => route.fulfill({ status: 503, body: 'busy' });
    await page.route('**/graphql', fail);
    await more.click();
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute('**/graphql', fail);
    await more.click();
    await expect.poll(() => rows.count()).toBe(3);
    expect(await more.count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('entities of a user', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt. I met Ingrid Keller. I met Paula Novak.', day(1));
    const { page, more } = await openShort(id, '/users/ada');
    const mentions = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Mentions' }) });
    await expect.poll(() => mentions.getByRole('link').count()).toBe(2);
    await more.first().click();
    await expect.poll(() => mentions.getByRole('link').count()).toBeGreaterThan(2);
  });

  test('memories of an entity, of which a later one is split off too', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('Odile Brandt repaired the harmonium.', day(2));
    await ada.says('Odile Brandt tuned the piano.', day(3));
    const [odile] = (await world.app.entities(access, { q: 'Odile Brandt' }, { limit: 1 })).data;
    const window = await openShort(id, `/entities/${odile!.id}`);
    const { page, more } = window;
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(2);
    await more.click();
    await page
      .getByLabel(/Means another: .*harbour/)
      .last()
      .check();
    await page.getByRole('button', { name: 'Split off what is chosen' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(odile!.id));
    await expect.poll(() => page.textContent('main')).not.toContain('harmonium');
    expectCalm(window);
  });

  test('a page that was asked for before its list was loaded anew is not added to it', async () => {
    const { access, id } = await world.instance();
    for (const name of ['one', 'two', 'three']) {
      const url = `https://example.com/${name}`;
      await world.app.webhooks.create(access, { url, description: name, eventTypes: ['config.applied'] });
    }
    const window = await openShort(id, '/webhooks');
    const { page, more } = window;
    const rows = page.locator('tbody tr');
    const held = await hold(page, ({ variables }) => variables['after'] !== undefined);
    await more.click();
    await held.asked;
    const again = page.waitForResponse((answer) => answer.url().endsWith('/graphql'));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))); // it is seen again
    await again;
    held.release();
    await more.waitFor();
    expect(await rows.count()).toBe(2);
    await more.click();
    await expect.poll(() => rows.count()).toBe(3);
    expectCalm(window);
  });
});

describe('live pages', () => {
  test('entities and pairs that come up show in open windows by themselves', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    const [entities, reviews] = [await open(id, '/entities'), await open(id, '/reviews')];
    await entities.page.getByRole('heading', { name: 'No entity yet' }).waitFor();
    await reviews.page.getByRole('heading', { name: 'Nothing waits for a decision' }).waitFor();
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('Mrs. Brandt repaired the harmonium.', day(2));
    await entities.page.getByRole('link', { name: 'Odile Brandt' }).first().waitFor();
    await reviews.page.getByRole('heading', { name: 'Odile Brandt' }).waitFor();
    expectCalm(entities);
    expectCalm(reviews);
  });

  test('a pair that somebody looks at stays while others come up', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('Mrs. Brandt repaired the harmonium.', day(2));
    const window = await open(id, '/keys');
    const { page } = window;
    const connected = page.waitForResponse((answer) => answer.url().endsWith('/graphql/stream'));
    await page.getByRole('link', { name: 'Review queue' }).click();
    await page.getByRole('heading', { name: 'Odile Brandt' }).waitFor();
    await connected;
    await ada.says('I met Ingrid Keller at the harbour.', day(3));
    await ada.says('Mrs. Keller repaired the boat.', day(4));
    await page.getByRole('button', { name: 'Show what changed since' }).waitFor();
    await page.getByRole('heading', { name: 'Odile Brandt' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Show what changed since' }).click();
    await expect.poll(() => page.getByRole('listitem').count()).toBe(2);
    expectCalm(window);
  });

  test('a window that is seen again shows the webhooks that were made meanwhile', async () => {
    const { access, id } = await world.instance();
    const window = await open(id, '/webhooks');
    const { page } = window;
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
    const url = 'https://example.com/elsewhere';
    await world.app.webhooks.create(access, { url, description: 'billing', eventTypes: ['config.applied'] });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('link', { name: url }).waitFor();
    expectCalm(window);
  });

  test('a page that is kept open is audited for what it shows first, and not again for the same', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I am allergic to peanuts.', day(1));
    const { page } = await open(id, '/memories');
    await page.getByRole('link', { name: 'I am allergic to peanuts.' }).first().waitFor();
    const { data: before } = await world.app.memories(access, {}, { limit: 100 });
    const [first, ...others] = await readsOf(access);
    expect(others).toEqual([]);
    expect(first!.Memory!.ids.toSorted()).toEqual(before.map((memory) => memory.id).toSorted());
    await ada.says('My sister Anna lives in Leeds.', day(2));
    await page.getByRole('link', { name: 'My sister Anna lives in Leeds.' }).first().waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'My sister Anna lives in Leeds.' }).first().waitFor();
    const { data: after } = await world.app.memories(access, {}, { limit: 100 });
    const read = (await readsOf(access)).flatMap(({ Memory }) => Memory?.ids ?? []);
    expect(read.toSorted()).toEqual(after.map((memory) => memory.id).toSorted()); // each once
  });

  test('a page that is open while the service restarts is told what changes afterwards', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    await ada.says('I live in Leeds.', day(1));
    const { page } = await open(id, '/keys');
    const answered = () => page.waitForResponse((answer) => answer.url().endsWith('/graphql/stream') && answer.ok());
    let connected = answered();
    await page.getByRole('link', { name: 'Memories' }).click();
    await page.getByRole('link', { name: 'I live in Leeds.' }).first().waitFor();
    await connected;
    connected = answered();
    await browsing.dashboard.restart();
    await connected;
    await ada.says('I am allergic to peanuts.', day(2));
    await page.getByRole('link', { name: 'I am allergic to peanuts.' }).first().waitFor();
    expect(await page.getByText('Not live').count()).toBe(0);
  });

  test('a page says that it is not live while it is not, and is again by itself', async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    const { page } = await open(id, '/keys');
    await page.route('**/graphql/stream', (route) => route.abort());
    await page.getByRole('link', { name: 'Memories' }).click();
    const hint = page.getByRole('status').getByText('Not live');
    await hint.waitFor();
    await page.unroute('**/graphql/stream');
    await hint.waitFor({ state: 'detached' });
    await ada.says('I am allergic to peanuts.', day(1));
    await page.getByRole('link', { name: 'I am allergic to peanuts.' }).first().waitFor();
    expect(await hint.count()).toBe(0);
  });

  /** What was read of an instance, as its audit has it, the latest first. */
  async function readsOf({ instance }: Access): Promise<Record<string, { ids: string[] }>[]> {
    const { clientId } = await world.app.administration.instance(world.admin, instance);
    const { data } = await world.app.administration.clientAudit(world.admin, clientId, { limit: 100 });
    return data
      .filter(({ action, target }) => action === 'content.read' && target === instance)
      .map(({ after }) => after as Record<string, { ids: string[] }>);
  }
});

describe('the review queue, by keyboard', () => {
  async function inDoubt(access: Access) {
    const ada = await world.user('ada', { access });
    await ada.says('I met Odile Brandt at the harbour.', day(1));
    await ada.says('Mrs. Brandt repaired the harmonium.', day(2));
  }
  const waiting = async (access: Access) => (await world.app.reviews(access, {}, { limit: 10 })).data.length;

  test('y links a pair with one key, and u makes it two again', async () => {
    const { access, id } = await world.instance();
    await inDoubt(access);
    const window = await open(id, '/reviews');
    const { page } = window;
    await page.getByRole('heading', { name: 'Odile Brandt' }).waitFor();
    await page.getByText('I met Odile Brandt at the harbour.').first().waitFor();
    await page.keyboard.press('y');
    await page.getByText('Linked. Press u to undo.').waitFor();
    expect(await waiting(access)).toBe(0);
    await page.keyboard.press('u');
    await page.getByText('Undone: they are two again.').waitFor();
    expectCalm(window);
  });

  test('a key that is pressed in a menu decides nothing', async () => {
    const { access, id } = await world.instance();
    await inDoubt(access);
    const window = await open(id, '/reviews');
    const { page } = window;
    await page.getByRole('heading', { name: 'Odile Brandt' }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).press('Enter');
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('y');
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await page.getByText('There is nothing to undo.').waitFor();
    expect(await waiting(access)).toBe(1);
    expectCalm(window);
  });

  test('n keeps a pair apart', async () => {
    const { access, id } = await world.instance();
    await inDoubt(access);
    const { page } = await open(id, '/reviews');
    await page.getByRole('heading', { name: 'Odile Brandt' }).waitFor();
    await page.getByRole('tab', { name: 'Kept apart' }).click();
    await page.getByText('Pairs appear here once a person decided that they are two.').waitFor();
    await page.getByRole('tab', { name: 'To decide' }).click();
    await page.getByRole('heading', { name: 'Odile Brandt' }).waitFor();
    await page.keyboard.press('n');
    await page.getByText('Kept apart.').waitFor();
    await page.getByRole('heading', { name: 'Nothing waits for a decision' }).waitFor();
    expect(await waiting(access)).toBe(0);
    await page.getByRole('tab', { name: 'Kept apart' }).click();
    await page.getByRole('link', { name: 'Odile Brandt' }).waitFor();
  });

  test('50 pairs are decided with a key each, and chosen ones together', { timeout: 180_000 }, async () => {
    const { access, id } = await world.instance();
    const ada = await world.user('ada', { access });
    const said = surnames.map(
      ({ given, family }) => `I met ${given} ${family} at the harbour. Mrs. ${family} repaired the harmonium.`,
    );
    // One document asks for forty reviews at most.
    await ada.says(said.slice(0, 25).join(' '), day(1));
    await ada.says(said.slice(25).join(' '), day(2));
    const pairs = (await world.app.reviews(access, {}, { limit: 100 })).data.length;
    expect(pairs).toBeGreaterThanOrEqual(50);
    const window = await open(id, '/reviews');
    const { page } = window;
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    for (let n = 0; n < 47; n += 1) await page.keyboard.press('n');
    for (let n = 0; n < 3; n += 1) for (const key of ['x', 'j']) await page.keyboard.press(key);
    await page.getByText('3 chosen').waitFor();
    await page.keyboard.press('n');
    await expect.poll(async () => (await world.app.reviews(access, {}, { limit: 100 })).data.length).toBe(pairs - 50);
    expectCalm(window);
  });
});

/** Fifty names of people that nothing else says. */
const surnames = [
  'Brandt',
  'Keller',
  'Novak',
  'Silva',
  'Moreau',
  'Larsen',
  'Rossi',
  'Kovacs',
  'Haas',
  'Petrov',
].flatMap((stem, n) =>
  ['', 'er', 'mann', 'sen', 'ova'].map((ending, m) => ({
    given: ['Odile', 'Ingrid', 'Paula', 'Renata', 'Sonja'][(n + m) % 5]!,
    family: `${stem}${ending}`,
  })),
);

describe('webhooks', () => {
  const receivers: { close(): void }[] = [];
  afterAll(() => receivers.forEach((receiver) => receiver.close()));

  test('one is made, tested, delivered again, given another secret and deleted', async () => {
    const { id } = await world.instance();
    const receiver = await openReceiver(() => ({ status: 503 }));
    receivers.push(receiver);
    const window = await open(id, '/webhooks');
    const { page } = window;
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByRole('dialog').getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByLabel('Signing secret').textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect.poll(() => receiver.received.length).toBe(1);
    await page.getByLabel('State').selectOption('PENDING');
    await page.getByText('503').first().waitFor();
    receiver.answers(() => ({ status: 204 }));
    await page.getByRole('button', { name: 'Redeliver' }).first().click();
    await expect.poll(() => receiver.received.length).toBe(2);
    await page.getByRole('button', { name: 'Rotate secret…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('Former secret signs until').waitFor();
    expect(await page.getByLabel('Signing secret').textContent()).not.toBe(secret);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
    expectCalm(window);
  });
});

describe('setup', () => {
  test('a use-case file becomes a draft with its reasons, is reviewed, applied and rolled back', async () => {
    const { id } = await world.instance();
    const window = await open(id, '/configurations');
    const { page } = window;
    const file = '# Clinic\n\nA patient assistant. Records must be kept for seven years for compliance.\n';
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'clinic.md', mimeType: 'text/markdown', buffer: Buffer.from(file) });
    await page.getByRole('heading', { name: 'Version 2.0.0' }).waitFor();
    await page.getByRole('tab', { name: 'Choices and their reasons' }).click();
    await page.getByText('Records must be kept for seven years').first().waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edited = page.getByLabel('Edit');
    await edited.fill(
      (await edited.inputValue()).replace(/"confidenceThreshold": [\d.]+/, '"confidenceThreshold": 0.8'),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('dt', { hasText: 'Least confidence' }).locator('+ dd').getByText('0.80').waitFor();
    await page.getByRole('button', { name: 'Send to review' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The next retention sweep takes nothing under this version.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.locator('.page-head').getByText('active', { exact: true }).waitFor();
    await page.goto(`/dashboard/i/${id}/configurations/1`);
    await page.getByRole('button', { name: 'Roll back to this version' }).click();
    await page.getByRole('heading', { name: 'Version 3.0.0' }).waitFor();
    expectCalm(window);
  });

  test('a version is applied once what it changes and what would expire are known', async () => {
    const { id } = await world.instance();
    const window = await open(id, '/configurations');
    const { page } = window;
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'clinic.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Clinic\n\nA patient assistant.\n'),
    });
    await page.getByRole('button', { name: 'Send to review' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    const held = await hold(page, ({ operationName }) => operationName === 'Expiring');
    await page.getByRole('button', { name: 'Apply' }).click();
    await held.asked;
    const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply' });
    expect(await apply.isDisabled()).toBe(true);
    held.release();
    await expect.poll(() => apply.isEnabled()).toBe(true);
    expectCalm(window);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.route('**/graphql', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => page.getByRole('dialog').getByRole('alert').count()).toBe(2);
    expect(await apply.isDisabled()).toBe(true);
  });

  test('an instance is made for a client, and takes a key at once', async () => {
    const { id: clientId } = await world.app.administration.createClient(world.admin, { name: 'Harbour clinic' });
    const window = await browsing.open('/dashboard/clients', { cookie: browsing.owner });
    const { page } = window;
    const client = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Harbour clinic' }) });
    await client.getByRole('button', { name: 'New instance' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Intake');
    await page.getByRole('button', { name: 'Create' }).click();
    await client.getByRole('row').filter({ hasText: 'Intake' }).getByText('active').waitFor();
    await client.getByRole('link', { name: 'Intake' }).click();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByLabel('Your new key').textContent();
    const { data } = await world.app.instances(world.admin, { limit: 10 }, { clientId });
    expect(await world.app.authenticate(`Bearer ${secret}`)).toMatchObject({ access: { instance: data[0]!.id } });
    expectCalm(window);
  });

  test('what is refused is said in the dialog, which stays open', async () => {
    const { id: clientId } = await world.app.administration.createClient(world.admin, { name: 'Closed clinic' });
    const { page } = await browsing.open('/dashboard/clients', { cookie: browsing.owner });
    const client = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Closed clinic' }) });
    await client.getByRole('button', { name: 'New instance' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Intake');
    await world.app.administration.moveClient(world.admin, { id: clientId, event: 'deactivate' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('this client is inactive');
  });

  test('an instance is suspended when that is confirmed', async () => {
    const { id: clientId } = await world.app.administration.createClient(world.admin, { name: 'Busy clinic' });
    const { id } = await world.app.createInstance(world.admin, { name: 'Intake', clientId });
    const state = async () => (await world.app.administration.instance(world.admin, id)).state;
    const { page } = await browsing.open('/dashboard/clients', { cookie: browsing.owner });
    const client = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Busy clinic' }) });
    await client.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await state()).toBe('active');
    await client.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await client.getByText('suspended').waitFor();
    expect(await state()).toBe('suspended');
  });

  test('who clicks twice makes one key, and its secret is selected where it cannot be copied', async () => {
    const { access, id } = await world.instance();
    const { page } = await open(id, '/keys');
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Label').fill('twice');
    await page.getByRole('button', { name: 'Create' }).dblclick();
    const secret = await page.getByLabel('Your new key').textContent();
    const { data } = await world.app.keys(world.asAdmin(access), { limit: 10 });
    expect(data.filter(({ label }) => label === 'twice')).toHaveLength(1);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Selected' }).waitFor();
    expect(await page.evaluate(() => getSelection()!.toString().trim())).toBe(secret);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor(); // nothing of the next one is
  });

  test('a key is shown once, and revoked in another window', async () => {
    const { id } = await world.instance();
    const one = await open(id, '/keys');
    await one.page.getByRole('button', { name: 'New key' }).click();
    await one.page.getByLabel('Label').fill('support bot');
    await one.page.getByRole('button', { name: 'Create' }).click();
    const secret = await one.page.getByLabel('Your new key').textContent();
    expect(secret).toMatch(/^presage_\w{43}$/);
    const other = await open(id, '/keys');
    const row = other.page.getByRole('row').filter({ hasText: 'support bot' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    await expect(world.app.authenticate(`Bearer ${secret}`)).rejects.toMatchObject({ code: 'unauthenticated' });
    await one.page.reload();
    await settled(one.page);
    expect(await one.page.content()).not.toContain(secret);
  });
});

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
    await world.app.configuring.init(world.asAdmin(access), {
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
    await page.getByRole('tab', { name: 'Choices and their reasons' }).click();
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
