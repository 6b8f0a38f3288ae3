import { setMaxListeners } from 'node:events';
import type { App } from '../../app.ts';
import type { Telemetry } from '../../telemetry.ts';
import { requireAdminToken, requireInstanceKey } from '../http/authenticate.ts';
import type { Mount } from '../http/server.ts';
import { addRoute } from './add-route.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { acceptMarkdown } from './admin/use-case.ts';
import { analytics } from './analytics.ts';
import { anticipated } from './anticipated.ts';
import { batches } from './batches.ts';
import { compactions } from './compactions.ts';
import { context } from './context.ts';
import { conversations } from './conversations.ts';
import { documents } from './documents.ts';
import { entities } from './entities.ts';
import { instance } from './instance.ts';
import { memories } from './memories.ts';
import { merges } from './merges.ts';
import { receipts } from './receipts.ts';
import { reviewQueue } from './review-queue.ts';
import type { Route } from './route.ts';
import { serveDocumentation } from './serve-documentation.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** Routes that agents call: the generated clients cover these. */
export const agentRoutes: readonly Route[] = [
  ...memories,
  ...batches,
  ...context,
  ...compactions,
  ...conversations,
  ...anticipated,
  ...tokens,
  ...entities,
  ...merges,
  ...reviewQueue,
  ...documents,
  ...users,
  ...receipts,
  ...webhooks,
  ...instance,
  ...analytics,
];

/** Every route under /v1. */
export const routes: readonly Route[] = [...agentRoutes, ...adminRoutes];

/** The service's own routes under /v1, with their OpenAPI document and its page. */
export function mountRest(app: App, telemetry: Pick<Telemetry, 'log'>): Mount {
  return async (server) => {
    serveDocumentation(server, routes);
    for (const [group, authenticate] of [
      [agentRoutes, requireInstanceKey(app)],
      [adminRoutes, requireAdminToken(app)],
    ] as const) {
      await server.register(async (scope) => {
        const stopping = new AbortController();
        setMaxListeners(0, stopping.signal); // each request that waits listens
        scope.addHook('onRequest', authenticate);
        if (group === adminRoutes) acceptMarkdown(scope);
        scope.addHook('preClose', async () => stopping.abort());
        for (const each of group) addRoute(scope, each, { app, log: telemetry.log, stopping: stopping.signal });
      });
    }
  };
}
