import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Hands WebSocket upgrades on a path to `take`. With an `upgrade` listener Node hands over every request that offers one,
 * and drops its body. Java's HTTP client offers HTTP/2 (h2c) on each request, so any other offer is replayed as an ordinary
 * request: a server may always ignore the offer (RFC 9110, section 7.8).
 */
export function takeUpgrades(
  server: Server,
  path: string,
  take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (isWebSocket && pathOf(request) === path) return take(request, socket, head);
    socket.unshift(Buffer.concat([withoutOffer(request), head]));
    server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
  });
}

const pathOf = ({ url }: IncomingMessage) => url?.split('?', 1)[0];

const offers = new Set(['upgrade', 'http2-settings', 'connection']);

/** The head of the request as it was sent, without the offer. */
function withoutOffer({ method, url, httpVersion, rawHeaders, headers }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!offers.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  if (/\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
