import { z } from 'zod';
import { subjectFields, toSubjectIds } from '../http/fields.ts';
import { presageIdField, pageParameters, toPageRequest } from './fields.ts';
import { presentMergeResult, presentPage, presentReview } from './present.ts';
import { MergeResultRecord, ReviewPage, ReviewRecord } from './records.ts';
import { defineRoute } from './route.ts';

const group = 'Review queue';
const byId = z.object({ review_id: presageIdField('`rev_…`') });
const about = z.strictObject(subjectFields);

export const reviewQueueRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/review-queue',
    useCase: 'reviews',
    group,
    summary: 'List pairs that may be one',
    description:
      'Pairs of entities that are too alike to keep apart and not alike enough to link, the newest first, with both sides and the reasons.',
    query: z.strictObject({ ...subjectFields, ...pageParameters }),
    answer: ReviewPage,
    async handle(app, { access, query }) {
      return { body: presentPage(await app.reviews(access, toSubjectIds(query), toPageRequest(query)), presentReview) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/review-queue/{review_id}/confirm',
    useCase: 'confirmReview',
    group,
    summary: 'Confirm: they are one',
    description: 'Merges the two. The merge can be undone.',
    params: byId,
    query: about,
    answer: MergeResultRecord,
    errors: ['not_found', 'conflict'],
    skipsIdempotentReplay: true,
    async handle(app, { access, params, query }) {
      return { body: presentMergeResult(await app.confirmReview(access, params.review_id, toSubjectIds(query))) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/review-queue/{review_id}/reject',
    useCase: 'rejectReview',
    group,
    summary: 'Reject: they are two',
    description: 'For good: they are not proposed again, and never linked by themselves.',
    params: byId,
    query: about,
    answer: ReviewRecord,
    errors: ['not_found', 'conflict'],
    skipsIdempotentReplay: true,
    async handle(app, { access, params, query }) {
      return { body: presentReview(await app.rejectReview(access, params.review_id, toSubjectIds(query))) };
    },
  }),
];
