import { z } from 'zod';
import { compactionFormats, compactionStrategies } from '../../domain/configurations/configuration.ts';
import { limits } from '../../domain/limits.ts';
import { CompactionPage, CompactionRecord, QueuedCompactionRecord } from './compaction-records.ts';
import { callerIdField, subjectFields, toSubjectIds } from '../http/fields.ts';
import { namedAnswerSchemas, pageParameters, requestSchema, toPageRequest } from './fields.ts';
import { presentPage } from './present.ts';
import { presentCompaction } from './present-compaction.ts';
import { defineRoute } from './route.ts';

const conversationId = callerIdField('A UUID, or your own id of the conversation.');
const format = z.enum(compactionFormats);

const CompactBody = requestSchema('Compact', {
  conversation_id: conversationId,
  ...subjectFields,
  strategy: z
    .enum(compactionStrategies)
    .optional()
    .meta({
      description:
        'How short: `aggressive` a tenth of the tokens, `balanced` a quarter, `conservative` half, `adaptive` the least that ' +
        'keeps the score at 0.95. What is kept word for word is never dropped. Default: as configured, ' +
        '`adaptive` at first.',
    }),
  output_format: format.optional().meta({
    description:
      '`system_prompt`: a block for a prompt. `full`: the narrative and what was extracted. Default: as configured.',
  }),
  target_tokens: z
    .int()
    .min(1)
    .max(limits.compactionTarget.max)
    .optional()
    .meta({ description: 'In place of the share of the strategy.' }),
  wait: z.boolean().default(true).meta({ description: 'False: in the background; 202.' }),
});

const Answered = z
  .union([CompactionRecord, QueuedCompactionRecord])
  .register(namedAnswerSchemas, { id: 'CompactionAnswer' });
const group = 'Context';
const formatOfVersion = { output_format: format.optional().meta({ description: 'Default: both.' }), ...subjectFields };

export const compactionRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/context/compact',
    operation: 'compactContext',
    useCase: 'compactions.compact',
    group,
    summary: 'Compact a conversation',
    description:
      'Keeps instructions, limits, decisions, promises and exact values word for word, and the most telling sentences of ' +
      'the rest, each with the number of its turn. A later compaction goes on from the one before, whose text stays as it ' +
      'is while the target allows and nothing in it was replaced. Where nothing new was said, it is answered again. ' +
      'What is no memory yet is ingested first, for 10 seconds at most. ' +
      'What is compacted is what was said by `POST /v1/conversations/{conversation_id}/messages`, its `/transcript`, or a ' +
      'stream; a document of `POST /v1/memories` with a `conversation_id` says nothing in it.',
    body: CompactBody,
    answer: Answered,
    statuses: [200, 202],
    errors: ['context_not_found'],
    skipsIdempotentReplay: true,
    example: { conversation_id: 'call-981', strategy: 'balanced' },
    async handle(app, { access, body }) {
      const { configurationVersion } = access;
      const request = {
        conversationId: body.conversation_id,
        ...toSubjectIds(body),
        strategy: body.strategy,
        targetTokens: body.target_tokens,
      };
      if (!body.wait) {
        const id = await app.compactions.enqueue(access, request);
        return { body: { conversation_id: id, status: 'queued' as const }, status: 202, configurationVersion };
      }
      const compaction = await app.compactions.compact(access, request);
      const answered = body.output_format ?? (await app.compactions.defaultFormat(access));
      return { body: presentCompaction(compaction, answered), configurationVersion };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/conversations/{conversation_id}/compactions',
    operation: 'compactions',
    useCase: 'compactions.versions',
    group,
    summary: 'List the compactions of a conversation',
    description: 'Every version, the newest first. They go with what they were made of when that is forgotten.',
    params: z.object({ conversation_id: conversationId }),
    query: z.strictObject({ ...formatOfVersion, ...pageParameters }),
    answer: CompactionPage,
    errors: ['context_not_found'],
    async handle(app, { access, params, query }) {
      const input = { conversationId: params.conversation_id, ...toSubjectIds(query) };
      const page = await app.compactions.versions(access, input, toPageRequest(query));
      return { body: presentPage(page, (compaction) => presentCompaction(compaction, query.output_format)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/conversations/{conversation_id}/compactions/{version}',
    operation: 'compaction',
    useCase: 'compactions.version',
    group,
    summary: 'Read a compaction of a conversation',
    params: z.object({
      conversation_id: conversationId,
      version: z.coerce.number().int().min(1).max(limits.version.max).meta({ description: 'From 1.' }),
    }),
    query: z.strictObject(formatOfVersion),
    answer: CompactionRecord,
    errors: ['context_not_found', 'not_found'],
    async handle(app, { access, params, query }) {
      const input = { conversationId: params.conversation_id, version: params.version, ...toSubjectIds(query) };
      return { body: presentCompaction(await app.compactions.version(access, input), query.output_format) };
    },
  }),
];
