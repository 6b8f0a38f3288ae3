import { ValueType, type Attributes } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValueWithName, MetricValue, Registry } from 'prom-client';
import { version } from '../../version.ts';

type HrTime = DataPoint<number>['startTime'];
type Metric = MetricObjectWithValues<MetricValue<string>>;

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];

/** The metrics of a registry in OpenTelemetry's form, so that each is counted once and exported both ways. */
export function createPrometheusProducer(registry: Registry, resource: Resource): MetricProducer {
  const startTime = hrTimeOf(performance.timeOrigin);
  return {
    async collect() {
      const found = (await registry.getMetricsAsJSON()) as Metric[];
      const span = { startTime, endTime: hrTimeOf(Date.now()) };
      const metrics = found.flatMap((metric) => toMetricData(metric, span) ?? []);
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'presage', version }, metrics }] },
        errors: [],
      };
    },
  };
}

function toMetricData(metric: Metric, span: { startTime: HrTime; endTime: HrTime }): MetricData | null {
  const { name, help: description } = metric;
  const common = {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = () => metric.values.map(({ labels, value }) => ({ ...span, attributes: attributesOf(labels), value }));
  switch (String(metric.type)) {
    case 'counter':
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() };
    case 'histogram':
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric, span) };
    default:
      return null;
  }
}

const attributesOf = (labels: Partial<Record<string, string | number>>): Attributes => ({ ...labels });

/** Prometheus counts each bucket with all below it, as values of their own; here a histogram is one point, bucket by bucket. */
function histogramsOf({ name, values }: Metric, span: { startTime: HrTime; endTime: HrTime }): DataPoint<Histogram>[] {
  const byLabels = new Map<string, { attributes: Attributes; upTo: [number, number][]; sum: number; count: number }>();
  for (const { labels, value, metricName } of values as MetricValueWithName<string>[]) {
    const { le, ...others } = labels as Record<string, string | number>;
    const key = JSON.stringify(others);
    const point = byLabels.get(key) ?? { attributes: attributesOf(others), upTo: [], sum: 0, count: 0 };
    byLabels.set(key, point);
    if (metricName === `${name}_sum`) point.sum = value;
    else if (metricName === `${name}_count`) point.count = value;
    else if (le !== '+Inf') point.upTo.push([Number(le), value]);
  }
  return [...byLabels.values()].map(({ attributes, upTo, sum, count }) => {
    const cumulative = [...upTo.map(([, below]) => below), count];
    const counts = cumulative.map((below, n) => below - (cumulative[n - 1] ?? 0));
    return { ...span, attributes, value: { buckets: { boundaries: upTo.map(([le]) => le), counts }, sum, count } };
  });
}
