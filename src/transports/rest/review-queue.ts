import { z } from 'zod';
import { named, ownId, paging, toNamed, toPage } from './fields.ts';
import { presentMerged, presentPage, presentReview } from './present.ts';
import { MergedRecord, ReviewPage, ReviewRecord } from './records.ts';
import { route } from './route.ts';

const group = 'Review queue';
const byId = z.object({ review_id: ownId('`rev_…`') });
const about = z.strictObject(named);

export const reviewQueue = [
  route({
    method: 'GET',
    path: '/v1/review-queue',
    operation: 'reviews',
    useCase: 'reviews',
    group,
    summary: 'List pairs that may be one',
    description:
      'Pairs of entities that are too alike to keep apart and not alike enough to link, the newest first, with both sides and the reasons.',
    query: z.strictObject({ ...named, ...paging }),
    answer: ReviewPage,
    statuses: [200],
    errors: [],
    async handle(app, { access, query }) {
      return { body: presentPage(await app.reviews(access, toNamed(query), toPage(query)), presentReview) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/review-queue/{review_id}/confirm',
    operation: 'confirmReview',
    useCase: 'confirmReview',
    group,
    summary: 'Confirm: they are one',
    description: 'Merges the two. The merge can be undone.',
    params: byId,
    query: about,
    answer: MergedRecord,
    statuses: [200],
    errors: ['not_found', 'conflict'],
    tellsMemories: true,
    async handle(app, { access, params, query }) {
      return { body: presentMerged(await app.confirmReview(access, params.review_id, toNamed(query))) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/review-queue/{review_id}/reject',
    operation: 'rejectReview',
    useCase: 'rejectReview',
    group,
    summary: 'Reject: they are two',
    description: 'For good: they are not proposed again, and never linked by themselves.',
    params: byId,
    query: about,
    answer: ReviewRecord,
    statuses: [200],
    errors: ['not_found', 'conflict'],
    tellsMemories: true,
    async handle(app, { access, params, query }) {
      return { body: presentReview(await app.rejectReview(access, params.review_id, toNamed(query))) };
    },
  }),
];
