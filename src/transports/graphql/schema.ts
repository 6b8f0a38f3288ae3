import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { defaultFieldResolver, isObjectType, type GraphQLSchema } from 'graphql';
import type { GraphqlContext } from './context.ts';
import { resolvers } from './resolvers/resolvers.ts';
import { guardRootFields } from './use-cases.ts';

/** `schema.graphql`, as written: the contract. Beside `src` and `dist` alike. */
export const typeDefs = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');

/** The schema with its resolvers. */
export const createSchema = () =>
  guardRootFields(
    auditContentReads(
      makeExecutableSchema({
        typeDefs,
        resolvers,
        resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
      }),
    ),
  );

/** Each field that the schema marks `@content` is noted before it is read. */
function auditContentReads(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.astNode?.directives?.some(({ name }) => name.value === 'content')) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (source: unknown, args, context: GraphqlContext, info) => {
        context.contentReads.note(type.name, source);
        return resolve(source, args, context, info);
      };
    }
  }
  return schema;
}
