import { z } from 'zod';
import { limits } from '../../domain/limits.ts';
import { timeBucketNames, timeBuckets, operationNames, operations } from '../../domain/metering/operations.ts';
import { LatencyRecord, OperationsRecord, UsageRecord } from './analytics-records.ts';
import { shortTextField, textField, timeField } from '../http/fields.ts';
import { presentPoint, presentUsage } from './present-analytics.ts';
import { defineRoute } from './route.ts';

const group = 'Analytics';

const kept = timeBucketNames.map((bucket) => `${timeBuckets[bucket].kept.toLocaleString('en')} ${bucket}s`).join(', ');
const span = {
  bucket: z
    .enum(timeBucketNames)
    .default('hour')
    .meta({ description: `The length of a step, in UTC. Kept are ${kept}.` }),
  from: timeField(
    'The first step is the one that it lies in. Default: the latest 60 minutes, 24 hours or 30 days.',
  ).optional(),
  to: timeField('Up to here; the step that contains it is included in full. Default: now.').optional(),
};
const variants = operationNames.map((name) => `\`${name}\`: ${operations[name]}`).join('; ');

export const monthField = textField().meta({
  description: 'A calendar month in UTC, such as `2026-11`. Default: the present one.',
});

export const analyticsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/latency',
    useCase: 'analytics.latency',
    group,
    summary: 'Read how long an operation took',
    description:
      'Percentiles, exact to half a percent, of the calls that succeeded; with how many there were, how many failed, and ' +
      'what they returned. A call is there within seconds. Steps in which nothing was called are left out.',
    query: z.strictObject({
      operation: z.enum(operationNames),
      variant: shortTextField(
        limits.variant,
        `Only calls whose variant has all these parts, such as \`fast\` or \`fast/store\`. Variants: ${variants}.`,
      ).optional(),
      ...span,
    }),
    answer: LatencyRecord,
    async handle(app, { access, query }) {
      const { operation, variant = null, bucket } = query;
      const series = await app.analytics.latency(access, query);
      return { body: { operation, variant, bucket, series: series.map(presentPoint) } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/operations',
    useCase: 'analytics.operations',
    group,
    summary: 'Read what was called, and how long it took',
    description: 'Every operation and variant that was called in this time, each as one sum.',
    query: z.strictObject(span),
    answer: OperationsRecord,
    async handle(app, { access, query }) {
      return { body: { data: await app.analytics.operations(access, query) } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/usage',
    useCase: 'analytics.usage',
    group,
    summary: 'Read what your instance used in a month',
    description:
      'API calls, tokens by provider and purpose, and the most memories that it held at a time. Webhook deliveries, probes ' +
      'and what is sent within a stream are no calls; a batch is one.',
    query: z.strictObject({ month: monthField.optional() }),
    answer: UsageRecord,
    async handle(app, { access, query }) {
      return { body: presentUsage(await app.analytics.usage(access, query.month)) };
    },
  }),
];
