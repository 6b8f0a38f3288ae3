import { Counter, Gauge, Histogram } from 'prom-client';
import {
  streamCounters,
  durationBuckets,
  storedMetricName,
  durationMetricNames,
  type StreamMetrics,
} from '../domain/anticipation/stream-statistics.ts';
import type { Metering } from '../domain/metering/metering.ts';
import type { Telemetry } from '../telemetry.ts';

/** The help text of each metric, for operators. */
const help = {
  streams: 'Streams that were opened.',
  bundles: 'Bundles that were sent.',
  withdrawals: 'Withdrawals that were sent.',
  throttles: 'Throttle notices that were sent.',
  pushed: 'Memories that were sent, each once a stream.',
  pushed_tokens: 'Tokens of those memories.',
  useful: 'Of those memories, the ones that were reported used later.',
  useful_tokens: 'Tokens of those.',
  used: 'Memories that were reported used, each once for a message.',
  used_from_bundle: 'Of those, the ones that were in the current bundle before the message was complete.',
  stale_serves: 'Memories that were withdrawn from a stream and came again in a bundle chosen before. Must stay 0.',
  stale_prevented: 'Memories that ended after they were chosen, and were caught before they went out.',
  latency: 'From a signal to the bundle that answers it.',
  lead_time: 'From the first bundle that brought a memory to the message that it was used for.',
} as const;

/** Counts streams for their instance, with its usage, and for this process, without telling instances apart. */
export function openStreamMetrics(metering: Metering, { registry }: Pick<Telemetry, 'registry'>): StreamMetrics {
  const registers = [registry];
  const counted = Object.fromEntries(
    streamCounters.map((name) => [
      name,
      new Counter({ name: `presage_anticipation_${name}_total`, help: help[name], registers }),
    ]),
  );
  const timed = Object.fromEntries(
    Object.entries(durationBuckets).map(([name, bounds]) => [
      name,
      new Histogram({
        name: `presage_anticipation_${name}_seconds`,
        help: help[name as keyof typeof durationBuckets],
        buckets: bounds.map((ms) => ms / 1_000),
        registers,
      }),
    ]),
  );
  const open = new Gauge({ name: 'presage_anticipation_open_streams', help: 'Streams that are open.', registers });
  return {
    count(instanceNumber, counter, by = 1) {
      counted[counter]!.inc(by);
      metering.count(instanceNumber, storedMetricName(counter), by);
    },
    recordDuration(instanceNumber, duration, ms) {
      timed[duration]!.observe(ms / 1_000);
      const { bound, sum } = durationMetricNames(duration, ms);
      metering.count(instanceNumber, bound);
      metering.count(instanceNumber, sum, Math.round(ms));
    },
    recordSignal: (instanceNumber, signal, outcome) =>
      metering.measure(instanceNumber, 'stream', { variant: signal, ...outcome }),
    opened: () => open.inc(),
    closed: () => open.dec(),
  };
}
