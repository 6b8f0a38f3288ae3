import { invalid } from '../../../domain/errors.ts';
import type { EntityFilter, Resolvers } from '../../../generated/graphql.ts';
import { connection, cursorOfKind, pageRequest } from '../connections.ts';
import { narrowed, type GraphqlContext, type Reader } from '../context.ts';
import { check, EntityFilters, given, Named } from '../inputs.ts';
import { cursorOfMemory } from './memories.ts';

interface ListArgs {
  readonly filter?: EntityFilter | null;
  readonly first: number;
  readonly after?: string | null;
}

/** A page of an instance's entities. */
export async function listEntities({ app }: GraphqlContext, reader: Reader, args: ListArgs) {
  const filter = given(check(EntityFilters, args.filter ?? {}));
  const { data, nextCursor } = await app.entities(reader.access, filter, pageRequest(args));
  const nodes = data.map((entity) => ({ ...entity, reader }));
  return connection({ data: nodes, nextCursor }, args, cursorOfKind('entity'));
}

export const entities: Resolvers = {
  Query: {
    entities: async (_, args, context) => listEntities(context, await context.reader(args.instanceId), args),
    async entity(_, { id, instanceId, ...args }, context) {
      const named = given(check(Named, args));
      const reader = await narrowed(context, await context.reader(instanceId), named);
      const [entity] = await context.app.entitiesByIds(reader.access, [id]);
      return entity ? { ...entity, reader } : null;
    },
  },
  Entity: {
    async evidence({ id, reader }, { first }) {
      if (first < 1 || first > 100) throw invalid('first', 'must be 1 to 100');
      const evidence = await reader.loaders.evidenceOfEntity.load({ entityId: id, first });
      return evidence.map((mention) => ({ ...mention, reader }));
    },
    async merges({ id, reader }) {
      return (await reader.loaders.mergesOfEntity.load(id)).map((merge) => ({ ...merge, reader }));
    },
    async memories({ id, reader }, args) {
      const { data, nextCursor } = await reader.loaders.memoriesOfEntity.load({
        entityId: id,
        page: pageRequest(args),
      });
      const nodes = data.map((memory) => ({ ...memory, reader }));
      return { ...connection({ data: nodes, nextCursor }, args, cursorOfMemory), filter: { entityId: id }, reader };
    },
  },
};
