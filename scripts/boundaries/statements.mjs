// SQL stands in the stores, and only the chapter that owns a table writes it. A reading join may look at other tables.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stores } from '../../.dependency-cruiser.mjs';

/** The chapter of each table; `job` belongs to src/jobs/queue.ts. */
const owners = {
  invalidation: ['process', 'subscription_lease'],
  tenancy: [
    'client',
    'instance',
    'api_key',
    'browser_token',
    'admin_token',
    'service_key',
    'dashboard_user',
    'dashboard_membership',
    'dashboard_session',
    'dashboard_link',
    'owner',
    'user_activity',
    'idempotency',
    'rate_limit',
  ],
  metering: [
    'usage',
    'token_usage',
    'storage_peak',
    'client_storage_peak',
    'metering_writer',
    'operation_sample',
    'operation_bucket',
  ],
  webhooks: ['event', 'webhook', 'webhook_delivery'],
  configurations: ['configuration', 'configuration_step'],
  conversations: ['conversation', 'message', 'turn_anticipation'],
  entities: ['entity', 'entity_blocking_key', 'mention', 'entity_merge', 'entity_review'],
  'search-index': ['memory_term', 'vector_space', 'stale_vector'],
  memories: ['memory', 'memory_evidence', 'memory_access', 'supersession_undone', 'possible_supersession'],
  ingestion: ['document', 'ingestion', 'batch'],
  context: ['prefetched_context', 'conversation_fetch_options'],
  compaction: ['compaction'],
  erasure: ['receipt'],
  anticipation: ['learned_association'],
  administration: ['audit', 'onboarding'],
};
const chapterOf = new Map(
  Object.entries(owners).flatMap(([chapter, tables]) => tables.map((table) => [table, chapter])),
);

const raw = /[.][$](?:query|execute)Raw/;
const write = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/g;
const ofClient = /\b(?:tx|sql|db|#db)[.](\w+)[.](?:find|create|update|upsert|delete|count|groupBy|aggregate)\w*[(]/g;
const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What breaks the rule, a line each. */
export function misplacedStatements() {
  const files = readdirSync('src/domain', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return [...homeless(), ...['src/app.ts', ...files.map((path) => join('src/domain', path))].flatMap(misplacedIn)];
}

function homeless() {
  const tables = [...readFileSync('prisma/schema.prisma', 'utf8').matchAll(/@@map[(]"(\w+)"[)]/g)].map(
    ([, table]) => table,
  );
  const unknown = tables.filter((table) => table !== 'job' && !chapterOf.has(table));
  return unknown.map((table) => `${table} has no chapter: name it in scripts/boundaries/statements.mjs`);
}

function misplacedIn(path) {
  const source = readFileSync(path, 'utf8');
  const chapter = path.split(/[/\\]/)[2];
  const used = [...source.matchAll(ofClient)].map(([, model]) => snake(model));
  const written = [...source.matchAll(write)].map(([, table]) => table);
  const tables = [...new Set([...used, ...written])].filter((table) => chapterOf.has(table));
  if (!new RegExp(stores).test(path)) {
    return raw.test(source) || tables.length > 0 ? [`${path} holds SQL: ask a store for it`] : [];
  }
  const foreign = tables.filter((table) => chapterOf.get(table) !== chapter);
  return foreign.map(
    (table) => `${path} has a statement on ${table}, which is ${chapterOf.get(table)}'s: ask its store`,
  );
}
