// Checks the boundaries of .dependency-cruiser.mjs, then plants violations and fails unless each is found.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import rules, { pure } from '../.dependency-cruiser.mjs';
import { misplacedStatements } from './boundaries/statements.mjs';

const planted = [
  {
    rule: 'language-imports-only-what-stands-above',
    file: 'src/domain/language/planted.ts',
    imports: '../memories/memory.ts',
  },
  {
    rule: 'ingestion-imports-only-what-stands-above',
    file: 'src/domain/ingestion/planted.ts',
    imports: '../retrieval/retrieve.ts',
  },
  { rule: 'the-domain-knows-no-transport', file: 'src/domain/context/planted.ts', imports: '../../environment.ts' },
  { rule: 'the-database-knows-no-domain', file: 'src/db/planted.ts', imports: '../domain/ids.ts' },
  { rule: 'pure-stays-pure', file: 'src/domain/extraction/planted.ts', imports: '../../db/database.ts' },
  {
    rule: 'statements-stand-in-stores',
    file: 'src/domain/context/planted-sql.ts',
    imports: '../../generated/prisma/client.ts',
  },
  { rule: 'the-domain-enqueues-and-runs-no-job', file: 'src/domain/erasure/planted.ts', imports: '../../jobs/jobs.ts' },
  { rule: 'transports-never-import-each-other', file: 'src/transports/rest/planted.ts', imports: '../grpc/server.ts' },
  {
    rule: 'transports-never-import-each-other',
    file: 'src/transports/compat/planted.ts',
    imports: '../rest/route.ts',
  },
  {
    rule: 'spans-are-made-by-the-api-alone',
    file: 'src/domain/context/planted-span.ts',
    imports: '@opentelemetry/api',
  },
  {
    rule: 'opentelemetry-is-loaded-when-asked-for',
    file: 'src/processes/planted.ts',
    imports: '../adapters/opentelemetry/opentelemetry.ts',
  },
  {
    rule: 'jobs-and-transports-never-import-each-other',
    file: 'src/jobs/planted.ts',
    imports: '../transports/grpc/server.ts',
  },
];

/** Statements where none may stand: in a use case, and in a store on another chapter's table. */
const plantedStatements = ['src/domain/context/planted-count.ts', 'src/domain/metering/planted-store.ts'];

const violations = async () => {
  const { output } = await cruise(['src'], {
    ruleSet: { forbidden: rules.forbidden },
    validate: true,
    ...rules.options,
  });
  return output.summary.violations;
};

/** A file or folder that was renamed or removed is held to nothing any more, and nobody would notice. */
function absentFiles() {
  const paths = pure.flatMap((pattern) => {
    const [, folder, names, end] = /^\^([^(]+)\(?([^)]*)\)?(.*)$/.exec(pattern);
    const places = names ? names.split('|').map((name) => `${folder}${name}${end}`) : [folder];
    return places.map((place) => place.replace('[.]ts$', '.ts'));
  });
  return paths
    .filter((path) => !existsSync(path))
    .map((path) => `.dependency-cruiser.mjs holds ${path} pure, which is not there`);
}

let failed = 0;
for (const { rule, from, to } of await violations()) {
  const { comment } = rules.forbidden.find(({ name }) => name === rule.name);
  console.error(`${from} -> ${to}\n  ${rule.name}: ${comment}`);
  failed += 1;
}
for (const line of [...misplacedStatements(), ...absentFiles()]) {
  console.error(line);
  failed += 1;
}
try {
  for (const { file, imports } of planted) writeFileSync(file, `export * from '${imports}';\n`);
  const found = await violations();
  for (const { rule, file } of planted) {
    if (found.some((violation) => violation.rule.name === rule && violation.from === file)) continue;
    console.error(`${rule} did not find what was planted in ${file}`);
    failed += 1;
  }
  for (const file of plantedStatements) writeFileSync(file, 'export const planted = (tx) => tx.memory.count();\n');
  const lines = misplacedStatements();
  for (const file of plantedStatements) {
    if (lines.some((line) => line.startsWith(file))) continue;
    console.error(`nobody minded the statement planted in ${file}`);
    failed += 1;
  }
} finally {
  for (const file of [...planted.map((each) => each.file), ...plantedStatements]) rmSync(file, { force: true });
}
console.log(
  failed
    ? `boundaries: ${failed} wrong`
    : `boundaries: kept; ${planted.length + plantedStatements.length} planted violations found`,
);
process.exitCode = failed ? 1 : 0;
