import { promisify } from 'node:util';
import { gunzip as gunzipWithCallback, gzip as gzipWithCallback } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const gzip = promisify(gzipWithCallback);
const gunzip = promisify(gunzipWithCallback);

/** Sends a public text compressed where the caller takes that. Not for answers that hold secrets: their length would show. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string | { readonly gzipped: Buffer },
): Promise<string | Buffer> {
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
  if (new Negotiator(request).encoding(['gzip', 'identity']) !== 'gzip') {
    return typeof text === 'string' ? text : gunzip(text.gzipped);
  }
  reply.header('content-encoding', 'gzip');
  return typeof text === 'string' ? gzip(text) : text.gzipped;
}
