import type { Route } from '../route.ts';
import { clientRoutes } from './clients.ts';
import { configurationRoutes } from './configurations.ts';
import { adminInstanceRoutes } from './instances.ts';
import { keyRoutes } from './keys.ts';
import { onboardingRoutes } from './onboarding.ts';
import { retentionRoutes } from './retention.ts';
import { usageRoutes } from './usage.ts';
import { worldKnowledgeImportRoutes } from './world-knowledge-import.ts';

/** Everything under /v1/admin. */
export const adminRoutes: readonly Route[] = [
  ...clientRoutes,
  ...adminInstanceRoutes,
  ...keyRoutes,
  ...configurationRoutes,
  ...onboardingRoutes,
  ...worldKnowledgeImportRoutes,
  ...retentionRoutes,
  ...usageRoutes,
];
