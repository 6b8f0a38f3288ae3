import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Tests run on what ships: the compiled product (its worker threads need compiled files). `npm test` builds first.
    alias: [{ find: /^(.*)\/src\/(.*)\.ts$/, replacement: '$1/dist/$2.js' }],
  },
  test: {
    // What is compiled is loaded by Node itself: through Vite there would be a second copy of `graphql`.
    server: { deps: { external: [/\/dist\//] } },
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/template.ts'],
    testTimeout: 60_000, // a busy machine is no failure
    hookTimeout: 120_000,
    // Two cores: more files at once only wait for each other.
    maxWorkers: 2,
  },
});
