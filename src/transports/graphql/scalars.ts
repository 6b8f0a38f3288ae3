import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { z } from 'zod';

const wanted = 'must be an ISO 8601 time with an offset, such as 2026-01-05T09:30:00Z, or a date';
const shape = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

function parseTime(value: unknown): Date {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new GraphQLError(wanted);
  return new Date(parsed.data);
}

const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  // Taken instead of the schema's, which says the same.
  description:
    'A point in time, ISO 8601 with an offset, such as `2026-01-05T09:30:00Z`. A date alone is its midnight in UTC. ' +
    'Answers are in UTC with milliseconds.',
  serialize: (value) => (value as Date).toISOString(),
  parseValue: parseTime,
  parseLiteral: (node) => parseTime(node.kind === Kind.STRING ? node.value : undefined),
});

/** The scalars of the schema that are not GraphQL's own. `JSON` needs no resolver: any value passes as it is. */
export const scalarResolvers = { DateTime };
