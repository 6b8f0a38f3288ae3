import type { Route } from '../route.ts';
import { clients } from './clients.ts';
import { configurations } from './configurations.ts';
import { instances } from './instances.ts';
import { keys } from './keys.ts';
import { onboarding } from './onboarding.ts';
import { retention } from './retention.ts';
import { usage } from './usage.ts';
import { worldImport } from './world-import.ts';

/** Everything under /v1/admin. */
export const adminRoutes: readonly Route[] = [
  ...clients,
  ...instances,
  ...keys,
  ...configurations,
  ...onboarding,
  ...worldImport,
  ...retention,
  ...usage,
];
