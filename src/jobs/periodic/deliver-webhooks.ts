import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { deliverDue } from '../../domain/webhooks/deliver-due.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf } from '../access-of.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const deliverWebhooks: PeriodicTask = {
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
      fetchMethod: (i) => accessOf(deps, { i }),
    });
    return deliverDue(
      {
        ...deps,
        accessOf: (i) => accesses.forceFetch(i),
        attempted: ({ failure }) => counter.inc({ outcome: failure ?? 'delivered' }),
        disabled: (webhook) => log.warn(webhook, 'a webhook was disabled'),
        failed: (error) => log.error({ error }, 'a webhook could not be delivered'),
      },
      signal,
    );
  },
};

const name = 'presage_webhook_attempts_total';

const attempts = ({ registry }: Telemetry) =>
  (registry.getSingleMetric(name) as Counter<'outcome'> | undefined) ??
  new Counter({
    name,
    help: 'Attempts to deliver an event to a webhook, by outcome: delivered, or why not.',
    labelNames: ['outcome'],
    registers: [registry],
  });
