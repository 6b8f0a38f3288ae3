import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Registry } from 'prom-client';
import { newUuid } from '../../domain/ids.ts';
import { version } from '../../version.ts';
import { createPrometheusProducer } from './prometheus-producer.ts';
import type { OpenTelemetrySettings } from './settings.ts';

/** A collector that does not answer keeps no process from ending. */
const lastWordsMs = 2_000;
/** One line tells of an outage; the SDK would tell of each batch that it lost. */
const toldAgainAfterMs = 60_000;

export interface OpenTelemetryOptions {
  /** The kind of process, such as `api`. */
  readonly process: string;
  /** The metrics that `/metrics` shows: they are sent under their names. */
  readonly registry: Registry;
  /** Receives the warnings of the SDK. */
  readonly warn: (complaint: string) => void;
}

/** Sends the spans and metrics of this process to the collector, from now until `close`. Once in a process. */
export async function openTelemetry(
  settings: OpenTelemetrySettings,
  { process: name, registry, warn }: OpenTelemetryOptions,
) {
  diag.setLogger(complainer(warn), DiagLogLevel.WARN);
  const resource = resourceFromAttributes({
    'service.name': 'presage',
    'service.version': version,
    'service.instance.id': newUuid(),
    'presage.process': name,
  }).merge(detectResources({ detectors: [envDetector] })); // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before
  const closing: (() => Promise<void>)[] = [];
  if (settings.sendsTraces) {
    const exporter = await spanExporter(settings);
    const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.sendSpansEveryMs });
    const provider = new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors: [processor] });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(provider);
    closing.push(() => provider.shutdown());
  }
  if (settings.sendsMetrics) {
    const reader = new PeriodicExportingMetricReader({
      exporter: await metricExporter(settings),
      exportIntervalMillis: settings.sendMetricsEveryMs,
      exportTimeoutMillis: Math.min(settings.sendMetricsEveryMs, 30_000),
      metricProducers: [createPrometheusProducer(registry, resource)],
    });
    const provider = new MeterProvider({ resource, readers: [reader] });
    closing.push(() => provider.shutdown());
  }
  return {
    /** Sends what is left. */
    async close(): Promise<void> {
      const sent = Promise.allSettled(closing.map((close) => close()));
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, lastWordsMs).unref())]);
    },
  };
}

async function spanExporter({ protocol }: OpenTelemetrySettings) {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter();
}

async function metricExporter({ protocol }: OpenTelemetrySettings) {
  const { OTLPMetricExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'));
  return new OTLPMetricExporter();
}

function samplerOf({ sampler, sampledShare }: OpenTelemetrySettings): Sampler {
  const root = sampler.endsWith('always_off')
    ? new AlwaysOffSampler()
    : sampler.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(sampledShare)
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function complainer(warn: (complaint: string) => void) {
  let toldAt = -Infinity;
  const tell = (complaint: string) => {
    if (performance.now() - toldAt < toldAgainAfterMs) return;
    toldAt = performance.now();
    warn(complaint.slice(0, 500));
  };
  const ignore = () => undefined;
  return { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
}
