import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/errors.ts';
import { LargeBodyLimiter, type LargeBodyLimits } from './large-body-limiter.ts';
import { readJsonBody, smallBodyBytes } from './read-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no body: an empty one counts as none, whatever its content type. */
    acceptsEmptyBody?: boolean;
  }
  interface FastifyRequest {
    /** Gives back the place that a large body holds until its request is answered. */
    releaseBody: (() => void) | undefined;
    /** The hash of the body, by which a repeated request is told from another: of JSON as it was sent, of a form by its parts. */
    bodyHash: string | undefined;
  }
  interface FastifyInstance {
    largeBodies: LargeBodyLimiter;
  }
}

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;

/** Takes JSON bodies and no others, of one sender only a few large ones at a time. */
export function acceptJson(server: FastifyInstance, limits: Partial<LargeBodyLimits> = {}): void {
  const largeBodies = new LargeBodyLimiter(limits);
  server.decorate('largeBodies', largeBodies);
  server.decorateRequest('releaseBody', undefined);
  server.decorateRequest('bodyHash', undefined);
  // The place is held until the answer is made, also when the connection closes: whoever hangs up has not ended the
  // work.
  server.addHook('onSend', async (request) => request.releaseBody?.());
  // Many clients name a type for a body that they leave empty, such as curl with `-d ''` that of a form.
  server.addHook('onRequest', async ({ headers, routeOptions }) => {
    if (routeOptions.config.acceptsEmptyBody && headers['content-length'] === '0') delete headers['content-type'];
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(isJson, async (request: FastifyRequest, body: FastifyRequest['raw']) => {
    const hash = request.headers['idempotency-key'] === undefined ? undefined : createHash('sha256');
    const value = await readJsonBody(body, {
      maxBytes: request.routeOptions.bodyLimit ?? smallBodyBytes,
      declaredBytes: declaredBytes(request),
      enter: () => reserveLargeBody(request),
      heard: hash && ((chunk) => hash.update(chunk)),
    });
    request.bodyHash = hash?.digest('base64');
    // Many callers name a type on every request, also on a DELETE without a body.
    if (value === undefined && request.method === 'POST' && !request.routeOptions.config.acceptsEmptyBody) {
      throw new DomainError('invalid_input', 'the body is empty: send a JSON object');
    }
    return value;
  });
}

/** Waits for a place for the large body of a request, which holds it until it is answered. */
export async function reserveLargeBody(request: FastifyRequest): Promise<void> {
  const disconnected = new AbortController();
  const leave = () => disconnected.abort(new Error('nobody sends the body any more'));
  request.raw.once('close', leave);
  if (request.raw.destroyed) leave();
  request.releaseBody = await request.server.largeBodies.enter(senderOf(request), disconnected.signal);
}

function declaredBytes({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** The sender among whose large bodies places are shared. */
function senderOf({ caller }: FastifyRequest): string {
  if (!caller) return '';
  return caller.kind === 'admin' ? caller.admin.tokenId : caller.access.instance;
}
