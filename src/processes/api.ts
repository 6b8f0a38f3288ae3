import { applyGivenCredentials } from './prepare-credentials.ts';
import { runProcess } from './run-process.ts';
import { serveApi } from './serve-http.ts';

/** `presage api`: REST and GraphQL. What it accepts, workers do. */
await runProcess('api', async (service) => {
  await applyGivenCredentials(service);
  const baseUrl = await serveApi(service);
  service.telemetry.log.info({ base_url: baseUrl }, 'ready');
});
