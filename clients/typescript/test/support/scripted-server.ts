import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from './vector.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A real server that gives the answers of these exchanges, one after the other, and keeps what it was sent. */
export async function scriptedServer(exchanges: readonly Exchange[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void readRequest(request).then((sent) => {
      const before = exchanges[received.length - 1];
      // By its standard, `fetch` itself sends what was answered 421 once more, on another connection.
      const isRepeatedByFetch = before?.answer.status === 421;
      const exchange = isRepeatedByFetch ? before : exchanges[received.length];
      if (!isRepeatedByFetch) received.push(sent);
      answer(response, exchange?.answer ?? { status: 418, text: 'nobody asked for this' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const [path = '', query = ''] = (request.url ?? '').split('?');
  return {
    method: request.method ?? '',
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: request.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function answer(response: ServerResponse, { status, headers, body, text, ...failure }: Exchange['answer']): void {
  const { cut, silent, stalled } = failure;
  if (silent) return;
  if (cut && status === undefined) {
    response.destroy();
    return;
  }
  const sent = text ?? JSON.stringify(body);
  const type = body === undefined ? 'text/plain' : 'application/json';
  const length = Buffer.byteLength(sent) + (cut || stalled ? 10 : 0); // what is promised and does not come
  response.writeHead(status ?? 200, { 'content-type': type, 'content-length': length, ...headers });
  response.write(sent, () => (cut ? response.destroy() : stalled || response.end()));
}
