import { afterAll, describe, expect, test } from 'vitest';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { day } from '../support/person.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { openWorld } from '../support/world.ts';
import { expectCalm, hold, openBrowser, settled } from './open-browser.ts';

const world = openWorld({});
const browsing = openBrowser(world);
const { openInstance: open } = browsing;

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

  test('pairs that wait stand one below another, however much is told of the one shown', async () => {
    const { access, id } = await world.instance();
    await inDoubt(access);
    const grace = await world.user('grace', { access });
    await grace.says('I met Maria Lopez at the harbour.', day(1));
    await grace.says('Mrs. Lopez repaired the organ.', day(2));
    const { page } = await open(id, '/reviews');
    const tops: number[] = [];
    for (const name of ['Odile Brandt', 'Maria Lopez'])
      tops.push((await page.getByRole('button', { name }).boundingBox())!.y);
    expect(Math.abs(tops[0]! - tops[1]!)).toBeLessThan(60);
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
    await page.getByText('Previous secret signs until').waitFor();
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
    await page.getByRole('tab', { name: 'Settings from the file' }).click();
    await page.getByText('Records must be kept for seven years').first().waitFor();
    await page.getByRole('tab', { name: 'Settings', exact: true }).click();
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
    await world.app.administration.changeClientState(world.admin, { id: clientId, event: 'deactivate' });
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
