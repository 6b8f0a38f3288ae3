import type { EntityFilter, Resolvers } from '../../../generated/graphql.ts';
import { connection, cursorOfKind, pageRequest } from '../connections.ts';
import type { GraphqlContext, Reader } from '../context.ts';
import { check, EntityFilters, given, Named } from '../inputs.ts';
import { orNull } from '../loaders.ts';
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
      const reader = await context.reader(instanceId);
      const entity = await orNull(context.app.entity(reader.access, id, given(check(Named, args))));
      return entity && { ...entity, reader };
    },
  },
  Entity: {
    async memories({ id, reader }, args) {
      const { data, nextCursor } = await reader.loaders.memoriesOfEntity.load({
        entityId: id,
        page: pageRequest(args),
      });
      const nodes = data.map((memory) => ({ ...memory, reader }));
      return connection({ data: nodes, nextCursor }, args, cursorOfMemory);
    },
  },
};
