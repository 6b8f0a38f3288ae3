import type { Command } from 'commander';
import type { z } from 'zod';
import type { DeliveryRecord, WebhookRecord, WebhookWithSecretRecord } from '../transports/rest/webhook-records.ts';
import { toQueryString } from './api.ts';
import { parseCount } from './options.ts';
import { readPages } from './pages.ts';
import type { RunCommand } from './command-session.ts';
import { formatTable } from './table.ts';

type Webhook = z.output<typeof WebhookRecord>;
type WebhookWithSecret = z.output<typeof WebhookWithSecretRecord>;
type Delivery = z.output<typeof DeliveryRecord>;

/** The addresses that an instance's events are sent to, and the outcome of each delivery. */
export function addWebhookCommands(program: Command, run: RunCommand): void {
  const webhooks = program
    .command('webhooks')
    .description('manage the URLs that events are sent to, and their deliveries');
  webhooks
    .command('list')
    .description('list webhooks, newest first')
    .action(() =>
      run(async ({ agent, tell }) => {
        const page = await readPages<Webhook>(agent, webhooksPath);
        const rows = page.data.map((each) => ({
          webhook: each.webhook_id,
          state: stateOf(each),
          events: each.event_types.join(','),
          address: each.url,
        }));
        tell(page, () => formatTable(rows, 'There is no webhook yet.'));
      }),
    );
  webhooks
    .command('create <url>')
    .description('send events to an address, and print the secret that they are signed with once')
    .requiredOption('--events <type...>', 'which, such as conversation.ended config.applied')
    .option('--description <text>', 'what it is for')
    .action((url: string, { events, description }: { events: string[]; description?: string }) =>
      run(async ({ agent, tell }) => {
        const body = { url, event_types: events, ...(description === undefined ? {} : { description }) };
        const made = await agent.send<WebhookWithSecret>('POST', webhooksPath, body);
        tell(made, () => `${made.secret}\n${made.webhook_id}: the secret is shown once, keep it`);
      }),
    );
  webhooks
    .command('rotate <webhook-id>')
    .description('make another secret, and print it once; for a day the previous one signs too')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const made = await agent.send<WebhookWithSecret>('POST', `${pathOf(id)}/rotate-secret`);
        tell(made, () => `${made.secret}\n${id}: the previous secret signs until ${made.previous_secret_expires_at}`);
      }),
    );
  addSwitches(webhooks, run);
  webhooks
    .command('delete <webhook-id>')
    .description('delete one with its deliveries; what was still to be sent is not')
    .action((id: string) =>
      run(async ({ agent, tell, confirm }) => {
        const { url } = await agent.get<Webhook>(pathOf(id));
        await confirm(`Delete the webhook ${id} (${url}) with all that is still to be sent to it?`);
        tell(await agent.send('DELETE', pathOf(id)), () => `${id} is deleted`);
      }),
    );
  addDeliveryCommands(webhooks, run);
}

function addSwitches(webhooks: Command, run: RunCommand): void {
  const switches = {
    enable: { state: 'active', does: 'send to it again, also the deliveries that were pending' },
    disable: { state: 'disabled', does: 'send nothing to it until it is enabled' },
  } as const;
  for (const [name, { state, does }] of Object.entries(switches)) {
    webhooks
      .command(`${name} <webhook-id>`)
      .description(does)
      .action((id: string) =>
        run(async ({ agent, tell }) => {
          const changed = await agent.send<Webhook>('PATCH', pathOf(id), { state });
          tell(changed, () => `${id} is ${changed.state}`);
        }),
      );
  }
}

/** Events on their way to a webhook, and what the receiver answered. */
function addDeliveryCommands(webhooks: Command, run: RunCommand): void {
  webhooks
    .command('test <webhook-id>')
    .description('send it a test event, whatever it subscribes to')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const sent = await agent.send<Delivery>('POST', `${pathOf(id)}/test`);
        tell(sent, () => `${sent.delivery_id} is ${sent.state}: see presage webhooks deliveries ${id}`);
      }),
    );
  webhooks
    .command('deliveries <webhook-id>')
    .description('list its deliveries of the last 30 days, newest first')
    .option('--state <state>', 'only pending, delivered or dead_letter')
    .option('--limit <count>', 'how many at most', parseCount, 20)
    .action((id: string, { state, limit }: { state?: string; limit: number }) =>
      run(async ({ agent, tell }) => {
        const page = await readPages<Delivery>(agent, `${pathOf(id)}/deliveries${toQueryString({ state })}`, limit);
        const rows = page.data.map((each) => ({
          delivery: each.delivery_id,
          made: each.created_at,
          event: each.event_type,
          state: each.state,
          attempts: each.attempts.length,
          'last answer': answerOf(each),
        }));
        tell(page, () => formatTable(rows, 'Nothing was sent to it yet.'));
      }),
    );
  webhooks
    .command('redeliver <delivery-id>')
    .description('deliver one once more, at once and with all retries')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const path = `${webhooksPath}/deliveries/${encodeURIComponent(id)}/redeliver`;
        const sent = await agent.send<Delivery>('POST', path);
        tell(sent, () => `${sent.delivery_id} is ${sent.state}`);
      }),
    );
}

const webhooksPath = '/v1/webhooks';
const pathOf = (id: string) => `${webhooksPath}/${encodeURIComponent(id)}`;

const stateOf = ({ state, disabled_reason: reason, failing_since: since }: Webhook): string =>
  reason ? `${state} (${reason})` : since ? `${state}, failing since ${since}` : state;

/** The receiver's last response, in words; null when nothing was sent yet. */
function answerOf({ attempts }: Delivery): string | number | null {
  const last = attempts.at(-1);
  return last ? (last.status ?? last.failure) : null;
}
