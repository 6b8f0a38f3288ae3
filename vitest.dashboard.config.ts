import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** The dashboard in a real Chromium, against the compiled service: `npm run test:dashboard`. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [], exclude: [] } },
  defineConfig({
    test: { include: [process.env['SCREENSHOTS'] ? 'test/dashboard/screenshots.ts' : 'test/dashboard/**/*.test.ts'] },
  }),
);
