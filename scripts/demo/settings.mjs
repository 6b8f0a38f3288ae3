import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { parseArgs } from 'node:util';

export const help = `npm run demo -- [options]

Plays a short conversation against a running Presage and shows what it makes of it.

  --base-url <url>      the HTTP interface     (default: PRESAGE_URL, else where the last npm start listens)
  --grpc <host:port>    the gRPC interface     (default: PRESAGE_GRPC, else the same)
  --key <key>           an API key             (default: PRESAGE_KEY, else the key of the first start)
  --help                this text

PRESAGE_DATA_DIR names the data folder of a server that was started with one. NO_COLOR turns colours off.
`;

/** What was asked for on the command line, else what the running server wrote down, else the defaults. */
export async function readSettings() {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      grpc: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const known = await readCredentials();
  return {
    help: values.help,
    baseUrl: (values['base-url'] || env.PRESAGE_URL || known.base_url || 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    grpcAddress: values.grpc || env.PRESAGE_GRPC || known.grpc_address || '127.0.0.1:50051',
    key: values.key || env.PRESAGE_KEY || env.PRESAGE_API_KEY || known.api_key,
  };
}

/** What `npm start` wrote for us; nothing when it never ran here. */
async function readCredentials() {
  try {
    const { stateFolderOf } = await import('../../dist/environment.js');
    const folder = stateFolderOf(env.PRESAGE_DATA_DIR || '.presage');
    return JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
  } catch {
    return {};
  }
}
