import {
  getNamedType,
  GraphQLError,
  isLeafType,
  Kind,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { getComplexity, type ComplexityEstimator, type ComplexityEstimatorArgs } from 'graphql-query-complexity';
import { limits } from '../../domain/limits.ts';

const tooMuch = (message: string) => new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });

/** Refuses operations that are nested too deeply or repeat themselves under other names. */
export const queryShapeLimits: ValidationRule = (context) => {
  const fragments = new Map<string, Shape>();
  return {
    OperationDefinition({ selectionSet }) {
      const { depth, aliases } = shapeOf(context, selectionSet, fragments);
      if (depth > limits.operationDepth.max) {
        context.reportError(
          tooMuch(`this operation is nested ${depth} levels deep; at most ${limits.operationDepth.max} are answered`),
        );
      }
      if (aliases > limits.operationAliases.max) {
        context.reportError(
          tooMuch(`this operation has ${aliases} aliases; at most ${limits.operationAliases.max} are answered`),
        );
      }
    },
  };
};

interface Shape {
  readonly depth: number;
  readonly aliases: number;
}

/** Each fragment is measured once, however often it is spread. */
function shapeOf(context: ValidationContext, set: SelectionSetNode, fragments: Map<string, Shape>): Shape {
  const shapes = set.selections.map((selection): Shape => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      const existing = fragments.get(name);
      if (existing) return existing;
      fragments.set(name, { depth: 0, aliases: 0 }); // one that spreads itself is another rule's to refuse
      const fragment = context.getFragment(name);
      const shape = fragment ? shapeOf(context, fragment.selectionSet, fragments) : { depth: 0, aliases: 0 };
      fragments.set(name, shape);
      return shape;
    }
    const { depth, aliases } = selection.selectionSet
      ? shapeOf(context, selection.selectionSet, fragments)
      : { depth: 0, aliases: 0 };
    if (selection.kind === Kind.INLINE_FRAGMENT) return { depth, aliases };
    // How deep the schema may be read is GraphQL's own rule.
    if (selection.name.value.startsWith('__')) return { depth: 0, aliases: 0 };
    return { depth: depth + 1, aliases: aliases + (selection.alias ? 1 : 0) };
  });
  return {
    depth: Math.max(0, ...shapes.map((shape) => shape.depth)),
    aliases: shapes.reduce((sum, shape) => sum + shape.aliases, 0),
  };
}

/** A call of the app costs as much as this many objects. */
const callCost = 50;
/** The cost of counting a list, in objects: for each object of the page beside it, or for each owner of a list. */
const countCost = 5;
const counts = new Set(['totalCount', 'isTotalCapped']);
/** How many a list is taken to hold that has no `first`. */
const assumedLength = 5;
// Fields that cost one call of the app each: a user's or customer's mentions are searched in all that is theirs, and a
// customer's lists among all its users.
const callers = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Instance',
  'Entity.memories',
  'User.entities',
  'Customer.memories',
  'Customer.entities',
  'Customer.conversations',
  'Customer.documents',
]);

/** The objects that an answer may hold, and what it takes to find them. */
const estimator: ComplexityEstimator = ({ type, field, args, childComplexity }: ComplexityEstimatorArgs) => {
  if (type.name.startsWith('__') || field.name.startsWith('__')) return 0;
  if (isLeafType(getNamedType(field.type))) return counts.has(field.name) ? countCost : 0;
  const calls = callers.has(type.name) || callers.has(`${type.name}.${field.name}`);
  const statuses = field.name === 'memoryCounts' ? countCost : 0;
  return (calls ? callCost : 0) + statuses + lengthOf(type.name, field.type.toString(), args) * (1 + childComplexity);
};

function lengthOf(parent: string, type: string, args: ComplexityEstimatorArgs['args']): number {
  const asked = args['first'] ?? args['last'] ?? args['query']?.maxResults;
  if (typeof asked === 'number') return Math.max(1, asked);
  // Counted already, by the field that has the page.
  if (parent.endsWith('Connection') || parent === 'Context') return 1;
  if (!type.startsWith('[')) return 1;
  const { from, to } = args;
  if (typeof from !== 'number' || typeof to !== 'number') return assumedLength;
  return Math.min(Math.max(1, to - from + 1), limits.turnsRead.max); // more turns are refused by their field
}

interface Operation {
  readonly query: DocumentNode;
  readonly variables?: Record<string, unknown> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** Checks the cost of an operation; undefined when it is within the limit. */
export function queryCostError(schema: GraphQLSchema, operation: Operation): GraphQLError | undefined {
  try {
    const cost = costOf(schema, operation);
    if (cost <= limits.operationCost.max) return undefined;
    return tooMuch(
      `this operation costs ${cost}; at most ${limits.operationCost.max} is answered: ask for fewer, or smaller pages`,
    );
  } catch (error) {
    if (error instanceof GraphQLError) return error; // its variables are wrong, or it has too many parts to be counted
    throw error;
  }
}

const costOf = (schema: GraphQLSchema, { query, variables, operationName }: Operation): number =>
  getComplexity({
    schema,
    query,
    estimators: [estimator],
    variables: variables ?? {},
    ...(operationName ? { operationName } : {}),
  });
