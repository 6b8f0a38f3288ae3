import type { Route } from '../route.ts';
import { clients } from './clients.ts';
import { instances } from './instances.ts';
import { keys } from './keys.ts';
import { retention } from './retention.ts';
import { worldImport } from './world-import.ts';

/** Everything under /v1/admin. */
export const adminRoutes: readonly Route[] = [...clients, ...instances, ...keys, ...worldImport, ...retention];
