import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };

/** A span as a collector shows it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

const valueOf = ({ stringValue, intValue, doubleValue, boolValue }: Value) =>
  stringValue ?? doubleValue ?? boolValue ?? (intValue === undefined ? null : Number(intValue));
const attributesOf = (attributes: readonly { key: string; value: Value }[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

/** A real collector on loopback, as far as OTLP over HTTP goes; what comes as JSON is read. */
export async function openOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, any>();
  const bodies: Buffer[] = [];
  const types = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const type = request.headers['content-type'];
    bodies.push(body);
    types.add(type);
    if (type === 'application/json') take(JSON.parse(body.toString()));
    response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : '');
  });
  const take = ({ resourceSpans = [], resourceMetrics = [] }: any) => {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope: any) => scope.spans))
        spans.push({
          ...span,
          parentSpanId: span.parentSpanId || undefined,
          attributes: attributesOf(span.attributes),
          isError: span.status?.code === 2,
          resource: attributesOf(resource.attributes),
        });
    for (const { scopeMetrics } of resourceMetrics)
      for (const metric of scopeMetrics.flatMap((scope: any) => scope.metrics)) metrics.set(metric.name, metric);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** The last that came of each metric, by its name. */
    metrics,
    /** All bytes that came. */
    text: () => Buffer.concat(bodies).toString('latin1'),
    types,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type OtlpReceiver = Awaited<ReturnType<typeof openOtlpReceiver>>;
