import { limits } from '../../../domain/limits.ts';
import type { EntityFilter, Resolvers } from '../../../generated/graphql.ts';
import type { SubjectIds } from '../../../domain/tenancy/access.ts';
import { requireContentReader } from '../../../domain/tenancy/roles.ts';
import { toCountedConnection, pageRequest, withReader, requireWithinLimit, type PageArgs } from '../connections.ts';
import { narrowReader, type Reader } from '../context.ts';
import { parseInput, EntityFilterFields, SubjectInput } from '../inputs.ts';
import { memoryConnection } from './memories.ts';

interface ListArgs extends PageArgs {
  readonly filter?: EntityFilter | null;
}

function filterOf(reader: Reader, { filter }: ListArgs) {
  if (filter?.q) requireContentReader(reader.access.principal); // what is found by its name is read
  return parseInput(EntityFilterFields, filter ?? {});
}

/**
 * A page of the entities that the memories of a user or customer mention, named and counted as these do; of the whole
 * instance, where nobody is named.
 */
export async function entityConnection(reader: Reader, named: SubjectIds, args: ListArgs) {
  const filter = filterOf(reader, args);
  const { entitiesOf, entityCountsOf } = reader.loaders;
  const page = withReader(reader, await entitiesOf.load({ filter, ...pageRequest(args) }, named));
  return toCountedConnection(page, args, () => entityCountsOf.load(filter, named));
}

export const entityResolvers: Resolvers = {
  Query: {
    entities: async (_, args, context) => entityConnection(await context.reader(args.instanceId), {}, args),
    async entity(_, { id, instanceId, ...args }, context) {
      const named = parseInput(SubjectInput, args);
      const reader = await narrowReader(context, await context.reader(instanceId), named);
      const [entity] = await context.app.entitiesByIds(reader.access, [id]);
      return entity ? { ...entity, reader } : null;
    },
  },
  Entity: {
    async evidence({ id, reader }, { first }) {
      requireWithinLimit('first', first, limits.page);
      const evidence = await reader.loaders.evidenceOfEntity.load(first, id);
      return evidence.map((mention) => ({ ...mention, reader }));
    },
    async merges({ id, reader }) {
      return (await reader.loaders.mergesOfEntity.load(id)).map((merge) => ({ ...merge, reader }));
    },
    memories: ({ id, reader }, args) => memoryConnection(reader, {}, { ...args, filter: { entityId: id } }),
  },
};
