import type { FastifyRequest } from 'fastify';

const protocols = new Set(['http', 'https']);

/** The server as whoever asks calls it; a proxy before us tells how. Undefined where that is no address. */
export function baseUrlOf({ host, protocol }: FastifyRequest): string | undefined {
  const url = `${protocol}://${host}`;
  return protocols.has(protocol) && URL.canParse(url) ? new URL(url).origin : undefined;
}
