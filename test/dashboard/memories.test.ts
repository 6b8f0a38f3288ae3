import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../src/domain/anticipation/stream-messages.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';
import { expectCalm, hold, openBrowser, settled, violationsOf, type Asked } from './open-browser.ts';

const world = openWorld({});
const browsing = openBrowser(world);
const { openInstance: open } = browsing;

/** The page of Ingrid Keller, where Odile Brandt was found to be merged with. */
async function mergeOfTwo() {
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
  return { access, window, name, stays };
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
    await page.getByLabel('Also forget every other memory taken from the same turns').check();
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

  test('a user is found by the beginning of their id', async () => {
    const { access, id } = await world.instance();
    for (const name of ['u_7', 'u_8']) await (await world.user(name, { access })).says('I live in Leeds.', day(1));
    const window = await open(id, '/users');
    const { page } = window;
    await page.getByRole('link', { name: 'u_7', exact: true }).waitFor();
    await page.getByLabel('The id begins with').fill('u_8');
    await page.getByRole('link', { name: 'u_7', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'u_8', exact: true }).waitFor();
    await page.getByLabel('The id begins with').fill('nobody');
    await page.getByRole('heading', { name: 'No user with such an id' }).waitFor();
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
    await page.getByRole('dialog').getByLabel('Why').fill('I mixed them up.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.memory-content').getByText('I am allergic to walnuts.').waitFor();
    await page.getByText('I mixed them up.').waitFor();
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
    const others = page.getByLabel('Also forget every other memory taken from the same turns');
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
    await expect.poll(() => page.getByLabel(/Means another: .*harbour/).count()).toBe(0);
    await page
      .getByLabel(/Means another: .*piano/)
      .first()
      .waitFor(); // of the new entity, whose page is another
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
    const { access, window, name, stays } = await mergeOfTwo();
    const { page } = window;
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
    const { window, name, stays } = await mergeOfTwo();
    const { page } = window;
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
