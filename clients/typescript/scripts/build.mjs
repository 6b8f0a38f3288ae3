// Compiles src -> dist: the client itself without Node's types, since it also runs in browsers, then the stream.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));
const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));

rmSync(`${home}/dist`, { recursive: true, force: true });
mkdirSync(`${home}/dist/generated`, { recursive: true });
for (const project of ['tsconfig.json', 'tsconfig.stream.json']) {
  execFileSync(tsc, ['-p', project], { cwd: home, stdio: 'inherit' });
}
copyFileSync(`${home}/src/generated/api.d.ts`, `${home}/dist/generated/api.d.ts`);
