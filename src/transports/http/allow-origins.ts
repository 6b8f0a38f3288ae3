import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** How long a browser may remember that it is allowed, in seconds; none remembers longer. */
const rememberedSeconds = 7_200;

/** Lets pages of other origins call us. Their requests carry no credentials but a key: the cookie of a session is same-site. */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  void server.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['x-correlation-id', 'x-config-version', 'ratelimit', 'ratelimit-policy', 'retry-after'],
    maxAge: rememberedSeconds,
  });
}
