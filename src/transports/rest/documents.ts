import { z } from 'zod';
import { deletion } from './deletion.ts';
import { answerBodies, foreignId, isoTime, named, toNamed } from './fields.ts';
import { ReceiptRecord } from './records.ts';
import { route } from './route.ts';

const DocumentDeletion = z.object({ document_id: z.string(), deleted_at: isoTime(), receipt: ReceiptRecord });
answerBodies.add(DocumentDeletion, { id: 'DocumentDeletion' });

export const documents = [
  route({
    method: 'DELETE',
    path: '/v1/documents/{document_id}',
    operation: 'forgetDocument',
    useCase: 'forgetDocument',
    group: 'Documents',
    summary: 'Forget a document',
    description: 'The document and all that was learnt from it alone. Its id is free again.',
    params: z.object({ document_id: foreignId('Your own id of the document, or `doc_…`.') }),
    query: z.strictObject(named),
    answer: DocumentDeletion,
    statuses: [200, 202],
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      const receipt = await app.forgetDocument(access, params.document_id, toNamed(query));
      return deletion({ document_id: params.document_id }, receipt);
    },
  }),
];
