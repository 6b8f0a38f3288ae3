import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';

type Named = Readonly<Record<string, string>>;

/** The least value that a type of GraphQL takes, as it is written; input fields that `named` names have its values. */
export function leastArgument(type: GraphQLInputType, named: Named = {}): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return '[]';
  if (isEnumType(nullable)) return nullable.getValues()[0]!.name;
  if (!isInputObjectType(nullable))
    return { Int: '1', Float: '1', Boolean: 'false' }[nullable.toString()] ?? '"nothing"';
  const all = Object.values(nullable.getFields());
  const needed = nullable.isOneOf
    ? all.slice(0, 1)
    : all.filter((each) => isNonNullType(each.type) && each.defaultValue === undefined);
  const fields = needed.map(
    ({ name, type: of }) => `${name}: ${name in named ? JSON.stringify(named[name]) : leastArgument(of, named)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** A field with the arguments that it needs at least, and those that `named` names. */
export function leastCall({ name, args }: GraphQLField<unknown, unknown>, named: Named): string {
  const given = args
    .filter((each) => each.name in named || (isNonNullType(each.type) && each.defaultValue === undefined))
    .map(
      (each) =>
        `${each.name}: ${each.name in named ? JSON.stringify(named[each.name]) : leastArgument(each.type, named)}`,
    );
  return `${name}${given.length ? `(${given.join(', ')})` : ''}`;
}
