// Fails when what only development needs would be installed in production: the Prisma command line with its MySQL driver
// and its graph layout is larger than everything else but the model runtime. See docs/decisions/0050.
import { readFileSync } from 'node:fs';

/** Names as they are published, whatever a dependency calls them here. */
const unwanted = new Set(['prisma', '@prisma/dev', '@prisma/studio-core', 'mysql2', 'elkjs', 'effect', 'react-dom']);
/** An optional peer of @prisma/client; `--omit=optional`, as in the Dockerfile, leaves it out too. */
const tolerated = new Set(['typescript']);

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const mistakes = mistakesIn(packages);
const planted = [
  { 'node_modules/mysql2': {} },
  { 'node_modules/prisma-cli': { name: 'prisma' } },
  { 'node_modules/@prisma/client/node_modules/prisma': { devOptional: true } },
  { 'node_modules/vitest': { devOptional: true } },
];
const missed = planted.filter((lock) => mistakesIn(lock).length !== 1);

for (const mistake of mistakes) console.error(mistake);
for (const lock of missed) console.error(`a planted mistake is not found: ${JSON.stringify(lock)}`);
const count = Object.values(packages).filter(({ dev }) => !dev).length - 1;
console.log(
  mistakes.length || missed.length
    ? 'production: wrong'
    : `production: ${count} packages, none of them for development; ${planted.length} planted mistakes found`,
);
process.exitCode = mistakes.length || missed.length ? 1 : 0;

function mistakesIn(lock) {
  const installed = Object.entries(lock).flatMap(
    ([path, { name = path.split('node_modules/').at(-1), dev, devOptional }]) =>
      dev || path === '' || tolerated.has(name) ? [] : [{ path, name, devOptional }],
  );
  const known = installed.filter(({ name }) => unwanted.has(name));
  const brought = installed.filter(({ name, devOptional }) => devOptional && !unwanted.has(name));
  return [
    ...known.map(({ path }) => `${path} is installed in production: npm explain ${path} tells for whom`),
    ...(brought.length
      ? [`${brought.length} packages for development are optional peers of production, such as ${brought[0].path}`]
      : []),
  ];
}
