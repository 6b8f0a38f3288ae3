import type { App } from '../../app.ts';
import type { Telemetry } from '../../telemetry.ts';
import { requireAdminToken, requireInstanceKey } from '../http/authenticate.ts';
import { stoppingOf } from '../http/caller-left.ts';
import type { Mount } from '../http/server.ts';
import { addRoute } from './add-route.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { acceptMarkdown } from './admin/use-case.ts';
import { analyticsRoutes } from './analytics.ts';
import { anticipatedRoutes } from './anticipated.ts';
import { batchRoutes } from './batches.ts';
import { compactionRoutes } from './compactions.ts';
import { contextRoutes } from './context.ts';
import { conversationRoutes } from './conversations.ts';
import { documentRoutes } from './documents.ts';
import { entityRoutes } from './entities.ts';
import { instanceRoutes } from './instance.ts';
import { memoryRoutes } from './memories.ts';
import { mergeRoutes } from './merges.ts';
import { receiptRoutes } from './receipts.ts';
import { reviewQueueRoutes } from './review-queue.ts';
import type { Route } from './route.ts';
import { serveDocumentation } from './serve-documentation.ts';
import { browserTokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhooks.ts';

/** Routes that agents call: the generated client libraries cover these. */
export const agentRoutes: readonly Route[] = [
  ...memoryRoutes,
  ...batchRoutes,
  ...contextRoutes,
  ...compactionRoutes,
  ...conversationRoutes,
  ...anticipatedRoutes,
  ...browserTokenRoutes,
  ...entityRoutes,
  ...mergeRoutes,
  ...reviewQueueRoutes,
  ...documentRoutes,
  ...userRoutes,
  ...receiptRoutes,
  ...webhookRoutes,
  ...instanceRoutes,
  ...analyticsRoutes,
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
        const stopping = stoppingOf(scope);
        scope.addHook('onRequest', authenticate);
        if (group === adminRoutes) acceptMarkdown(scope);
        for (const each of group) addRoute(scope, each, { app, log: telemetry.log, stopping });
      });
    }
  };
}
