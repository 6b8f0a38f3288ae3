/**
 * The ordered list of chapters: a chapter imports only those above it; chapters on one line never each other.
 * `scripts/check-boundaries.mjs` runs these rules, and then again on planted violations that must be found.
 */
export const chapters = [
  ['errors', 'ids', 'limits', 'memory-types', 'pagination', 'plain-text', 'time'],
  ['flow'],
  ['sealing', 'invalidation'],
  ['tenancy'],
  ['webhooks'],
  ['metering', 'configurations'],
  ['language', 'vectors'],
  ['dates'],
  ['extraction'],
  ['conversations', 'entities', 'generation'],
  ['search-index'],
  ['memories'],
  ['reader-cache'],
  ['ingestion', 'retrieval'],
  ['compaction'],
  ['context'],
  ['erasure'],
  ['anticipation'],
  ['administration'],
];

/** The first line of the list is of single files. */
const folder = (name) => (chapters[0].includes(name) ? `${name}[.]ts$` : `${name}/`);
const oneOf = (names) => `^src/domain/(${names.map(folder).join('|')})`;

const order = chapters.flatMap((line, at) => {
  const below = chapters.slice(at + 1).flat();
  const rules = line.map((name) => ({
    name: `${name}-imports-only-what-stands-above`,
    comment: `${name}/ may use only the chapters above it in the list: move what both need up, or the use case down`,
    severity: 'error',
    from: { path: oneOf([name]) },
    // the single files of the first line may use each other
    to: { path: oneOf([...below, ...(at === 0 ? [] : line.filter((other) => other !== name))]) },
  }));
  return rules.filter((rule) => rule.to.path !== '^src/domain/()');
});

/** The files of the domain that hold statements. `scripts/boundaries/statements.mjs` knows whose table is whose. */
export const stores = '[/-]store[.]ts$|/(read|readable-by|list-memories|idempotency)[.]ts$';

/** Text in, decisions out: no database, no network, no files, no clock. */
export const pure = [
  '^src/domain/(language|vectors|dates|extraction|generation)/',
  '^src/domain/configurations/(configuration|contradictions|diff-configurations|lifecycle)[.]ts$',
  '^src/domain/retrieval/(candidate|candidate-generation|find-stems|candidate-pool|rank|relevance|wording)[.]ts$',
  '^src/domain/memories/(attribute-timeline|retention)[.]ts$',
  '^src/domain/context/(context|fetch-options)[.]ts$',
  '^src/domain/reader-cache/prefetched-context[.]ts$',
  '^src/domain/compaction/(candidates|classify-sentences|compact-turns|compaction|compose|context-pins|dialogue-acts|exact-values|lexrank|memory-pins|outdated-spans|pattern-pins|pin-rules|pins|select-segment|select-sentences|turn-sentences|turn-span|validation|verbatim|write-narrative)[.]ts$',
];

export default {
  forbidden: [
    ...order,
    {
      name: 'the-domain-knows-no-transport',
      comment: 'the domain is called by transports and given its adapters; take what you need as an argument',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/(transports|processes|adapters)/|^src/(app|dependencies|environment|telemetry)([.]ts$|/)' },
    },
    {
      name: 'the-domain-enqueues-and-runs-no-job',
      comment: 'the domain puts jobs into the queue; what runs them calls the domain',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/jobs/', pathNot: '^src/jobs/queue[.]ts$' },
    },
    {
      name: 'the-queue-knows-no-job',
      comment: 'queue.ts is what the domain enqueues by: declare the type of a payload there, and what runs it beside',
      severity: 'error',
      from: { path: '^src/jobs/queue[.]ts$' },
      to: { path: '^src/', pathNot: '^src/((db|generated)/|tracing[.]ts$)' },
    },
    {
      name: 'the-database-knows-no-domain',
      comment: 'db/ is what every chapter stands on; take what you need as an argument',
      severity: 'error',
      from: { path: '^src/db/' },
      to: {
        path: '^src/(domain|jobs|transports|processes|adapters)/|^src/(app|dependencies|environment|telemetry)([.]ts$|/)',
      },
    },
    {
      name: 'pure-stays-pure',
      comment:
        'rules, ranking and text handling are functions of their arguments; read and write in a store or use case',
      severity: 'error',
      from: { path: pure },
      to: { path: ['^src/(db|generated)/', '^(node:)?(fs|net|http|https|child_process|worker_threads)(/|$)', stores] },
    },
    {
      name: 'statements-stand-in-stores',
      comment: 'only files that hold a chapter’s SQL build statements; ask one of them',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: stores },
      to: { path: '^src/generated/prisma/' },
    },
    {
      name: 'transports-never-import-each-other',
      comment: 'http mounts the others; share through the domain or transports/http',
      severity: 'error',
      from: { path: '^src/transports/(rest|graphql|grpc|mcp|dashboard|compat)/' },
      to: { path: '^src/transports/(rest|graphql|grpc|mcp|dashboard|compat)/', pathNot: '^src/transports/$1/' },
    },
    {
      name: 'jobs-and-transports-never-import-each-other',
      comment: 'a caller enqueues by a use case of the domain; a job answers nobody',
      severity: 'error',
      from: { path: '^src/(jobs|transports)/' },
      to: { path: '^src/(jobs|transports)/', pathNot: '^src/$1/' },
    },
    {
      name: 'spans-are-made-by-the-api-alone',
      comment: 'src/tracing.ts makes spans; what records and sends them stands in adapters/opentelemetry',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/opentelemetry/|^src/tracing[.]ts$' },
      to: { path: '@opentelemetry/' },
    },
    {
      name: 'opentelemetry-is-loaded-when-asked-for',
      comment: 'import() it where the environment names a collector: others do not pay for it',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/adapters/opentelemetry/opentelemetry[.]ts$', dynamic: false },
    },
    {
      name: 'no-cycles',
      comment: 'two files that need each other are one file, or lack a third',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/generated/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unknown-chapter',
      comment: 'give the chapter its line in the ordered list',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/domain/', pathNot: oneOf(chapters.flat()) },
    },
  ],
  options: {
    parser: 'swc', // TypeScript 7 has no compiler API for it
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
