// The routes that the clients cover, as the compiled service has them. Run `npm run build` first.
import { agentRoutes } from '../../dist/transports/rest/mount-rest.js';

/** Routes of an operator, for whom the clients have no methods: their types would be dead weight. */
const operators = /^\/v1\/(?:analytics\/(?:latency|operations)\b|memories\/\{ingestion_id\}\/retry$)/;

export const clientRoutes = agentRoutes.filter(({ path }) => !operators.test(path));
