import { z } from 'zod';

const milliseconds = z.coerce.number({ error: 'must be a number of milliseconds' }).int().min(1).max(3_600_000);
const exporter = z.enum(['otlp', 'none']).default('otlp');

/** The variables that are read, with the names and meanings of OpenTelemetry's specification. */
const Variables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({
    protocol: /^https?$/,
    error: 'must be an http or https address, such as http://127.0.0.1:4318',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], {
      error: 'must be http/protobuf or http/json, for which collectors listen on port 4318; grpc is not spoken',
    })
    .default('http/protobuf'),
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number({ error: 'must be a share from 0 to 1' }).min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds.default(5_000),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds.default(60_000),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: z
    .string()
    .toLowerCase()
    .pipe(
      z.enum(['true', 'false', 'no_content', 'span_only', 'event_only', 'span_and_event'], {
        error: 'must be true or false',
      }),
    )
    .default('false')
    .transform((value) => ['true', 'span_only', 'span_and_event'].includes(value)),
});

/** The signals that are exported, and what they may hold. The exporters read addresses and headers themselves. */
export type OpenTelemetrySettings = ReturnType<typeof toSettings>;

const toSettings = (set: z.output<typeof Variables>) => ({
  protocol: set.OTEL_EXPORTER_OTLP_PROTOCOL,
  sendsTraces: set.OTEL_TRACES_EXPORTER === 'otlp',
  sendsMetrics: set.OTEL_METRICS_EXPORTER === 'otlp',
  sampler: set.OTEL_TRACES_SAMPLER,
  /** The share of traces that a sampler by ratio keeps, 0 to 1. */
  sampledShare: set.OTEL_TRACES_SAMPLER_ARG,
  sendSpansEveryMs: set.OTEL_BSP_SCHEDULE_DELAY,
  sendMetricsEveryMs: set.OTEL_METRIC_EXPORT_INTERVAL,
  /** Spans hold queries and memories in clear. */
  capturesText: set.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
});

/** Null where nothing is to be sent: whatever else the variables say is not looked at then. Throws with every mistake. */
export function readOpenTelemetrySettings(variables: NodeJS.ProcessEnv): OpenTelemetrySettings | null {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  if (set['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined || set['OTEL_SDK_DISABLED'] === 'true') return null;
  const { data, error } = Variables.safeParse(set);
  if (!data) throw new Error(`the environment is wrong:\n${z.prettifyError(error)}`);
  return toSettings(data);
}
