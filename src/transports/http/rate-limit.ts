import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import type { RateQuota } from '../../domain/tenancy/rate.ts';
import { onResponseClosed } from './caller-left.ts';

/** Takes one call of the key's rate, and tells in the answer what is left. Throws `rate_limited`. */
export function limitRate(app: App, access: Access, request: FastifyRequest, reply: FastifyReply): void {
  try {
    if (!request.routeOptions.config.permission?.isUnmetered) app.spend(access);
    onResponseClosed(reply.raw, app.begin(access));
  } finally {
    const quota = app.quota(access);
    if (quota) reply.headers(headersOf(quota));
  }
}

/** `Retry-After` of a refusal that is worth another try. */
export function setRetryAfter(reply: FastifyReply, error: unknown): void {
  const seconds = error instanceof DomainError ? error.details['retry_after'] : undefined;
  if (seconds !== undefined) reply.header('retry-after', String(seconds));
}

/** IETF draft "RateLimit header fields for HTTP": the burst comes back evenly, and so makes the rate of a minute. */
function headersOf({ rate, remaining, fullInSeconds }: RateQuota) {
  const window = Math.ceil((rate.burst * 60) / rate.perMinute);
  return {
    'ratelimit-policy': `"burst";q=${rate.burst};w=${window}, "minute";q=${rate.perMinute};w=60`,
    ratelimit: `"burst";r=${remaining};t=${fullInSeconds}`,
  };
}
