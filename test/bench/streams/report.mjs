import { percentile } from '../measure.mjs';
import { budgets } from './budgets.mjs';

const shares = [0.5, 0.95, 0.99];
const round = (ms) => Number(ms.toFixed(1));
const median = (values) => percentile(values, 0.5);

/** Each tells what was measured, by name, and says which budgets are broken. */
export const reports = {
  latency(times) {
    const told = {};
    for (const kind of ['bundles', 'pongs']) {
      for (const name of ['service', 'bare']) {
        const of = shares.map((share) => round(percentile(times[name][kind], share) ?? Infinity));
        told[`${kind}_${name}_ms`] = of.join('/');
      }
      told[`${kind}_above_echo_p99_ms`] = round(above(times, kind));
    }
    told.unanswered = times.service.unanswered;
    const broken = [
      above(times, 'bundles') > budgets.aboveEchoP99Ms &&
        `the p99 from a signal to its bundle is more than ${budgets.aboveEchoP99Ms} ms above the echo's`,
      times.service.unanswered > 0 && `${times.service.unanswered} signals were not answered`,
    ];
    return { told, broken };
  },

  'fan-out'(rows) {
    const of = (name, field) => median(rows[name].map((row) => row[field]));
    const ratio = of('service', 'perSecond') / of('bare', 'perSecond');
    const told = {
      per_second_service: Math.round(of('service', 'perSecond')),
      per_second_bare: Math.round(of('bare', 'perSecond')),
      ratio: ratio.toFixed(2),
      cpu_micros_service: of('service', 'cpuMicros').toFixed(0),
      cpu_micros_bare: of('bare', 'cpuMicros').toFixed(0),
      cpu_ratio: (of('bare', 'cpuMicros') / of('service', 'cpuMicros')).toFixed(2),
    };
    return { told, broken: [ratio < budgets.fanOut && `fan-out is ${ratio.toFixed(2)} of a bare server stream`] };
  },

  endurance({ megabytes, ...counts }) {
    const fifth = Math.max(1, Math.floor(megabytes.length / 5));
    const growth = median(megabytes.slice(-fifth)) / median(megabytes.slice(fifth, 2 * fifth));
    const told = {
      growth: growth.toFixed(2),
      megabytes: `${median(megabytes.slice(fifth, 2 * fifth))}..${median(megabytes.slice(-fifth))}`,
      ...counts,
      slowestPongMs: Math.round(counts.slowestPongMs),
      slowestForgetMs: Math.round(counts.slowestForgetMs),
    };
    const broken = [
      growth > budgets.growth && `memory grew to ${growth.toFixed(2)} times what it was`,
      counts.starved > 0 && `${counts.starved} streams were starved`,
      counts.slowestPongMs > budgets.starvedAfterMs && `a pong took ${Math.round(counts.slowestPongMs)} ms`,
      counts.errors > 0 && `${counts.errors} streams that were read ended`,
      counts.stillHeld > 0 && `${counts.stillHeld} sessions still hold what was forgotten`,
    ];
    return { told, broken };
  },
};

const above = (times, kind) => percentile(times.service[kind], 0.99) - percentile(times.bare[kind], 0.99);

export const resultLine = (part, told) =>
  `RESULT streams ${part} ${Object.entries(told)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`;
