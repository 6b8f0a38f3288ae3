import { register } from 'node:module';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/** Lets `import()` load the tests' own TypeScript, such as the servers they start: types are left out, nothing else. */
export const loadTypescript = () => register(import.meta.url);

/** What Node asks of each module. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' };
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), { jsc, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
