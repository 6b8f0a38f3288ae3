import type { FastifyInstance } from 'fastify';
import { servePages } from './serve-pages.ts';
import { addSessionRoutes, type SessionRouteParts } from './session-routes.ts';

/** The dashboard on `/dashboard`: its files, and what signs a browser in. All else it asks of `/graphql`. */
export const mountDashboard =
  (parts: SessionRouteParts) =>
  (server: FastifyInstance): void => {
    servePages(server);
    addSessionRoutes(server, parts);
  };
