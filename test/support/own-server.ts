import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type PostgresServer, type ServerOptions } from './postgres-server.ts';

/** A server for the tests of one file, which may do to it what no other test would survive. */
export function ownServer(options: ServerOptions = {}): { readonly server: PostgresServer } {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres(options);
  });
  afterAll(() => server?.remove());
  return {
    get server() {
      return server!;
    },
  };
}
