import { expect, test } from 'vitest';
import { compactionStrategies, documentTypes } from '../../../src/domain/configurations/configuration.ts';
import { builtInCategories, memoryTypes } from '../../../src/domain/memory-types.ts';
import { customCategoryMark } from '../../../src/domain/memories/category-store.ts';
import { timeBucketNames, operationNames } from '../../../src/domain/metering/operations.ts';
import { provenances } from '../../../src/domain/extraction/provenance.ts';
import { speakerRoles } from '../../../src/domain/memories/speaker-role.ts';
import { day } from '../../support/person.ts';
import { openWorld } from '../../support/world.ts';

// Its own: other tests write rows by hand, and this one looks at all there are.
const world = openWorld({});

/** What a column may hold: a sealed value, a hash or key, one of our own words, or whatever the reason says. */
type Review = 'sealed' | 'hash' | readonly string[] | { readonly because: string };
const because = (reason: string): Review => ({ because: reason });

const idOfOurs = because('an id that the service made');
const idOfCaller = because('an id of the caller; the documentation says to put nothing private into ids');
const ownWord = because('one of the words of this program, checked where it is read');
const countsAndIds = because('ids and numbers only');

/**
 * Every column that could hold a text, and why it may stand in the database as it is. Whoever adds a column decides here:
 * what came from a customer and is neither an id nor a number is sealed.
 */
const reviewed: Readonly<Record<string, Review>> = {
  '_prisma_migrations.id': idOfOurs,
  '_prisma_migrations.checksum': because('of a file of this program'),
  '_prisma_migrations.migration_name': because('of a file of this program'),
  '_prisma_migrations.logs': because('written by no process of ours'),
  'admin_token.hash': 'hash',
  'admin_token.role': ['owner', 'admin', 'viewer'],
  'api_key.hash': 'hash',
  'api_key.label': 'sealed',
  'api_key.last4': because('four characters of a key that we drew at random'),
  'audit.action': ownWord,
  'audit.actor': because('what kind of credential, and its id'),
  'audit.after': 'sealed',
  'audit.before': 'sealed',
  'audit.client_id': idOfOurs,
  'audit.target': idOfOurs,
  'batch.refused': 'sealed',
  'browser_token.hash': 'hash',
  'client.id': idOfOurs,
  'client.name': because('given by an administrator; the documentation says to put nothing private into it'),
  'client.state': ['active', 'inactive', 'archived', 'purged'],
  'client_storage_peak.client_id': idOfOurs,
  'compaction.body': 'sealed',
  'compaction.strategy': compactionStrategies,
  'configuration.body': 'sealed',
  'configuration.explanation': 'sealed',
  'configuration.state': ownWord,
  'configuration_step.actor': because('what kind of credential, and its id'),
  'configuration_step.comment': 'sealed',
  'configuration_step.step': ownWord,
  'conversation.external_id': idOfCaller,
  'conversation.metadata': 'sealed',
  'conversation_fetch_options.options': because('mode, memory types and sizes, each checked by a schema'),
  'dashboard_link.client_id': idOfOurs,
  'dashboard_link.created_by': because('what kind of credential, and its id'),
  'dashboard_link.email': 'sealed',
  'dashboard_link.hash': 'hash',
  'dashboard_link.role': ['owner', 'admin', 'viewer'],
  'dashboard_membership.client_id': idOfOurs,
  'dashboard_membership.role': ['owner', 'admin', 'viewer'],
  'dashboard_session.hash': 'hash',
  'dashboard_user.email': 'sealed',
  'dashboard_user.email_hash': 'hash',
  'dashboard_user.password_hash': because('argon2id, of which nobody makes the password again'),
  'document.provenance': provenances,
  'document.body': 'sealed',
  'document.reserved_external_id': idOfCaller,
  'document.external_id': idOfCaller,
  'document.metadata': 'sealed',
  'document.type': documentTypes,
  'entity.customer_id': idOfCaller,
  'entity.name': 'sealed',
  'entity.name_key': 'hash',
  'entity_blocking_key.key': 'hash',
  'entity_merge.features': 'sealed',
  'entity_merge.reason': ['automatic', 'confirmed', 'manual', 'split'],
  'entity_review.features': 'sealed',
  'entity_review.status': ownWord,
  'event.customer_id': idOfCaller,
  'event.data': 'sealed',
  'event.type': ownWord,
  'event.user_id': idOfCaller,
  'idempotency.actor': because('what kind of credential, and its id'),
  'idempotency.key_hash': 'hash',
  'idempotency.request_hash': 'hash',
  'idempotency.response': 'sealed',
  'ingestion.checkpoint': 'sealed',
  'ingestion.error': because('sentences of this program, into which nothing is put that was sent'),
  'ingestion.external_id': idOfCaller,
  'ingestion.mode': ['fast', 'long-range'],
  'ingestion.status': ownWord,
  'ingestion.warnings': because('sentences of this program, into which nothing is put that was sent'),
  'instance.client_id': idOfOurs,
  'instance.data_key': because('wrapped by the master key'),
  'instance.event_types': ownWord,
  'instance.master_key_id': because('names the master key and tells nothing of it'),
  'instance.name': because('given by an administrator; the documentation says to put nothing private into it'),
  'instance.region': because('set by whoever runs the service'),
  'instance.state': ['provisioning', 'active', 'suspended', 'archived', 'purged'],
  'job.payload': countsAndIds,
  'job.queue': ownWord,
  'job.traceparent': because('ids of a trace and of a span in it, in hexadecimal, written by the tracing library'),
  'memory.attribute_key': 'hash',
  'memory.attribute_sense': ownWord,
  'memory.attribute_value': 'hash',
  'memory.category': [...builtInCategories, customCategoryMark],
  'memory.content': 'sealed',
  'memory.content_key': 'hash',
  'memory.correction_reason': 'sealed',
  'memory.event_precision': ownWord,
  'memory.metadata': 'sealed',
  'memory.own_category': 'sealed',
  'memory.own_category_key': 'hash',
  'memory.provenance': provenances,
  'memory.role': speakerRoles,
  'memory.speaker': 'sealed',
  'memory.status': ['active', 'superseded', 'archived'],
  'memory.superseded_reason': 'sealed',
  'memory.type': memoryTypes,
  'memory_evidence.provenance': provenances,
  'memory_evidence.quote': 'sealed',
  'memory_vector.embedding': because('a vector'),
  'memory_vector.long_embedding': because('a vector'),
  'memory_vector.model': because('the name of a model, set by whoever runs the service'),
  'memory_vector.type': memoryTypes,
  'mention.kind': ['person', 'organization', 'place', 'project', 'product', 'animal', 'other'],
  'mention.name': 'sealed',
  'message.body': 'sealed',
  'onboarding.state': ownWord,
  'onboarding.use_case': 'sealed',
  'operation_bucket.bucket': timeBucketNames,
  'operation_bucket.label': 'sealed',
  'operation_bucket.operation': operationNames,
  'operation_bucket.sketch': because('counts of times'),
  'operation_bucket.variant': because('words of this program, or the hash of a name'),
  'operation_sample.label': 'sealed',
  'operation_sample.operation': operationNames,
  'operation_sample.sketch': because('counts of times'),
  'operation_sample.variant': because('words of this program, or the hash of a name'),
  'owner.customer_id': idOfCaller,
  'owner.scope': ['USER', 'CUSTOMER', 'CLIENT', 'WORLD'],
  'owner.user_id': idOfCaller,
  'possible_supersession.status': ['open', 'confirmed', 'rejected'],
  'prefetched_context.body': 'sealed',
  'prefetched_context.query_key': 'hash',
  'receipt.body': countsAndIds,
  'service_key.data_key': because('wrapped by the master key'),
  'service_key.id': ownWord,
  'service_key.master_key_id': because('names the master key and tells nothing of it'),
  'token_usage.provider': because('the name of a provider, set by whoever runs the service'),
  'token_usage.purpose': ownWord,
  'usage.metric': ownWord,
  'user_activity.user_id': idOfCaller,
  'vector_space.building': because('the name of a model, set by whoever runs the service'),
  'vector_space.serving': because('the name of a model, set by whoever runs the service'),
  'webhook.description': 'sealed',
  'webhook.disabled_reason': ['by_hand', 'gone', 'failing'],
  'webhook.event_types': ownWord,
  'webhook.previous_secret': 'sealed',
  'webhook.secret': 'sealed',
  'webhook.state': ['active', 'disabled'],
  'webhook.url': 'sealed',
  'webhook_delivery.attempts': because('times, statuses, milliseconds and words of this program'),
  'webhook_delivery.state': ['pending', 'delivered', 'dead_letter'],
};

/** Numbers, times and UUIDs hold no text; whatever else there is or will be might. */
const columnsThatMayHoldText = () =>
  world.deps.db.$queryRaw<{ place: string; table: string; column: string }[]>`
    SELECT c.relname || '.' || a.attname AS place, c.relname::text AS table, a.attname::text AS column
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'm') AND a.attnum > 0
      AND NOT a.attisdropped AND coalesce(e.typcategory, t.typcategory) NOT IN ('N', 'D', 'B', 'T')
      AND coalesce(e.typname, t.typname) <> 'uuid'
    ORDER BY 1`;

const valuesOf = async ({ table, column }: { table: string; column: string }): Promise<unknown[]> => {
  const sql = `SELECT DISTINCT "${column}" AS value FROM "${table}" WHERE "${column}" IS NOT NULL`;
  return (await world.deps.db.$queryRawUnsafe<{ value: unknown }[]>(sql)).map(({ value }) => value);
};

test('every column that may hold a text was decided on', async () => {
  const places = (await columnsThatMayHoldText()).map(({ place }) => place);
  expect(places.filter((place) => !reviewed[place])).toEqual([]);
  expect(Object.keys(reviewed).filter((place) => !places.includes(place))).toEqual([]);
});

test('what is in them is what was decided', async () => {
  const ada = await world.user('ada', { customer: 'acme' });
  const turns = [
    { role: 'Zwitscherfink', name: 'Ada', content: 'My sister Dana Fairweather lives in Leeds.' },
    { role: 'assistant', content: 'You told me that you moved to York on Monday.' },
  ];
  await ada.says(turns, day(1), { metadata: { source: 'phone' } });
  await ada.says('Dana Fairweather moved to York. I am happy about that.', day(3));
  const wrong: string[] = [];
  for (const column of await columnsThatMayHoldText()) {
    const isAsDecided = checkOf(reviewed[column.place]!);
    for (const value of await valuesOf(column))
      if (!isAsDecided(value)) wrong.push(`${column.place}: ${String(value)}`);
  }
  expect(wrong).toEqual([]);
});

const sealedVersion = 1;
const leastSealedBytes = 1 + 12 + 16;
const hashBytes = new Set([16, 32]);

/** Whether a value is what the review says; of what only a reason is given for, nothing can be checked. */
function checkOf(review: Review): (value: unknown) => boolean {
  if (review === 'sealed')
    return (value) => isBytes(value) && value[0] === sealedVersion && value.length > leastSealedBytes;
  if (review === 'hash') return (value) => isBytes(value) && hashBytes.has(value.length);
  return 'because' in review ? () => true : (value) => review.includes(value as string);
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;
