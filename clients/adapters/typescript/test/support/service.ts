import type { TestProject } from 'vitest/node';
import { startService } from '../../../../typescript/test/support/service.ts';

/** One service for all files. */
export default async function setup(project: TestProject) {
  const { url, key, stop } = await startService();
  project.provide('service', { url, key });
  return stop;
}

declare module 'vitest' {
  interface ProvidedContext {
    service: { url: string; key: string };
  }
}
