import { randomBytes } from 'node:crypto';
import { openBarePglite, openBareWeaviate } from './bare-store.mjs';
import { loadTypescript } from './typescript.mjs';

/**
 * What the service keeps its rows and vectors in: the embedded default, in the service's own folder and process; or
 * servers of its own, started here, behind an api and two workers. `close` ends them.
 */
export async function openStores({ postgres, weaviate }, folder) {
  if (!postgres && !weaviate) {
    return {
      words: 'embedded default: PGlite and pgvector in one process',
      kinds: ['all'],
      variables: {},
      servers: [],
      openBare: (userId) => openBarePglite(folder, { userId }),
      close: async () => undefined,
    };
  }
  loadTypescript();
  const { startPostgres } = await import('../support/postgres-server.ts');
  const rows = await startPostgres();
  const close = [() => rows.remove()];
  await rows.query('CREATE DATABASE bench');
  const url = rows.urlOf('bench');
  const secret = () => randomBytes(32).toString('base64');
  const variables = { DATABASE_URL: url, MASTER_KEY: secret(), PRESAGE_ADMIN_TOKEN: secret() };
  const servers = [{ name: 'Postgres, all its processes', pid: rows.pid }];
  let openBare; // Postgres without pgvector compares vectors in the service, so that there is nothing to stand beside
  if (weaviate) {
    process.env.TEST_WEAVIATE = '1';
    const { startWeaviate } = await import('../support/weaviate-server.ts');
    const vectors = startWeaviate();
    close.push(async () => vectors.stop());
    Object.assign(variables, vectors.variables);
    servers.push({ name: 'Weaviate', pid: vectors.pid });
    openBare = (userId) => openBareWeaviate(variables, { userId });
  }
  return {
    words: `Postgres${weaviate ? ' and Weaviate' : ', vectors in it'}; api and two workers`,
    kinds: ['api', 'worker', 'worker'],
    variables,
    servers,
    openBare,
    close: async () => {
      for (const end of close.toReversed()) await end();
    },
  };
}
