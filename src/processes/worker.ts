import { runJobWorkers } from './run-job-workers.ts';
import { runProcess } from './run-process.ts';
import { serveProbes } from './serve-http.ts';

/** `presage worker`: ingestions and all other jobs, and on `PORT` what a supervisor asks. */
await runProcess('worker', async (service) => {
  await runJobWorkers(service);
  const probes = await serveProbes(service);
  service.telemetry.log.info({ probes }, 'ready');
});
