import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

const { projects: _otherSuites, ...test } = usual.test!;

/** The dashboard in a real Chromium, against the compiled service: `npm run test:dashboard`. */
export default mergeConfig(
  { ...usual, test },
  defineConfig({
    test: { include: [process.env['SCREENSHOTS'] ? 'test/dashboard/screenshots.ts' : 'test/dashboard/**/*.test.ts'] },
  }),
);
