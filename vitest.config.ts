import { defineConfig } from 'vitest/config';

/** `npm run test:postgres` runs the behaviour on a real Postgres, beside what only that can show. */
const onPostgres = process.env['TEST_DATABASE'] === 'postgres';

/** It starts a Postgres server of its own. */
const killed = 'test/faults/killed.test.ts';
/** On the embedded database, and on a real one. */
const freshness = 'test/faults/freshness.test.ts';

export default defineConfig({
  resolve: {
    // Tests run on what ships: the compiled product (its worker threads need compiled files). `npm test` builds first.
    alias: [{ find: /^(.*)\/src\/(.*)\.ts$/, replacement: '$1/dist/$2.js' }],
  },
  test: {
    // What is compiled is loaded by Node itself: through Vite there would be a second copy of `graphql`.
    server: { deps: { external: [/\/dist\//] } },
    include: onPostgres ? ['test/{behaviour,postgres}/**/*.test.ts', killed, freshness] : ['test/**/*.test.ts'],
    exclude: onPostgres ? [] : ['test/postgres/**', killed],
    globalSetup: ['test/support/template.ts'],
    testTimeout: 60_000, // a busy machine is no failure
    hookTimeout: 120_000,
    // Two cores: more files at once only wait for each other.
    maxWorkers: 2,
  },
});
