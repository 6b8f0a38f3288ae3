import { z } from 'zod';
import { DomainError } from '../../domain/errors.ts';
import type { Submission } from '../../domain/ingestion/ingestion.ts';
import { ownId, requestBodies } from './fields.ts';
import { presentBatch } from './present.ts';
import { BatchRecord } from './records.ts';
import { route } from './route.ts';
import { SubmissionBody, toSubmission } from './submission.ts';
import { invalidFields, validate } from './validate.ts';

const maxBatchBytes = 16 << 20;

/** Its documents are validated one by one: a wrong one is reported in its place. */
const BatchBody = z.strictObject({
  documents: z
    .array(z.unknown().meta({ $ref: '#/components/schemas/Submission' }))
    .min(1)
    .max(1_000),
  fail_fast: z.boolean().default(false).meta({
    description:
      'Refuse the whole batch when a document in it is not valid, and accept none after the first that is refused.',
  }),
});
requestBodies.add(BatchBody, { id: 'BatchSubmission' });

export const batches = [
  route({
    method: 'POST',
    path: '/v1/memories/batch',
    operation: 'submitBatch',
    group: 'Memories',
    summary: 'Remember many documents',
    description:
      'One call whatever its size, at most 16 MiB. Each document is judged for itself: one that is refused is reported in its place.',
    body: BatchBody,
    bodyLimit: maxBatchBytes,
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
      const items = body.documents.map(submissionOrError);
      if (body.fail_fast) refuseFirstOf(items);
      const batch = await app.submitBatch(access, items, { failFast: body.fail_fast });
      return { body: presentBatch(batch), configurationVersion: access.configurationVersion };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/memories/batch/{batch_id}',
    isPolled: true,
    operation: 'batch',
    group: 'Memories',
    summary: 'What became of a batch',
    params: z.object({ batch_id: ownId('`bat_…`, of the answer to the batch.') }),
    answer: BatchRecord,
    statuses: [200],
    errors: ['not_found'],
    handle: async (app, { access, params }) => ({ body: presentBatch(await app.batch(access, params.batch_id)) }),
  }),
];

function submissionOrError(document: unknown): Submission | DomainError {
  try {
    return toSubmission(validate(SubmissionBody, document, 'the document'));
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Throws the first error, its fields named within the whole body. */
function refuseFirstOf(items: readonly (Submission | DomainError)[]): void {
  const index = items.findIndex((item) => item instanceof DomainError);
  const error = items[index];
  if (!(error instanceof DomainError)) return;
  const at = `documents[${index}]`;
  const fields = error.fields.map(({ field, message }) => ({ field: `${at}.${field}`, message }));
  if (fields.length > 0 && error.code === 'invalid_input') throw invalidFields(fields, at);
  throw new DomainError(error.code, `${at}: ${error.message}`, { fields });
}
