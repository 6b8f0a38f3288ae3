import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAdminToken } from '../rest/open-server.ts';
import { openDoors } from '../../support/open-doors.ts';
import { isSignedBy, openReceiver, type Receiver } from '../../support/webhook-receiver.ts';

const doors = openDoors();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

describe('over GraphQL', () => {
  test('a viewer is shown where a webhook leads, and not the path that may be its secret', async () => {
    const { access, id: instance } = await doors.world.instance();
    const url = 'https://hooks.example.com/services/T0/s3cret?token=s3cret';
    await doors.world.app.webhooks.create(access, { url, description: null, eventTypes: ['config.applied'] });
    const shownTo = async (role: 'viewer' | 'admin') => {
      const token = await newAdminToken(doors.world, role);
      const query = `{ webhooks(instanceId: "${instance}") { nodes { url } } }`;
      return (await doors.ask(token, query)).json().data.webhooks.nodes[0].url;
    };
    expect(await shownTo('viewer')).toBe('https://hooks.example.com/…');
    expect(await shownTo('admin')).toBe(url);
  });

  test('a webhook is made, tested, changed and deleted, by a key and by an administrator of the instance', async () => {
    const { key, id: instance } = await doors.world.instance();
    const admin = await newAdminToken(doors.world, 'admin');
    for (const [credential, of] of [
      [key, ''],
      [admin, `, instanceId: "${instance}"`],
    ] as const) {
      const ask = async (query: string) => {
        const answer = (await doors.ask(credential, query)).json();
        expect(answer.errors).toBeUndefined();
        return answer.data;
      };
      const input = `{ url: "${receiver.url}", description: "billing", eventTypes: [CONVERSATION_ENDED] }`;
      const { createWebhook: made } = await ask(`mutation { createWebhook(input: ${input}${of}) {
        ... on WebhookWithSecret { secret webhook { id description eventTypes state } } } }`);
      expect(made.webhook).toMatchObject({
        description: 'billing',
        eventTypes: ['CONVERSATION_ENDED'],
        state: 'ACTIVE',
      });
      const hook = `id: "${made.webhook.id}"${of}`;
      const { testWebhook: sent } = await ask(
        `mutation { testWebhook(${hook}) { ... on WebhookDelivery { id eventId } } }`,
      );
      const read = async () =>
        (
          await ask(`{ webhook(${hook}) { deliveries(state: DELIVERED) { totalCount nodes {
          id eventType attempts { status failure } } } } }`)
        ).webhook.deliveries;
      await expect.poll(read).toMatchObject({
        totalCount: 1,
        nodes: [{ id: sent.id, eventType: 'WEBHOOK_TEST', attempts: [{ status: 204, failure: null }] }],
      });
      const received = receiver.received.find(({ event }) => event.id === sent.eventId)!;
      expect(isSignedBy(made.secret, received)).toBe(true);
      const again = `mutation { redeliverWebhook(id: "${sent.id}"${of}) { ... on WebhookDelivery { state } } }`;
      expect((await ask(again)).redeliverWebhook).toEqual({ state: 'PENDING' });
      const change = `mutation { updateWebhook(${hook}, input: { description: null, state: DISABLED }) {
        ... on Webhook { description state disabledReason url } } }`;
      expect((await ask(change)).updateWebhook).toEqual({
        description: null,
        state: 'DISABLED',
        disabledReason: 'BY_HAND',
        url: receiver.url,
      });
      const refused = `mutation { testWebhook(${hook}) { __typename ... on Conflict { message } } }`;
      expect((await ask(refused)).testWebhook).toMatchObject({ __typename: 'Conflict' });
      const gone = `mutation { deleteWebhook(${hook}) { ... on WebhookDeleted { id } } }`;
      expect((await ask(gone)).deleteWebhook).toEqual({ id: made.webhook.id });
      expect((await ask(`{ webhook(${hook}) { id } }`)).webhook).toBeNull();
    }
  });

  test('what is wrong is told by the name of its field', async () => {
    const { key } = await doors.world.instance();
    for (const [input, field] of [
      ['{ url: "ftp://example.com", eventTypes: [CONFIG_APPLIED] }', 'url'],
      ['{ url: "https://example.com", eventTypes: [] }', 'eventTypes'],
    ]) {
      const query = `mutation { createWebhook(input: ${input}) { ... on InvalidInput { fields { field } } } }`;
      const answer = await doors.ask(key, query);
      expect(answer.json()).toMatchObject({
        data: { createWebhook: { fields: [{ field: expect.stringContaining(field!) }] } },
      });
    }
  });
});
