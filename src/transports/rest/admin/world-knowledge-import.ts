import { z } from 'zod';
import { mapYielding } from '../../../domain/flow/map-yielding.ts';
import { formatLimit, limits } from '../../../domain/limits.ts';
import { requestSchema, namedRequestSchemas } from '../fields.ts';
import { presentBatch } from '../present.ts';
import { BatchRecord } from '../records.ts';
import { defineAdminRoute } from '../route.ts';
import { instancePathParameters } from './define-instance-route.ts';
import { SubmissionBody, submissionOrError, dropErrors } from '../submission.ts';

/** A document for everybody: it has no owner and no conversation. */
const WorldKnowledgeDocument = SubmissionBody.omit({
  user_id: true,
  customer_id: true,
  conversation_id: true,
}).register(namedRequestSchemas, { id: 'WorldKnowledgeDocument' });
/** Its documents are validated one by one, so that a long list keeps nobody waiting. */
const WorldKnowledgeImport = requestSchema('WorldKnowledgeImport', {
  documents: z
    .array(z.unknown().meta({ $ref: '#/components/schemas/WorldKnowledgeDocument' }))
    .min(1)
    .max(limits.batch.max),
});

export const worldKnowledgeImportRoutes = [
  defineAdminRoute({
    method: 'POST',
    path: '/v1/admin/instances/{instance_id}/world-import',
    useCase: 'administration.importWorldKnowledge',
    group: 'Instances',
    summary: 'Import knowledge for everybody',
    description:
      'What these documents say is of scope WORLD: every reader of this instance may find it. Accepted at once and ingested in ' +
      `the background, at most ${limits.batch.max.toLocaleString('en')} documents and ${formatLimit(limits.batchBody)}. 409: the instance is not active.`,
    params: instancePathParameters,
    body: WorldKnowledgeImport,
    bodyLimit: limits.batchBody.max,
    answer: BatchRecord,
    statuses: [202],
    errors: ['not_found', 'conflict', 'payload_too_large'],
    example: { documents: [{ document: 'The clinic is in Leeds.', document_type: 'note' }] },
    async handle(app, { admin, params, body }) {
      const items = await mapYielding(body.documents, (document) =>
        submissionOrError(document, WorldKnowledgeDocument),
      );
      const documents = dropErrors(items);
      return {
        body: presentBatch(await app.administration.importWorldKnowledge(admin, params.instance_id, documents)),
      };
    },
  }),
];
