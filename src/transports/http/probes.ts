import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { hasErrorCode, unavailableError } from '../../domain/errors.ts';
import { unlessAborted } from '../../domain/flow/unless-aborted.ts';
import { withDeadline } from '../../domain/flow/with-deadline.ts';
import type { Telemetry } from '../../telemetry.ts';

/** Supervisors give up on a probe that hangs, and learn nothing from it. */
const readyWithinMs = 3_000;
/**
 * The embedded database does one thing at a time, and storing a long document takes it seconds: without an answer
 * after `timeoutMs`, any work it finished within `freshMs` counts as one.
 */
const lastAnswer = { freshMs: 5_000, timeoutMs: 100 };

const json = { produces: ['application/json'] };

/** Adds the routes that a supervisor asks: neither authenticated nor metered. */
export function addProbes(server: FastifyInstance, app: App): void {
  /** Liveness: a process that cannot go on must be replaced. */
  server.get('/health', { config: json }, async () => {
    app.checkHealth();
    return { status: 'ok' };
  });

  const isReady = sharedCheck(
    () => within(readyWithinMs, app.checkReady()),
    () => app.databaseProgressAt() ?? -Infinity,
  );

  /** Readiness: a request would succeed now. */
  server.get('/ready', { config: json }, async () => {
    try {
      await isReady();
    } catch (error) {
      if (hasErrorCode(error, 'unavailable')) throw error;
      throw unavailableError('this server cannot serve requests at the moment', error);
    }
    return { status: 'ready' };
  });
}

/** Figures of the process for Prometheus, neither authenticated nor counted: on a port that strangers do not reach. */
export const mountMetrics =
  ({ registry }: Pick<Telemetry, 'registry'>) =>
  (server: FastifyInstance): void => {
    server.get('/metrics', { config: { produces: ['text/plain'] } }, async (_, reply) =>
      reply.type(registry.contentType).send(await registry.metrics()),
    );
  };

/**
 * One check at a time, however many ask. Resolves when it succeeds, or when it is slow and the last success, or what the
 * database did for others meanwhile, is fresh.
 */
function sharedCheck(check: () => Promise<void>, progressAt: () => number): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  let succeededAt = -Infinity;
  const start = async () => {
    try {
      await check();
      succeededAt = performance.now();
    } finally {
      underWay = undefined;
    }
  };
  return async () => {
    const checked = (underWay ??= start());
    const isFresh = () => performance.now() - Math.max(succeededAt, progressAt()) <= lastAnswer.freshMs;
    if (!isFresh()) return checked;
    const unlessSlow = checked.catch((error: unknown) => {
      if (!(error instanceof Slow) || !isFresh()) throw error;
    });
    return Promise.race([unlessSlow, pause(lastAnswer.timeoutMs)]);
  };
}

/** The database did not answer in time; it may only be busy. */
class Slow extends Error {}

const within = (ms: number, work: Promise<void>): Promise<void> =>
  withDeadline({ ms, timeoutError: () => new Slow(`no answer within ${ms} ms`) }, (ending) =>
    unlessAborted(work, ending),
  );
