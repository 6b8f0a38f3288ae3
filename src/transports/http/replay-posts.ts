import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pRetry from 'p-retry';
import { DomainError, invalidInputError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { IdempotencyOutcome, Idempotency } from '../../domain/tenancy/idempotency.ts';
import type { Telemetry } from '../../telemetry.ts';
import { idempotentCallerOf } from './authenticate.ts';
import { correlationHeader } from './correlation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The Idempotency-Key that this request holds, being the first with it. */
    heldKey: string | undefined;
  }
  interface FastifyContextConfig {
    /**
     * Keeps the answer for repetitions. Other routes answer them anew: an old answer could show what was deleted since.
     */
    keepsAnswer?: boolean;
    /** Members of its answer that are told once: a repetition has null there. */
    secrets?: readonly string[];
    /** A repetition is told by the correlation id, of callers that know no other key; it waits for the first. */
    isRepeatedByCorrelationId?: boolean;
  }
}

const header = 'idempotency-key';
const keyShape = /^[\x21-\x7e]+$/;
const keptHeaders = ['content-type', 'x-config-version'];

/** Answers a repeated POST under /v1 with what the first one was answered. */
export function replayPosts(server: FastifyInstance, idempotency: Idempotency, { log }: Telemetry): void {
  server.decorateRequest('heldKey', undefined);

  server.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request);
    if (key === undefined || request.is404 || !request.caller || request.caller.kind === 'browser') return;
    const content = `${request.method} ${request.url}\0${request.bodyHash ?? JSON.stringify(request.body)}`;
    const begin = () => idempotency.begin(idempotentCallerOf(request), { key, content }, new Date());
    const waits = request.routeOptions.config.isRepeatedByCorrelationId === true;
    const begun = await (waits ? onceFirstEnded(begin) : begin());
    if (begun === 'again') return;
    if (begun === 'first') {
      request.heldKey = key;
      return;
    }
    await reply
      .code(begun.status)
      .headers({ ...begun.headers, 'idempotency-replayed': 'true' })
      .send(begun.body);
  });

  server.addHook('onSend', async (request, reply, payload) => {
    const key = request.heldKey;
    if (key === undefined) return;
    request.heldKey = undefined;
    const repeater = idempotentCallerOf(request);
    try {
      // A refusal changed nothing, so the caller may mend the request and keep the key.
      const kept = reply.statusCode >= 400 ? undefined : firstAnswer(request, reply, payload);
      if (kept === undefined) await idempotency.release(repeater, key);
      else await idempotency.keep(repeater, key, { status: reply.statusCode, kept, now: new Date() });
    } catch (error) {
      // The work is done: its answer must not be lost because it could not be kept.
      log.error({ error, correlation_id: request.id }, 'the answer could not be kept for repetitions');
    }
  });
}

/** How long a repeated request waits for the answer of the first: as long as callers wait for any. */
const [firstWithinMs, lookEveryMs] = [25_000, 100];

/** Waits for the first request of the key, where that is under way. */
const onceFirstEnded = (begin: () => Promise<IdempotencyOutcome>): Promise<IdempotencyOutcome> =>
  pRetry(begin, {
    retries: Infinity,
    minTimeout: lookEveryMs,
    factor: 1,
    maxRetryTime: firstWithinMs,
    shouldRetry: ({ error }) => error instanceof DomainError && error.details['retry_after'] !== undefined,
  });

const without = (secrets: readonly string[], body: string): string =>
  JSON.stringify(JSON.parse(body, (name, value: unknown) => (secrets.includes(name) ? null : value)));

/** Null for one that is asked for anew, undefined for one that is sent as it is made. */
function firstAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { keepsAnswer, secrets = [] } = request.routeOptions.config;
  if (!keepsAnswer) return null;
  if (typeof payload !== 'string') return undefined;
  const body = secrets.length ? without(secrets, payload) : payload;
  const present = keptHeaders.filter((name) => reply.hasHeader(name));
  const headers = Object.fromEntries(present.map((name) => [name, String(reply.getHeader(name))]));
  return { status: reply.statusCode, headers, body };
}

function keyOf(request: FastifyRequest): string | undefined {
  if (request.routeOptions.config.isRepeatedByCorrelationId)
    return request.headers[correlationHeader] === undefined ? undefined : `correlation ${request.id}`;
  const key = request.headers[header];
  if (key === undefined || request.method !== 'POST' || !request.url.startsWith('/v1/')) return undefined;
  if (typeof key === 'string' && key.length <= limits.idempotencyKey.max && keyShape.test(key)) return key;
  throw invalidInputError('Idempotency-Key', `must have 1 to ${limits.idempotencyKey.max} visible ASCII characters`);
}
