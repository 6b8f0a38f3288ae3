import { z } from 'zod';
import { retrievalModes } from '../../domain/configurations/configuration.ts';
import { memoryTypes } from '../../domain/memory-types.ts';
import { contextFormats, type Context, type ContextQuery } from '../../domain/context/context.ts';
import { scopes } from '../../domain/tenancy/access.ts';
import {
  callerIdField,
  MetadataFilter,
  subjectFields,
  provenanceFilter,
  someOf,
  textField,
  timeField,
  toSubjectIds,
} from '../http/fields.ts';
import { namedRequestSchemas } from './fields.ts';
import { writeContextJson } from './present.ts';
import { ContextRecord } from './records.ts';
import { defineRoute, type RouteAnswer } from './route.ts';
import { formatLimit, limits } from '../../domain/limits.ts';
import type { Wire } from '../http/wire.ts';

const query = textField(limits.query.max);
const queries = z.union([query, z.array(query).max(limits.queries.max)]);

const FetchBody = z
  .strictObject({
    search_queries: queries.optional().meta({
      description:
        `What to find: a text, or up to ${limits.queries.max} of at most ${formatLimit(limits.query)}. Default, or none: what ` +
        'matters whatever is asked: health, standing instructions, what falls due, identity, strong preferences, what is new.',
    }),
    search_query: queries.optional().meta({ description: 'Another name of `search_queries`.' }),
    ...subjectFields,
    conversation_id: callerIdField('The conversation it is for; it brings its user and customer with it.').optional(),
    types: someOf(memoryTypes).optional().meta({ description: 'Only memories of these types.' }),
    scopes: someOf(scopes)
      .optional()
      .meta({
        description:
          'Only memories of these scopes, such as `["CUSTOMER"]` for what a company shares. Default: all that the named ' +
          'may read.',
      }),
    provenance: provenanceFilter,
    metadata: MetadataFilter.optional().meta({ description: 'Only `verbatim` records that have these members.' }),
    mode: z
      .enum(retrievalModes)
      .optional()
      .meta({
        description:
          '`fast`: by similarity. `accurate`: also by words, neighbours and entities, then reranked. Default: as ' +
          'configured, `fast` at first.',
      }),
    context_budget: z
      .int()
      .min(1)
      .max(limits.contextBudget.max)
      .optional()
      .meta({ description: 'Tokens that the contents together may have. Default: as configured.' }),
    max_results: z
      .int()
      .min(1)
      .max(limits.results.max)
      .optional()
      .meta({ description: 'Default: as configured, 10 at first.' }),
    min_relevance: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({
        description:
          'The least relevance. Default: 0.03 in `fast` and 0.024 in `accurate`, so that a question that nothing answers brings little or nothing, with ' +
          'a warning; with `metadata` 0.',
      }),
    as_of: timeField('What held at this time, instead of what holds now.').optional(),
    format: z
      .enum(contextFormats)
      .default('json')
      .meta({
        description:
          '`prompt`: also as a text for the prompt of a model, in which what always holds stands first, the same byte for ' +
          'byte until one of those memories changes, for prompt caches. `context_budget` then covers it whole.',
      }),
    explain: z.boolean().default(false).meta({ description: 'Tell what each score is the sum of.' }),
  })
  .superRefine((body, context) => {
    const input = [body.search_queries, body.search_query].filter((each) => each !== undefined);
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['search_queries'], message });
    if (input.length === 2) refuse('is the same as search_query: send one of the two');
  })
  .register(namedRequestSchemas, { id: 'ContextQuery' });

export const contextRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/context/fetch',
    useCase: 'fetchContext',
    group: 'Context',
    summary: 'Fetch the memories that matter now',
    description:
      'Searches what the named user and customer may read. An empty result is no error; an unknown ' +
      '`conversation_id` without user and customer is.',
    body: FetchBody,
    answer: ContextRecord,
    errors: ['context_not_found'],
    skipsIdempotentReplay: true,
    example: { search_queries: ['Where does she live?'], user_id: 'u-42', mode: 'accurate' },
    async handle(app, { access, body, correlationId }) {
      return answerOf(await app.fetchContext(access, queryOf(body)), correlationId);
    },
  }),
];

const queryOf = (body: z.output<typeof FetchBody>): ContextQuery => ({
  searchQueries: [body.search_queries ?? body.search_query ?? []].flat(),
  ...toSubjectIds(body),
  conversationId: body.conversation_id,
  types: body.types,
  scopes: body.scopes,
  provenance: body.provenance,
  metadata: body.metadata,
  mode: body.mode,
  contextBudget: body.context_budget,
  maxResults: body.max_results,
  minRelevance: body.min_relevance,
  asOf: body.as_of,
  explain: body.explain,
  format: body.format,
});

const answerOf = (fetched: Context, correlationId: string): RouteAnswer<Wire<typeof ContextRecord>> => ({
  json: writeContextJson(fetched, correlationId),
  configurationVersion: fetched.configurationVersion,
});
