import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/service.ts',
    server: { deps: { external: [/\/dist\//] } }, // what ships is what is tested
    testTimeout: 60_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
});
