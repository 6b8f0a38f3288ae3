import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { openServer, type Agent } from '../rest/open-server.ts';
import { isSignedBy, openReceiver, type Receiver } from '../../support/webhook-receiver.ts';

const server = openServer();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

const made = async (agent: Agent, body: object = {}) => {
  const settings = { url: receiver.url, event_types: ['conversation.started'], ...body };
  const answer = await agent.send('POST', '/v1/webhooks', { body: settings });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json<{ webhook_id: string; secret: string }>();
};

describe('over REST', () => {
  test('a webhook is made, tested, read back, changed and deleted', async () => {
    const agent = await server.agent();
    const { webhook_id: id, secret } = await made(agent, { description: 'billing' });
    expect(id).toMatch(/^wh_/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await agent.send('GET', '/v1/webhooks');
    expect(listed.json()).toMatchObject({ data: [{ webhook_id: id, description: 'billing', state: 'active' }] });
    expect(listed.text).not.toContain('whsec_');

    const sent = await agent.send('POST', `/v1/webhooks/${id}/test`);
    expect([sent.status, sent.json()]).toMatchObject([202, { event_type: 'webhook.test', state: 'pending' }]);
    const { delivery_id: delivery, event_id: event } = sent.json<{ delivery_id: string; event_id: string }>();
    const read = async () => (await agent.send('GET', `/v1/webhooks/deliveries/${delivery}`)).json();
    await expect.poll(read).toMatchObject({ state: 'delivered', attempts: [{ status: 204, failure: null }] });
    const received = receiver.received.find(({ headers }) => headers['webhook-id'] === event)!;
    expect(received.event).toMatchObject({ type: 'webhook.test', data: {} });
    expect(received.headers['user-agent']).toMatch(/^Presage\//);
    expect(isSignedBy(secret, received)).toBe(true);

    const again = await agent.send('POST', `/v1/webhooks/deliveries/${delivery}/redeliver`);
    expect([again.status, again.json()]).toMatchObject([202, { state: 'pending' }]);
    await expect.poll(read).toMatchObject({ state: 'delivered', attempts: [{}, {}] });

    const rotated = (await agent.send('POST', `/v1/webhooks/${id}/rotate-secret`)).json<{ secret: string }>();
    expect(rotated.secret).not.toBe(secret);
    const change = { event_types: ['config.applied'], description: null, state: 'disabled' };
    const changed = await agent.send('PATCH', `/v1/webhooks/${id}`, { body: change });
    expect(changed.json()).toMatchObject({ ...change, disabled_reason: 'by_hand', url: receiver.url });
    const refused = await agent.send('POST', `/v1/webhooks/${id}/test`);
    expect([refused.status, refused.json()]).toMatchObject([409, { code: 'conflict' }]);

    expect((await agent.send('DELETE', `/v1/webhooks/${id}`)).json()).toMatchObject({ webhook_id: id });
    expect((await agent.send('GET', `/v1/webhooks/${id}`)).status).toBe(404);
    expect((await agent.send('GET', `/v1/webhooks/deliveries/${delivery}`)).status).toBe(404);
  });

  test.each([
    ['a URL that is none', { url: 'example.com' }, 'url'],
    ['a URL that is too long', { url: `https://example.com/${'a'.repeat(limits.webhookUrl.max)}` }, 'url'],
    ['a URL with a password', { url: 'https://me:secret@example.com/' }, 'url'],
    ['no events', { event_types: [] }, 'event_types'],
    ['an event that is none', { event_types: ['memory.created'] }, 'event_types[0]'],
    ['a secret of one’s own', { secret: 'whsec_mine' }, 'secret'],
  ])('%s is refused by the name of its field', async (_, wrong, field) => {
    const agent = await server.agent();
    const body = { url: receiver.url, event_types: ['config.applied'], ...wrong };
    const answer = await agent.send('POST', '/v1/webhooks', { body });
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'invalid_input', errors: [{ field }] }]);
  });

  test(`an instance has ${limits.webhooks.max} webhooks at most`, async () => {
    const agent = await server.agent();
    for (let n = 0; n < limits.webhooks.max; n++) await made(agent);
    const settings = { url: receiver.url, event_types: ['config.applied'] };
    const answer = await agent.send('POST', '/v1/webhooks', { body: settings });
    expect([answer.status, answer.json()]).toMatchObject([409, { code: 'conflict' }]);
  });

  test('a repetition by its idempotency key tells no secret', async () => {
    const agent = await server.agent();
    const request = {
      body: { url: receiver.url, event_types: ['config.applied'] },
      headers: { 'idempotency-key': 'once' },
    };
    const first = (await agent.send('POST', '/v1/webhooks', request)).json<{ webhook_id: string }>();
    const second = await agent.send('POST', '/v1/webhooks', request);
    expect(second.json()).toMatchObject({ webhook_id: first.webhook_id, secret: null });
  });

  test('each change leaves a row in the audit, and no secret in it', async () => {
    const { access, key } = await server.world.instance();
    const agent = server.agentWith(key);
    const { webhook_id: id } = await made(agent);
    await agent.send('POST', `/v1/webhooks/${id}/rotate-secret`);
    await agent.send('PATCH', `/v1/webhooks/${id}`, { body: { state: 'disabled' } });
    await agent.send('DELETE', `/v1/webhooks/${id}`);
    const rows = await server.world.deps.db.audit.findMany({
      where: { instanceNumber: access.instanceNumber, target: id },
    });
    expect(rows.map(({ action }) => action).toSorted()).toEqual(
      ['webhook.create', 'webhook.delete', 'webhook.rotate_secret', 'webhook.update'].toSorted(),
    );
    const opened = rows.flatMap((row) => [
      row.before && access.keys.open('audit.before', row.id, row.before),
      row.after && access.keys.open('audit.after', row.id, row.after),
    ]);
    expect(opened.join()).not.toContain('whsec_');
  });
});
