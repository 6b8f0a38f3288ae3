import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    server: { deps: { external: [/\/dist\//] } }, // what ships is what is tested
    testTimeout: 60_000, // a busy machine is no failure
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 1,
  },
});
