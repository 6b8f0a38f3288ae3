import { z } from 'zod';
import { deletionRecord, presentDeletion } from './receipts.ts';
import { callerIdField, subjectFields, toSubjectIds } from '../http/fields.ts';
import { defineRoute } from './route.ts';

const DocumentDeletion = deletionRecord('DocumentDeletion', { document_id: z.string() });

export const documentRoutes = [
  defineRoute({
    method: 'DELETE',
    path: '/v1/documents/{document_id}',
    useCase: 'forgetDocument',
    group: 'Documents',
    summary: 'Forget a document',
    description: 'The document and all that was learnt from it alone. Its id is free again.',
    params: z.object({ document_id: callerIdField('Your own id of the document, or `doc_…`.') }),
    query: z.strictObject(subjectFields),
    answer: DocumentDeletion,
    statuses: [200, 202],
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      const receipt = await app.forgetDocument(access, params.document_id, toSubjectIds(query));
      return presentDeletion({ document_id: params.document_id }, receipt);
    },
  }),
];
