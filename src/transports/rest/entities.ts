import { z } from 'zod';
import { subjectFields, shortTextField, toSubjectIds } from '../http/fields.ts';
import { presageIdField, pageParameters, toPageRequest } from './fields.ts';
import { presentEntity, presentEntityDetail, presentPage } from './present.ts';
import { EntityDetailRecord, EntityPage } from './records.ts';
import { defineRoute } from './route.ts';
import { limits } from '../../domain/limits.ts';

const group = 'Entities';

export const entityRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/entities',
    useCase: 'entities',
    group,
    summary: 'List entities',
    description:
      'The people, places and things that memories mention. With a user or customer, as far as their own memories show them.',
    query: z.strictObject({
      ...subjectFields,
      kind: shortTextField(limits.kind, 'Such as `person` or `place`.').optional(),
      q: shortTextField(limits.search, 'A name, in any case.').optional(),
      ...pageParameters,
    }),
    answer: EntityPage,
    async handle(app, { access, query }) {
      const { kind, q } = query;
      const filter = { ...toSubjectIds(query), kind, q };
      return { body: presentPage(await app.entities(access, filter, toPageRequest(query)), presentEntity) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/entities/{entity_id}',
    useCase: 'entity',
    group,
    summary: 'Read an entity',
    description:
      'With where it is mentioned, and the merges it stands on. The id of one that was merged into it leads to it too.',
    params: z.object({ entity_id: presageIdField('`ent_…`') }),
    query: z.strictObject(subjectFields),
    answer: EntityDetailRecord,
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      return { body: presentEntityDetail(await app.entity(access, params.entity_id, toSubjectIds(query))) };
    },
  }),
];
