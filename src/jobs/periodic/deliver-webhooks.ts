import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { deliverDueWebhooks } from '../../domain/webhooks/deliver-due.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { getOrCreateMetric, type Telemetry } from '../../telemetry.ts';
import { accessAsWorker } from '../../domain/tenancy/authenticate.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const deliverWebhooksTask: PeriodicTask = {
  name: 'deliver-webhooks',
  description: 'Sends events to the webhooks that subscribe to them, and again those that failed.',
  everyMs: 500,
  run(deps, telemetry, signal) {
    const { log } = telemetry;
    const counter = attempts(telemetry);
    // One that cannot be read is read again for the next delivery, and one that was read is believed for so long.
    const accesses = new LRUCache<bigint, Access>({
      max: 1_000,
      ttl: 1_000,
      fetchMethod: (instanceNumber) => accessAsWorker(deps, { instanceNumber }),
    });
    return deliverDueWebhooks(
      {
        ...deps,
        accessOf: (instanceNumber) => accesses.forceFetch(instanceNumber),
        attempted: ({ failure }) => counter.inc({ outcome: failure ?? 'delivered' }),
        disabled: (webhook) => log.warn(webhook, 'a webhook was disabled'),
        failed: (error) => log.error({ error }, 'a webhook could not be delivered'),
      },
      signal,
    );
  },
};

const attempts = ({ registry }: Telemetry) =>
  getOrCreateMetric(registry, Counter<'outcome'>, {
    name: 'presage_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome: delivered, or why not.',
    labelNames: ['outcome'],
  });
