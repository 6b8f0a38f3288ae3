import { z } from 'zod';
import { named, ownId, paging, shortText, toNamed, toPage } from './fields.ts';
import { presentEntity, presentEntityDetail, presentPage } from './present.ts';
import { EntityDetailRecord, EntityPage } from './records.ts';
import { route } from './route.ts';
import { limits } from '../../domain/limits.ts';

const group = 'Entities';

export const entities = [
  route({
    method: 'GET',
    path: '/v1/entities',
    operation: 'entities',
    useCase: 'entities',
    group,
    summary: 'List entities',
    description:
      'The people, places and things that memories mention. With a user or customer, as far as their own memories show them.',
    query: z.strictObject({
      ...named,
      kind: shortText(limits.kind, 'Such as `person` or `place`.').optional(),
      q: shortText(limits.search, 'A name, in any case.').optional(),
      ...paging,
    }),
    answer: EntityPage,
    statuses: [200],
    errors: [],
    async handle(app, { access, query }) {
      const { kind, q } = query;
      const filter = { ...toNamed(query), kind, q };
      return { body: presentPage(await app.entities(access, filter, toPage(query)), presentEntity) };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/entities/{entity_id}',
    operation: 'entity',
    useCase: 'entity',
    group,
    summary: 'Read an entity',
    description:
      'With where it is mentioned, and the merges it stands on. The id of one that was merged into it leads to it too.',
    params: z.object({ entity_id: ownId('`ent_…`') }),
    query: z.strictObject(named),
    answer: EntityDetailRecord,
    statuses: [200],
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      return { body: presentEntityDetail(await app.entity(access, params.entity_id, toNamed(query))) };
    },
  }),
];
