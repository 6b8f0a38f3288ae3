import { z } from 'zod';
import type { App } from '../../app.ts';
import { memoryTypes, type MemoryType } from '../../domain/memory-types.ts';
import type { Context, ContextQuery } from '../../domain/context/context.ts';
import { invalidInputError, hasErrorCode } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Access, Scope as MemoryScope } from '../../domain/tenancy/access.ts';
import { validate } from '../http/validate.ts';
import { optionalCallerId, subjectFields, omitUndefined, requireCustomer, toSubjectIds } from './fields.ts';
import { emptyBuckets, presentItems } from './items.ts';
import { pastConversations } from './past-conversations.ts';
import { profileOf } from './profile.ts';
import type { ContextMemory } from '../../domain/memories/scored-memory.ts';
import { matchedRecordKey, orderRecordsNewestFirst } from './records.ts';
import { optionalField, type CompatCall, type CompatRoute } from './route.ts';

const typeOf: Readonly<Record<string, readonly MemoryType[]>> = {
  ...Object.fromEntries(memoryTypes.map((type) => [type, [type]])),
  fact: ['facts'],
  preference: ['preferences'],
  episode: ['episodes'],
  emotion: ['emotions'],
  temporal_event: ['temporal_events'],
  temporal: ['temporal_events'],
  all: memoryTypes,
};

const Query = z.object({
  conversation_id: optionalCallerId,
  ...subjectFields,
  search_query: optionalField(z.union([z.string(), z.array(z.string())])),
  max_results: optionalField(z.int().min(1)),
  types: optionalField(z.array(z.enum(Object.keys(typeOf) as [string]))),
  mode: optionalField(z.enum(['fast', 'accurate'])),
  include_conversation_context: optionalField(z.boolean()),
  context_mode: optionalField(z.string()),
  include_profile: optionalField(z.boolean()),
  last_n_conversations: optionalField(z.int().min(0).max(20)),
});
type QueryBody = z.output<typeof Query>;

/** Within it, the library answers the same fetch by itself. Never: what is remembered a moment later is to be seen. */
const neverKept = -1;

const scopes = ['conversation', 'user', 'customer', 'client'] as const;
type Scope = (typeof scopes)[number];

export const contextRoutes: readonly CompatRoute[] = scopes.map((scope) => ({
  method: 'POST',
  url: `/v1/context/${scope}/fetch`,
  useCase: 'fetchContext',
  async handle(app, { access, body }: CompatCall) {
    const asked = validate(Query, body, 'the body');
    if (asked.context_mode === 'conversation-summary') return summaryMode(app, access, scope, asked);
    return presentContext(scope, await fetched(app, access, scope, asked), asked);
  },
}));

/** The memories of each scope of the library, which asks for each by itself and puts the answers together. */
const scopesOf: Readonly<Record<Scope, readonly MemoryScope[]>> = {
  conversation: ['USER', 'CUSTOMER'],
  user: ['USER'],
  customer: ['CUSTOMER'],
  client: ['CLIENT', 'WORLD'],
};
/** Fetches context; null when the conversation is unknown, which is no error to the library. */
async function fetched(app: App, access: Access, scope: Scope, asked: QueryBody): Promise<Context | null> {
  const types = asked.types?.flatMap((type) => typeOf[type]!);
  const max = Math.min(asked.max_results ?? 10, limits.results.max);
  try {
    const query: ContextQuery = {
      searchQueries: queriesOf(asked),
      ...whoseIn(scope, asked),
      conversationId: scope === 'conversation' ? asked.conversation_id : undefined,
      types: types?.length ? [...new Set(types)] : undefined,
      scopes: scopesOf[scope],
      mode: asked.mode ?? 'fast',
      maxResults: max,
      explain: false,
    };
    const found = await app.fetchContext(access, query);
    return { ...found, memories: await withNewestRecords(app, access, found, query) };
  } catch (error) {
    if (hasErrorCode(error, 'context_not_found')) return null;
    throw error;
  }
}

/**
 * The memories, with the newest records of the key that is asked for before all others: a framework takes the newest of
 * those that it is answered for the latest state, and of a long thread most are not answered. They are fetched as the
 * memories were: of the same user or customer, in the same scopes.
 */
async function withNewestRecords(
  app: App,
  access: Access,
  { named, memories }: Context,
  query: ContextQuery,
): Promise<readonly ContextMemory[]> {
  const metadata = matchedRecordKey(memories, query.searchQueries);
  if (!metadata) return memories;
  const contextBudget = limits.contextBudget.max; // a state is wanted whole, however long it is
  const asked = { ...query, ...named, conversationId: undefined, searchQueries: [], metadata, contextBudget };
  const found = await app.fetchContext(access, asked);
  const records = found.memories.map((memory) => ({ ...memory, score: 1, relevance: 1 }));
  const newest = new Set(records.map(({ uuid }) => uuid));
  return [...records, ...memories.filter(({ uuid }) => !newest.has(uuid))].slice(0, query.maxResults);
}

function whoseIn(scope: Scope, asked: QueryBody) {
  const { userId, customerId } = toSubjectIds(asked);
  if (scope === 'conversation' && !asked.conversation_id) throw invalidInputError('conversation_id', 'is required');
  if (scope === 'user' && !userId) throw invalidInputError('user_id', 'is required');
  if (scope === 'customer' && !customerId) throw invalidInputError('customer_id', 'is required');
  if (scope === 'client') return {};
  return scope === 'customer' ? { customerId } : { userId, customerId };
}

const queriesOf = ({ search_query: query = [] }: QueryBody): string[] =>
  [query]
    .flat()
    .filter((each) => each.trim())
    .slice(0, limits.queries.max)
    .map((each) => each.slice(0, limits.query.max));

function presentContext(scope: Scope, found: Context | null, asked: QueryBody) {
  const memories = orderRecordsNewestFirst(found?.memories ?? []);
  const items = presentItems(memories);
  return {
    context: items.buckets,
    items_by_type: items.byType,
    ttl_seconds: neverKept,
    total_tokens: found?.totalTokens ?? 0,
    metadata: { source: 'cloud', scope, total_results: memories.length },
    ...(found && scope === 'conversation' && asked.include_conversation_context !== false
      ? { conversation_context: conversationContext(found, asked.conversation_id!) }
      : {}),
  };
}

const conversationContext = ({ summary, recentMessages }: Context, conversationId: string) =>
  omitUndefined({
    summary: summary?.text,
    current_state: {},
    key_extractions: {},
    current_state_json: '{}',
    key_extractions_json: '{}',
    recent_turns: (recentMessages ?? []).map(({ role, content, at }) => ({
      role,
      content,
      timestamp: at.toISOString(),
    })),
    compaction_id: summary?.compactionId,
    conversation_id: conversationId,
  });

/** A user's last conversations and profile, instead of memories. */
async function summaryMode(app: App, access: Access, scope: Scope, asked: QueryBody) {
  if (scope !== 'user') throw invalidInputError('context_mode', 'conversation-summary is for the user scope only');
  const subject = whoseIn(scope, asked);
  await requireCustomer(app, access, subject);
  const conversations = await pastConversations(app, access, subject, asked.last_n_conversations ?? 1);
  const profile = asked.include_profile ? await profileOf(app, access, subject) : null;
  return omitUndefined({
    context: emptyBuckets(),
    conversations,
    profile,
    ttl_seconds: neverKept,
    metadata: { source: 'cloud', scope },
  });
}
