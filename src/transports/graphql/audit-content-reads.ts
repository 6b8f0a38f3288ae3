import { defaultFieldResolver, isObjectType, type GraphQLSchema } from 'graphql';
import type { GraphqlContext } from './context.ts';

/** Each field that the schema marks `@content` is noted before it is read. */
export function auditContentReads(schema: GraphQLSchema): GraphQLSchema {
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
