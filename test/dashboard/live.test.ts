import { describe, expect, test } from 'vitest';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';
import { expectCalm, openBrowser } from './open-browser.ts';

const world = openWorld({});
const browsing = openBrowser(world);
const { openInstance: open } = browsing;

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
