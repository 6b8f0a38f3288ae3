// Compiles src -> dist: the client itself without Node's types, since it also runs in browsers, then the stream. What is
// installed is kept small: comments are in the types alone, where editors read them, and an indent is one space.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));
const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
const compile = (project, ...options) =>
  execFileSync(tsc, ['-p', project, ...options], { cwd: home, stdio: 'inherit' });

rmSync(`${home}/dist`, { recursive: true, force: true });
mkdirSync(`${home}/dist/generated`, { recursive: true });
for (const project of ['tsconfig.json', 'tsconfig.stream.json']) compile(project);
compile('tsconfig.json', '--declaration', 'false', '--removeComments');
for (const file of readdirSync(`${home}/dist`).filter((name) => /\.(?:d\.ts|js)$/.test(name))) {
  const text = readFileSync(`${home}/dist/${file}`, 'utf8');
  writeFileSync(
    `${home}/dist/${file}`,
    text.replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 4)),
  );
}
copyFileSync(`${home}/src/generated/api.d.ts`, `${home}/dist/generated/api.d.ts`);
