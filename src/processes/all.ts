import { existsSync } from 'node:fs';
import { writeCredentials } from './credentials-file.ts';
import { runJobWorkers } from './run-job-workers.ts';
import { dashboardLink, createCredentials } from './prepare-credentials.ts';
import { runProcess } from './run-process.ts';
import { serveApi } from './serve-http.ts';
import { serveStreams } from './serve-streams.ts';
import { welcomeMessage } from './welcome.ts';

// A line a request would bury the welcome in a terminal.
const variables = { LOG_LEVEL: process.stdout.isTTY ? 'warn' : 'info', ...process.env };

/** `npm start`: everything in one process, on the embedded Postgres unless another is named. */
await runProcess(
  'all',
  async (service) => {
    const { environment } = service;
    const { isFirst, credentials: made } = await createCredentials(service);
    await runJobWorkers(service);
    const baseUrl = await serveApi(service);
    const grpcAddress = await serveStreams(service);
    const credentials = { base_url: baseUrl, graphql_url: `${baseUrl}/graphql`, grpc_address: grpcAddress, ...made };
    writeCredentials(environment, credentials);
    service.telemetry.log.info({ base_url: baseUrl, grpc_address: grpcAddress }, 'ready');
    const dashboard = await dashboardLink(service, made);
    welcomeMessage(environment, credentials, { isFirst, dashboard });
  },
  {
    variables,
    begin({ DATABASE_URL, PRESAGE_DATA_DIR: folder }) {
      if (DATABASE_URL || existsSync(folder)) return;
      process.stdout.write(`Presage makes its database in ${folder}: a first start takes from 5 to 60 seconds.\n`);
    },
  },
);
