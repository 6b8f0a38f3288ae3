import { z } from 'zod';
import { subjectFields, toSubjectIds } from '../http/fields.ts';
import { presageIdField, requestSchema } from './fields.ts';
import { presentSplit, presentMergeResult, presentUnmergeResult } from './present.ts';
import { SplitRecord, MergeResultRecord, UnmergeRecord } from './records.ts';
import { defineRoute } from './route.ts';
import { limits } from '../../domain/limits.ts';

const group = 'Entities';

const entityId = (description: string) => z.string().min(1).max(limits.id.max).meta({ description });

const MergeBody = requestSchema('MergeEntities', {
  source_entity_id: entityId('Becomes part of the other.'),
  target_entity_id: entityId('Stays, with its id.'),
  ...subjectFields,
});

const SplitBody = requestSchema('SplitEntity', {
  entity_id: entityId('`ent_…`'),
  memory_ids: z
    .array(z.string().min(1).max(limits.id.max))
    .min(1)
    .max(limits.split.max)
    .meta({ description: 'The memories that mean somebody or something else by it.' }),
  ...subjectFields,
});

export const mergeRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/entities/merge',
    useCase: 'mergeEntities',
    group,
    summary: 'Merge two entities',
    description: 'Whatever was proposed or rejected before. The merge can be undone.',
    body: MergeBody,
    example: {
      source_entity_id: 'ent_01m7v2q4z8f1kbx3c5d7e9g0hj',
      target_entity_id: 'ent_01m7v2q4z8f1kbx3c5d7e9g0hk',
    },
    answer: MergeResultRecord,
    errors: ['not_found', 'conflict'],
    skipsIdempotentReplay: true,
    async handle(app, { access, body }) {
      const input = { ...toSubjectIds(body), sourceId: body.source_entity_id, targetId: body.target_entity_id };
      return { body: presentMergeResult(await app.mergeEntities(access, input)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/entities/split',
    useCase: 'splitEntity',
    group,
    summary: 'Split an entity',
    description: 'Moves the mentions by these memories to a new entity. The two are not proposed as one again.',
    body: SplitBody,
    example: {
      entity_id: 'ent_01m7v2q4z8f1kbx3c5d7e9g0hj',
      memory_ids: ['mem_01m7v2q4z8f1kbx3c5d7e9g0hm'],
    },
    answer: SplitRecord,
    errors: ['not_found', 'conflict'],
    skipsIdempotentReplay: true,
    async handle(app, { access, body }) {
      const input = { ...toSubjectIds(body), entityId: body.entity_id, memoryIds: body.memory_ids };
      return { body: presentSplit(await app.splitEntity(access, input)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/merges/{merge_id}/undo',
    useCase: 'undoMerge',
    group,
    summary: 'Undo a merge',
    description: 'Each of the two has its mentions again, those that came since too. They are not proposed again.',
    params: z.object({ merge_id: presageIdField('`mrg_…`') }),
    query: z.strictObject(subjectFields),
    answer: UnmergeRecord,
    errors: ['not_found', 'conflict'],
    skipsIdempotentReplay: true,
    async handle(app, { access, params, query }) {
      return { body: presentUnmergeResult(await app.undoMerge(access, params.merge_id, toSubjectIds(query))) };
    },
  }),
];
