import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { vi } from 'vitest';

/** What a receiver was sent. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly created_at: string;
    readonly instance_id: string;
    readonly data: Record<string, unknown>;
  };
}

/** A status and headers for each request. */
type Answer = (received: Received) => { status: number; headers?: Record<string, string> };

/** A real server that keeps what it is sent. */
export async function openReceiver(answer: Answer = () => ({ status: 204 })) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const one: Received = { headers: request.headers, body, event: JSON.parse(body) };
      received.push(one);
      const { status, headers } = answer(one);
      response.writeHead(status, headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    /** Answers otherwise from now on. */
    answers: (other: Answer) => void (answer = other),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Whether the official library accepts the request as signed by this secret, at the time by this clock. */
export function isSignedBy(secret: string, { headers, body }: Received, at = new Date()): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: at }); // what the library compares the timestamp with
  try {
    new Verifier(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}
