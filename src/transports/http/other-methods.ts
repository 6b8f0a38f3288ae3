import type { FastifyInstance, RouteOptions } from 'fastify';
import { DomainError } from '../../domain/errors.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** The routes of a server by their path, whatever their parameters are called. */
export type KnownPaths = ReadonlyMap<string, { readonly url: string; readonly methods: Set<string> }>;

/** Notes every route that is added from now on. */
export function recordKnownPaths(server: FastifyInstance): KnownPaths {
  const paths = new Map<string, { url: string; methods: Set<string> }>();
  server.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const path = url.replaceAll(/:\w+/g, ':');
    const existing = paths.get(path) ?? { url, methods: new Set<string>() };
    paths.set(path, existing);
    for (const each of [method].flat()) existing.methods.add(each);
  });
  return paths;
}

/** Answers 405 with `Allow` where a path has routes, and none for the method. To be called when all others are there. */
export function refuseOtherMethods(server: FastifyInstance, paths: KnownPaths): void {
  for (const { url, methods: allowed } of paths.values()) {
    const others = methods.filter((method) => !allowed.has(method));
    if (url === '*' || !others.length) continue; // what answers preflights of every path is no path of ours
    const allow = [...allowed].join(', ');
    server.route({
      method: others,
      url,
      onRequest: async (_, reply) => {
        reply.header('allow', allow);
        throw new DomainError('method_not_allowed', `this path takes ${allow}`);
      },
      handler: () => {}, // never reached
    });
  }
}
