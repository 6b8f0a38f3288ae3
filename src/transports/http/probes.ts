import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Telemetry } from '../../telemetry.ts';

/** What a supervisor asks: neither authenticated nor counted. */
export function addProbes(server: FastifyInstance, app: App, { log, registry }: Telemetry): void {
  /** As long as the process lives. */
  server.get('/health', async () => ({ status: 'ok' }));

  /** Whether a request would succeed now. */
  server.get('/ready', async () => {
    try {
      await app.checkReady();
    } catch (error) {
      log.warn({ error }, 'not ready');
      throw new DomainError('unavailable', 'this server cannot serve requests at the moment');
    }
    return { status: 'ready' };
  });

  server.get('/metrics', async (_, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
