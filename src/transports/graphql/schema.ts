import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { auditContentReads } from './audit-content-reads.ts';
import { guardRootFields } from './use-cases.ts';
import { resolvers } from './resolvers/resolvers.ts';

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
