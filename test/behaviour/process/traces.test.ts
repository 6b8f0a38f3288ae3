import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import { openProvider, type Provider } from '../../support/provider.ts';
import { migratedPlace, startService, type ServiceProcess } from '../../support/service-process.ts';
import { end, openClient, says, start } from '../grpc/open-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'presage-traces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startTraced = async (name: string, receiver: OtlpReceiver, variables: Record<string, string>) =>
  startService({
    ...(await migratedPlace(join(folder, name))),
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      ...variables,
    },
  });

/** A call as an agent makes it that is traced itself. */
async function call(service: ServiceProcess, method: string, path: string, body?: object) {
  const traceId = randomBytes(16).toString('hex');
  const parentSpanId = randomBytes(8).toString('hex');
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${service.key}`,
      traceparent: `00-${traceId}-${parentSpanId}-01`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer: any = await response.json();
  return { traceId, parentSpanId, status: response.status, answer };
}

describe('where a collector is named', () => {
  let receiver: OtlpReceiver;
  let provider: Provider & AsyncDisposable;
  let service: ServiceProcess;
  beforeAll(async () => {
    [receiver, provider] = await Promise.all([openOtlpReceiver(), openProvider()]);
    service = await startTraced('traced', receiver, {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'tiny',
    });
  });
  afterAll(async () => {
    await service?.stop();
    await provider?.stop();
    receiver?.close();
  });

  const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
  /** The span of this name in a trace, once it has come. */
  const span = async (traceId: string, name: string): Promise<ReceivedSpan> => {
    const found = () => spansOf(traceId).find((each) => each.name === name);
    await expect.poll(() => found() ?? spansOf(traceId).map((each) => each.name)).toMatchObject({ name });
    return found()!;
  };
  const remember = (document: string, mode: string) =>
    call(service, 'POST', '/v1/memories?wait=20', { document, document_type: 'note', mode, user_id: 'ada' });

  test('a document is one trace, from its caller over the worker to the model that reads it', async () => {
    const { traceId, parentSpanId } = await remember('I moved to the harbour quarter in May.', 'long-range');
    const served = await span(traceId, 'POST /v1/memories');
    expect(served).toMatchObject({ kind: 2, parentSpanId, isError: false });
    expect(served.attributes).toMatchObject({ 'http.route': '/v1/memories' });
    expect(served.resource).toMatchObject({
      'service.name': 'presage',
      'presage.process': 'all',
      'deployment.environment.name': 'test',
    });
    const created = await span(traceId, 'create_memory');
    expect(created.parentSpanId).toBe(served.spanId);
    const job = await span(traceId, 'job ingest-document');
    expect(job).toMatchObject({ kind: 5, parentSpanId: created.spanId });
    expect(job.attributes).toMatchObject({
      'gen_ai.operation.name': 'upsert_memory',
      'gen_ai.memory.store.id': expect.stringMatching(/^inst_/),
      'gen_ai.memory.record.count': expect.any(Number),
    });
    const asked = await span(traceId, 'chat tiny');
    expect(asked).toMatchObject({ kind: 3, parentSpanId: (await span(traceId, 'extracting')).spanId });
    expect(asked.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'tiny',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
    });
    expect(provider.asked.map(({ traceparent }) => traceparent)).toContain(`00-${traceId}-${asked.spanId}-01`);
  });

  test('searching, changing and removing are told by the names of the conventions', async () => {
    const { answer } = await remember('I keep bees behind the old mill.', 'fast');
    const [id] = answer.memory_ids;
    const query = { user_id: 'ada', search_query: 'what do I keep?', mode: 'fast' };
    const fetched = await call(service, 'POST', '/v1/context/fetch', query);
    expect((await span(fetched.traceId, 'search_memory')).attributes).toMatchObject({
      'gen_ai.operation.name': 'search_memory',
      'gen_ai.memory.record.count': fetched.answer.memories.length,
      'presage.mode': 'fast',
      'presage.source': 'store',
    });
    const changed = await call(service, 'PATCH', `/v1/memories/${id}?user_id=ada`, { content: 'Ada keeps hens.' });
    expect((await span(changed.traceId, 'update_memory')).attributes).toMatchObject({ 'gen_ai.memory.record.id': id });
    const removed = await call(service, 'DELETE', `/v1/memories/${id}?user_id=ada`);
    expect((await span(removed.traceId, 'delete_memory')).attributes).toMatchObject({
      'gen_ai.memory.record.id': id,
      'gen_ai.memory.record.count': 1,
    });
    const failed = await call(service, 'DELETE', `/v1/memories/${id}?user_id=ada`);
    expect(await span(failed.traceId, 'delete_memory')).toMatchObject({ isError: true });
    expect((await span(failed.traceId, 'delete_memory')).attributes).toMatchObject({ 'error.type': 'not_found' });
    expect(await span(failed.traceId, 'DELETE /v1/memories/:memory_id')).toMatchObject({ isError: false }); // it is the caller's
  });

  test('GraphQL and streams continue the trace of their caller', async () => {
    const query = { query: '{ context(query: { userId: "ada", searchQueries: ["bees"] }) { totalTokens } }' };
    const asked = await call(service, 'POST', '/graphql', query);
    const found = await span(asked.traceId, 'search_memory');
    const served = await span(asked.traceId, 'POST /graphql');
    expect(served.attributes).toMatchObject({ 'graphql.operation.type': 'query' });
    expect(found.parentSpanId).toBe(served.spanId);

    using client = openClient(service.grpcAddress);
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
    const stream = client.anticipate({ key: service.key, traceparent });
    stream.send(start(), says('where did I put the bees?'));
    while ((await stream.next())?.kind !== 'bundle');
    stream.send(end);
    expect(await stream.ended).toMatchObject({ code: status.OK });
    const streamed = await span(traceparent.slice(3, 35), 'presage.anticipation.v1.Anticipation/Anticipate');
    const predicted = await span(traceparent.slice(3, 35), 'search_memory');
    expect(streamed.attributes).toMatchObject({ 'rpc.grpc.status_code': 0 });
    expect(predicted.attributes).toMatchObject({ 'presage.source': 'stream' });
    expect(predicted.parentSpanId).toBe(streamed.spanId);
  });

  test.each(['the request that opened it', 'connection_init', 'the extensions of the subscription'])(
    'a subscription on a WebSocket continues the trace that is named by %s',
    async (where) => {
      const { answer } = await remember('I keep bees behind the old mill.', 'fast');
      const [traceId, parentSpanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
      const named = (here: string) => (here === where ? { traceparent: `00-${traceId}-${parentSpanId}-01` } : {});
      class Socket extends WebSocket {
        constructor(address: string, protocols: string[]) {
          super(address, protocols, { headers: named('the request that opened it') });
        }
      }
      const client = createClient({
        url: `${service.baseUrl.replace('http', 'ws')}/graphql`,
        webSocketImpl: Socket,
        connectionParams: { authorization: `Bearer ${service.key}`, ...named('connection_init') },
      });
      const query = `subscription { ingestionProgress(id: "${answer.ingestion_id}") { status } }`;
      const events = client.iterate({ query, extensions: named('the extensions of the subscription') });
      expect((await events.next()).value).toMatchObject({ data: { ingestionProgress: { status: 'COMPLETED' } } });
      await events.return?.();
      await client.dispose();
      const served = await span(traceId, 'subscription');
      expect(served).toMatchObject({ kind: 2, parentSpanId, isError: false });
      expect(served.attributes).toMatchObject({
        'graphql.operation.type': 'subscription',
        'gen_ai.memory.store.id': expect.stringMatching(/^inst_/),
      });
    },
  );

  test('the metrics of Prometheus come under their names', async () => {
    const route = (point: any) => point.attributes.find(({ key }: any) => key === 'route')?.value.stringValue;
    const points = () => receiver.metrics.get('presage_http_seconds')?.histogram.dataPoints ?? [];
    await expect.poll(() => points().map(route)).toContain('/v1/context/fetch');
    const fetches = points().find((point: any) => route(point) === '/v1/context/fetch');
    expect(fetches.bucketCounts).toHaveLength(fetches.explicitBounds.length + 1);
    const sum = fetches.bucketCounts.reduce((all: number, count: number | string) => all + Number(count), 0);
    expect(sum).toBe(Number(fetches.count));
    expect(receiver.metrics.get('presage_build_info')).toHaveProperty('gauge');
  });

  test('nothing that anybody said, or that a caller named, leaves the service', async () => {
    await expect.poll(() => receiver.spans.length).toBeGreaterThan(10);
    for (const word of ['harbour', 'bees', 'hens', 'what do I keep', '"ada"', service.key])
      expect(receiver.text()).not.toContain(word);
  });

  test('a line of the log names its trace', async () => {
    const { traceId } = await call(service, 'GET', '/v1/memories?user_id=ada');
    await expect.poll(() => service.output()).toContain(`"trace_id":"${traceId}"`);
  });
});

test('where text is asked for, spans hold it, and a stop sends what is left', async () => {
  const receiver = await openOtlpReceiver();
  const service = await startTraced('captured', receiver, {
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    OTEL_BSP_SCHEDULE_DELAY: '60000', // what a stop sends
  });
  await call(service, 'POST', '/v1/memories?wait=20', {
    document: 'I keep bees.',
    document_type: 'note',
    mode: 'fast',
    user_id: 'ada',
  });
  const query = { user_id: 'ada', search_query: 'what do I keep?', mode: 'fast' };
  await call(service, 'POST', '/v1/context/fetch', query);
  await service.stop();
  expect([...receiver.types]).toEqual(['application/x-protobuf']);
  for (const text of ['gen_ai.memory.query.text', 'what do I keep?', 'gen_ai.memory.records', 'I keep bees.'])
    expect(receiver.text()).toContain(text);
  receiver.close();
});
