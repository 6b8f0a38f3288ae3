import { z } from 'zod';
import { memoryTypes } from '../../domain/memory-types.ts';
import { provenances } from '../../domain/extraction/provenance.ts';
import { limits } from '../../domain/limits.ts';
import { memoryStatuses } from '../../domain/memories/memory.ts';
import { deletionRecord, presentDeletion } from './receipts.ts';
import {
  callerIdField,
  correctionFields,
  Metadata,
  MetadataFilter,
  subjectFields,
  shortTextField,
  timeField,
  toCorrection,
  toSubjectIds,
} from '../http/fields.ts';
import { presageIdField, pageParameters, namedRequestSchemas, toPageRequest } from './fields.ts';
import {
  presentAccepted,
  presentIngestion,
  presentMemory,
  presentMemoryInConversations,
  presentPage,
} from './present.ts';
import { AcceptedRecord, IngestionRecord, MemoryPage, MemoryRecord } from './records.ts';
import { defineRoute } from './route.ts';
import { AwaitableSubmissionBody, toFileSubmission } from './submission.ts';

const seconds = (description: string) => z.coerce.number().int().min(0).max(limits.wait.max).meta({ description });

const group = 'Memories';
const byId = z.object({ memory_id: presageIdField('`mem_…`') });
const about = z.strictObject(subjectFields);

const MemoryDeletion = deletionRecord('MemoryDeletion', { memory_id: z.string() });

const CorrectionBody = z
  .strictObject({
    ...correctionFields,
    metadata: Metadata.nullable()
      .optional()
      .meta({ description: 'What you keep with it, in place of what was there; null: nothing.' }),
  })
  .register(namedRequestSchemas, { id: 'Correction' });

function parsedOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const listing = z.strictObject({
  ...subjectFields,
  type: z.enum(memoryTypes).optional(),
  entity_id: shortTextField(limits.id, 'Memories that mention this entity.').optional(),
  document_id: callerIdField('Memories of this document; your own id when you gave one.').optional(),
  category: shortTextField(limits.category, 'Memories of this category, such as `work` or `likes`.').optional(),
  status: z.enum(memoryStatuses).optional(),
  provenance: z.enum(provenances).optional().meta({ description: 'Memories that this one said.' }),
  possibly_outdated: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: memories that a newer one may have replaced; `false`: the others.' }),
  created_from: timeField('Memories that were stored then or later.').optional(),
  created_until: timeField('Memories that were stored before then.').optional(),
  metadata: shortTextField(
    limits.search,
    'Only `verbatim` records whose metadata has each member of this JSON object, such as `{"thread_id":"t-1"}`.',
  )
    .transform((value, { addIssue }): Record<string, string | number | boolean> => {
      const { data } = MetadataFilter.safeParse(parsedOrNull(value));
      if (!data) addIssue('must be a JSON object of texts, numbers, true and false');
      return data ?? {};
    })
    .optional(),
  q: shortTextField(
    limits.search,
    'Words that a memory must all have, in any form: `baking` finds `bakes`.',
  ).optional(),
  ...pageParameters,
});

type StateChange = 'undoSupersede' | 'confirmOutdated' | 'rejectOutdated' | 'restoreMemory';

const ofIngestion = z.object({ ingestion_id: presageIdField('`ing_…`, of the answer to the document.') });

/** A route that changes the state of one memory, which its path alone names, and answers with the memory. */
const stateChange = (useCase: StateChange, action: string, words: { summary: string; description: string }) =>
  defineRoute({
    method: 'POST',
    path: `/v1/memories/{memory_id}/${action}`,
    useCase,
    group,
    ...words,
    params: byId,
    query: about,
    answer: MemoryRecord,
    errors: ['not_found', 'conflict'],
    skipsIdempotentReplay: true,
    async handle(app, { access, params, query }) {
      return { body: presentMemory(await app[useCase](access, params.memory_id, toSubjectIds(query))) };
    },
  });

export const memoryRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/memories',
    useCase: 'submit',
    group,
    summary: 'Remember a document',
    description:
      'Ingestion runs in the background, and the answer is 202. With `wait` (seconds) it is 200 as soon as the memories can ' +
      'be recalled, or 202 when that time is over. With `user_id` the memories are that user’s, ' +
      'with `customer_id` alone that customer’s. A `document_id` that is in use is a 409 with its `ingestion_id`.',
    query: z.strictObject({ wait: seconds('Seconds to wait. `wait` in the body takes precedence.').optional() }),
    body: AwaitableSubmissionBody,
    bodyLimit: limits.textBody.max,
    answer: AcceptedRecord,
    statuses: [202, 200],
    answers: { 200: IngestionRecord },
    errors: ['duplicate_document', 'payload_too_large'],
    example: {
      document: [
        { role: 'user', content: 'I moved to York in May.', timestamp: '2026-06-01T09:00:00Z' },
        { role: 'assistant', content: 'How do you like it there?' },
      ],
      document_type: 'ai-chat-conversation',
      user_id: 'u-42',
    },
    async handle(app, { access, query, body, untilLeft }) {
      const { wait = query.wait ?? 0 } = body;
      const submission = toFileSubmission(body);
      const { configurationVersion } = access;
      if (wait === 0) return { body: presentAccepted(await app.submit(access, submission)), configurationVersion };
      const ingestion = await app.submitAndWait(access, submission, { ms: wait * 1000, signal: untilLeft() });
      const hasEnded = ingestion.status === 'completed' || ingestion.status === 'failed';
      return hasEnded
        ? { body: presentIngestion(ingestion), status: 200, configurationVersion }
        : { body: presentAccepted(ingestion), configurationVersion };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/memories/{ingestion_id}/status',
    useCase: 'ingestion',
    group,
    summary: 'How far an ingestion is',
    description: 'The memories of an ingestion can be fetched from the moment it is `completed`.',
    params: ofIngestion,
    query: z.strictObject({
      wait: seconds(
        'Seconds to wait for its end, so that nobody needs to poll; an unfinished one is answered after them.',
      ).default(0),
    }),
    answer: IngestionRecord,
    errors: ['not_found'],
    async handle(app, { access, params: { ingestion_id: id }, query: { wait }, untilLeft }) {
      const ingestion = await (wait
        ? app.awaitIngestion(access, id, { ms: wait * 1000, signal: untilLeft() })
        : app.ingestion(access, id));
      return { body: presentIngestion(ingestion) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/memories/{ingestion_id}/retry',
    useCase: 'retryIngestion',
    group,
    summary: 'Try an ingestion that failed again',
    description:
      'With all tries; its document takes its `document_id` again. One that has not failed is answered as it stands. ' +
      '409: another document has the `document_id` by now; send this one again with `if_exists: replace`.',
    params: ofIngestion,
    answer: IngestionRecord,
    statuses: [202],
    errors: ['not_found', 'duplicate_document'],
    skipsIdempotentReplay: true,
    handle: async (app, { access, params }) => ({
      body: presentIngestion(await app.retryIngestion(access, params.ingestion_id)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/memories/{memory_id}',
    useCase: 'memory',
    group,
    summary: 'Read a memory',
    params: byId,
    query: about,
    answer: MemoryRecord,
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      const memory = await app.memory(access, params.memory_id, toSubjectIds(query));
      return { body: presentMemoryInConversations(memory, await app.findConversationTurns(access, memory.evidence)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/memories',
    useCase: 'memories',
    group,
    summary: 'List memories',
    description: 'All of the instance, or those that every given filter fits.',
    query: listing,
    answer: MemoryPage,
    async handle(app, { access, query }) {
      const { type, category, status, provenance, q, metadata } = query;
      const filter = {
        ...toSubjectIds(query),
        entityId: query.entity_id,
        documentId: query.document_id,
        createdFrom: query.created_from,
        createdUntil: query.created_until,
        possiblyOutdated: query.possibly_outdated && query.possibly_outdated === 'true',
        type,
        category,
        status,
        provenance,
        q,
        metadata,
      };
      return { body: presentPage(await app.memories(access, filter, toPageRequest(query)), presentMemory) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/memories/{memory_id}',
    useCase: 'correctMemory',
    group,
    summary: 'Correct a memory',
    description:
      'Give it other words (`content`), another `type`, other times or other `metadata`; it keeps its id. What new words ' +
      'state, mention and date is read anew, and counts as said now: other memories of what was corrected give way. A ' +
      'type and times that are given win over what is read. Its evidence grows by the new words, and streams withdraw ' +
      'what it was before this answers. Passages that quote ' +
      'what was said once stay as they are. A `verbatim` record is kept as it is given: nothing is read out of it, and its ' +
      'document has the new words. 409: it is archived, or another memory says the same.',
    params: byId,
    query: about,
    body: CorrectionBody,
    answer: MemoryRecord,
    errors: ['not_found', 'conflict'],
    skipsIdempotentReplay: true,
    example: {
      content: 'I moved to York in June.',
      type: 'temporal_events',
      event_start: '2026-06-01T00:00:00Z',
      reason: 'It was June.',
    },
    async handle(app, { access, params, query, body }) {
      const correction = { ...toCorrection(body), ...toSubjectIds(query) };
      return { body: presentMemory(await app.correctMemory(access, params.memory_id, correction)) };
    },
  }),
  stateChange('undoSupersede', 'undo-supersede', {
    summary: 'Take back that a memory was replaced',
    description:
      'It holds again, and so does what had replaced it: these two never replace each other again. 409: it was not replaced.',
  }),
  stateChange('confirmOutdated', 'confirm-outdated', {
    summary: 'Confirm that a memory is outdated',
    description:
      'The memory of `possibly_outdated_by` takes its place, as if that had been sure when it was said; `undo-supersede` ' +
      'takes it back. 409: it is not possibly outdated, or the two state different attributes, so that neither can take ' +
      'the other’s place.',
  }),
  stateChange('rejectOutdated', 'reject-outdated', {
    summary: 'Answer that a memory still holds',
    description:
      'None of the newer memories that may have replaced it ever does, and none of these pairs is asked about again. 409: ' +
      'it is not possibly outdated.',
  }),
  stateChange('restoreMemory', 'restore', {
    summary: 'Restore an archived memory',
    description:
      'What retention archived is found again, with its entities. It counts as accessed now. 409: it is not archived, or ' +
      'the same was said again since.',
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/memories/{memory_id}',
    useCase: 'forgetMemory',
    group,
    summary: 'Forget a memory',
    description:
      'The receipt tells what was removed from each store, what was left when it was read back, and what else ' +
      'still cites the same turns. A `verbatim` record goes with its document. 202: a store was down and `pending` names it; the memory is ' +
      'unreachable already.',
    params: byId,
    query: about.extend({
      cascade: z
        .enum(['evidence'])
        .optional()
        .meta({
          description:
            '`evidence`: also every other memory that cites a turn of its evidence, whatever it says, and the words of those ' +
            'turns. Where a turn says several things, all of them go; without it, `also_stated_in` names them and they stay. ' +
            'To see them before, read `evidence` of the memory, and list its document: `GET /v1/memories?document_id=…`.',
        }),
    }),
    answer: MemoryDeletion,
    statuses: [200, 202],
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      const options = { ...toSubjectIds(query), cascade: query.cascade === 'evidence' };
      return presentDeletion(
        { memory_id: params.memory_id },
        await app.forgetMemory(access, params.memory_id, options),
      );
    },
  }),
];
