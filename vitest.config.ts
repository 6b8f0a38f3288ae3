import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** `npm run test:postgres` runs the behaviour on a real Postgres, beside what only that can show. */
const onPostgres = process.env['TEST_DATABASE'] === 'postgres';

/** They start a Postgres server of their own. */
const faults = ['test/faults/killed.test.ts', 'test/faults/disk-full.test.ts', 'test/faults/usage.test.ts'];
/** On the embedded database, and on a real one. */
const onBoth = ['test/faults/invalidation.test.ts', 'test/faults/isolation.test.ts', 'test/faults/webhooks.test.ts'];

/**
 * What is read, refused or shown at a door, or asked of a model, is the same whatever database is behind: on a real
 * Postgres these are left out, so that the rest is run each time.
 */
const sameOnAll = [
  'test/behaviour/database/lock-file.test.ts', // of the embedded database
  'test/behaviour/graphql/{explorer,limits,providers}.test.ts',
  'test/behaviour/grpc/{calls,endings,services}.test.ts',
  'test/behaviour/models/extraction.test.ts',
  'test/behaviour/mcp/tools.test.ts',
  'test/behaviour/process/{another-model,benches,command-line,commands,last-lines,metrics-port,stopping,traces}.test.ts', // most start an embedded one
  'test/behaviour/rest/{admin-contract,bad-requests,contract,documentation,every-answer,files}.test.ts',
  'test/behaviour/security/{large-bodies,slow-peers,tls}.test.ts',
];

/**
 * They start services, kill them, fill disks, keep them busy with costly files and long documents, change a running one's
 * model or settings under load, or look at every statement: `npm run test:processes` runs them, and `npm test` all others.
 */
const processFolders = ['test/behaviour/process', 'test/faults'];
const withProcesses = [
  ...processFolders.map((folder) => `${folder}/**/*.test.ts`),
  'test/behaviour/database/{lock-file,row-types}.test.ts',
  'test/behaviour/{configurations/no-downtime,long-document,models/reembedding,rest/files,security/large-bodies}.test.ts',
];

/** They replace the clock of their process, which would stop a service that other files left running in it. */
const withOwnClock = ['test/domain/anticipation/anticipate.test.ts'];

/** Files that mostly wait for a service: behind the others, the last one would keep the whole run waiting. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of the sequencer, and of no array
    const longestFirst = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) =>
      processFolders.some((folder) => moduleId.includes(`/${folder}/`)) ? 0 : 1;
    return longestFirst.toSorted((one, other) => rank(one) - rank(other));
  }
}

const onPostgresOnly = ['test/postgres/**', ...faults];
const inBrowser = ['test/dashboard/**'];

/** The suites, by the names that the commands in package.json call them by; `npx vitest run FILE` finds a file in any. */
const suites = onPostgres
  ? [
      {
        name: 'postgres',
        include: ['test/{behaviour,postgres}/**/*.test.ts', ...onBoth, ...faults],
        exclude: sameOnAll,
      },
    ]
  : [
      {
        name: 'behaviour',
        include: ['test/**/*.test.ts'],
        exclude: [...onPostgresOnly, ...inBrowser, ...withProcesses, ...withOwnClock],
      },
      { name: 'clock', include: withOwnClock, isolate: true },
      { name: 'processes', include: withProcesses, exclude: onPostgresOnly },
    ];

export default defineConfig({
  resolve: {
    // Tests run on what ships: the compiled product (its worker threads need compiled files). `npm test` builds first.
    alias: [{ find: /^(.*)\/src\/(.*)\.ts$/, replacement: '$1/dist/$2.js' }],
  },
  test: {
    // What is compiled is loaded by Node itself: through Vite there would be a second copy of `graphql`.
    server: { deps: { external: [/\/dist\//] } },
    projects: suites.map((suite) => ({ extends: true, test: suite })),
    globalSetup: ['test/support/template.ts'],
    testTimeout: 60_000, // here and below: a busy machine is no failure
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Two cores: more files at once only wait for each other.
    maxWorkers: 2,
    sequence: { sequencer: WaitingFirst },
    // The files of a worker share its process: what is loaded, and the world of `openWorld`.
    isolate: false,
  },
});
