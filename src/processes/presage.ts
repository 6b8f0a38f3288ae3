#!/usr/bin/env node
/* oxlint-disable no-console -- nothing has been started yet that could log */
import { processNames, type ProcessName } from './open-service.ts';

const starts: Record<ProcessName, () => Promise<unknown>> = {
  all: () => import('./all.ts'),
  api: () => import('./api.ts'),
  stream: () => import('./stream.ts'),
  worker: () => import('./worker.ts'),
};

const [name = 'all', ...more] = process.argv.slice(2);
const known = processNames.find((each) => each === name);
if (known && !more.length) await starts[known]();
else {
  console.error(`usage: presage [${processNames.join(' | ')}]`);
  process.exitCode = 2;
}
