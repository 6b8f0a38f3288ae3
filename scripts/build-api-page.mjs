// Lays the API page out in dist/api-page: Swagger UI with our two files, compressed once. The library itself is then
// needed for building only, so that nobody who installs the package installs it, or the reporter that comes with it.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const own = fileURLToPath(new URL('../src/transports/rest/api-page', import.meta.url));
const library = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const page = fileURLToPath(new URL('../dist/api-page', import.meta.url));

mkdirSync(page, { recursive: true });
for (const file of [
  `${own}/index.html`,
  `${own}/start.js`,
  `${library}/swagger-ui-bundle.js`,
  `${library}/swagger-ui.css`,
]) {
  writeFileSync(`${page}/${file.slice(dirname(file).length + 1)}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}
for (const file of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])
  copyFileSync(`${library}/${file}`, `${page}/${file}`);
