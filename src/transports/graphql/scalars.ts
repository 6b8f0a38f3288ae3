import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { timeField } from '../http/fields.ts';

const time = timeField();

function parseTime(value: unknown): Date {
  const { data, error } = time.safeParse(value);
  if (!data) throw new GraphQLError(error.issues[0]!.message);
  return data;
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
