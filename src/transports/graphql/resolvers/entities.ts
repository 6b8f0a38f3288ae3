import { limits } from '../../../domain/limits.ts';
import type { EntityFilter, Resolvers } from '../../../generated/graphql.ts';
import type { Page } from '../../../domain/pagination.ts';
import type { Entity } from '../../../domain/entities/entity.ts';
import type { SubjectIds as Whose } from '../../../domain/tenancy/access.ts';
import { requireContentReader } from '../../../domain/tenancy/roles.ts';
import { toConnection, pageRequest, withReader, requireWithinLimit, type PageArgs } from '../connections.ts';
import { narrowReader, type GraphqlContext, type Reader } from '../context.ts';
import { parseInput, EntityFilterFields, omitNulls, SubjectInput } from '../inputs.ts';
import { memoryConnection } from './memories.ts';

interface ListArgs extends PageArgs {
  readonly filter?: EntityFilter | null;
}

function filterOf(reader: Reader, { filter }: ListArgs) {
  if (filter?.q) requireContentReader(reader.access.principal); // what is found by its name is read
  return omitNulls(parseInput(EntityFilterFields, filter ?? {}));
}

const entityConnection = (reader: Reader, page: Page<Entity>, args: PageArgs) =>
  toConnection(withReader(reader, page), args);

/** A page of an instance's entities. */
export async function listEntities({ app }: GraphqlContext, reader: Reader, args: ListArgs) {
  return entityConnection(reader, await app.entities(reader.access, filterOf(reader, args), pageRequest(args)), args);
}

/** A page of the entities that the memories of a user or customer mention, named and counted as these do. */
export async function entitiesOf(reader: Reader, named: Whose, args: ListArgs) {
  const asked = { filter: filterOf(reader, args), ...pageRequest(args) };
  return entityConnection(reader, await reader.loaders.entitiesOf.load(asked, named), args);
}

export const entityResolvers: Resolvers = {
  Query: {
    entities: async (_, args, context) => listEntities(context, await context.reader(args.instanceId), args),
    async entity(_, { id, instanceId, ...args }, context) {
      const named = omitNulls(parseInput(SubjectInput, args));
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
    async memories({ id, reader }, args) {
      const page = await reader.loaders.memoriesOfEntity.load(pageRequest(args), id);
      return memoryConnection(reader, page, args, () => reader.loaders.memoryCounts.load(null, { entityId: id }));
    },
  },
};
