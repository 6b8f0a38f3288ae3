import { z } from 'zod';
import { mapYielding } from '../../domain/flow/map-yielding.ts';
import { presageIdField, requestSchema } from './fields.ts';
import { presentBatch } from './present.ts';
import { BatchRecord } from './records.ts';
import { defineRoute } from './route.ts';
import { submissionOrError, dropErrors } from './submission.ts';
import { formatLimit, limits } from '../../domain/limits.ts';

/** Its documents are validated one by one: a wrong one is reported in its place. */
const BatchBody = requestSchema('BatchSubmission', {
  documents: z
    .array(z.unknown().meta({ $ref: '#/components/schemas/Submission' }))
    .min(1)
    .max(limits.batch.max),
  fail_fast: z.boolean().default(false).meta({
    description:
      'Refuse the whole batch when a document in it is not valid, and accept none after the first that is refused.',
  }),
});

export const batchRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/memories/batch',
    useCase: 'submitBatch',
    group: 'Memories',
    summary: 'Remember many documents',
    description: `One call whatever its size, at most ${formatLimit(limits.batchBody)}. Each document is judged for itself: one that is refused is reported in its place.`,
    body: BatchBody,
    bodyLimit: limits.batchBody.max,
    answer: BatchRecord,
    statuses: [202],
    errors: ['duplicate_document', 'payload_too_large'],
    example: {
      documents: [
        { document: 'Ada keeps bees on her roof.', document_type: 'note', user_id: 'u-42' },
        { document: 'Ada is allergic to walnuts.', document_type: 'note', user_id: 'u-42' },
      ],
    },
    async handle(app, { access, body }) {
      const items = await mapYielding(body.documents, (document) => submissionOrError(document));
      const documents = body.fail_fast ? dropErrors(items) : items;
      const batch = await app.submitBatch(access, documents, { failFast: body.fail_fast });
      return { body: presentBatch(batch), configurationVersion: access.configurationVersion };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/memories/batch/{batch_id}',
    useCase: 'batch',
    group: 'Memories',
    summary: 'What became of a batch',
    params: z.object({ batch_id: presageIdField('`bat_…`, of the answer to the batch.') }),
    answer: BatchRecord,
    errors: ['not_found'],
    handle: async (app, { access, params }) => ({ body: presentBatch(await app.batch(access, params.batch_id)) }),
  }),
];
