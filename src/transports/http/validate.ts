import { z } from 'zod';
import { DomainError, type FieldError } from '../../domain/errors.ts';
import { joinWithOr, nearestName, typeNounOf, describeIssue } from './describe-issue.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The most mistakes that one answer lists: a body can hold ten thousand, and nobody reads those. */
const maxErrors = 20;

/**
 * The value as the schema gives it. Throws `invalid_input` that names each wrong field as the caller spelt it; `what` is
 * how the value itself is called.
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const long = findOverlongList(schema, value);
  if (long) throw invalidFields([{ field: fieldPathOf(long.path), message: `must have ${long.max} or less` }], what);
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const fields = onePerField(parsed.error.issues.flatMap((issue) => fieldErrors(issue, [], namesOf(schema))));
  throw invalidFields(fields, what);
}

/** As `validate`; an input that is wrong gives its error, where several are judged each for itself. */
export function validateOrError<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: string,
): z.output<S> | DomainError {
  try {
    return validate(schema, value, what);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** How a caller spells the place of a value in what they sent: `document.turns[3].content`. */
export const fieldPathOf = (path: readonly PropertyKey[]): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('');

/** The error of these fields; one field's message is the whole message. */
export function invalidFields(fields: readonly FieldError[], what: string): DomainError {
  const listed = fields.slice(0, maxErrors);
  const [first] = listed;
  const sentence = first ? `${first.field ? `${first.field}:` : what} ${first.message}` : `${what} is not valid`;
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : '';
  return new DomainError('invalid_input', `${sentence}${more}`, { fields: listed.filter((each) => each.field) });
}

function fieldErrors(issue: Issue, within: Path, existing: readonly string[]): FieldError[] {
  const path = [...within, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    // More than are told are only counted: to look for the nearest known name takes its time.
    return issue.keys.map((key, n) => ({
      field: fieldPathOf([...path, key.slice(0, 80)]),
      message: n < maxErrors ? unknownField(key, existing) : 'is not a known field',
    }));
  }
  if (issue.code === 'invalid_union') return unionErrors(issue, path, existing);
  if (path.length === 0 && issue.code === 'invalid_type') {
    return [{ field: '', message: 'must be a JSON object' }];
  }
  return [{ field: fieldPathOf(path), message: issue.message }];
}

/** Errors of the union branch whose form the caller chose; where they chose none, an error that lists the forms. */
function unionErrors(issue: z.core.$ZodIssueInvalidUnion, path: Path, existing: readonly string[]): FieldError[] {
  const branches = issue.errors;
  const chosen = branches.find(
    (branch) => !branch.some((each) => each.path.length === 0 && each.code === 'invalid_type'),
  );
  if (chosen) return chosen.flatMap((each) => fieldErrors(each, path, existing));
  const expected = branches.flatMap((branch) =>
    branch.flatMap((each) => (each.code === 'invalid_type' ? [typeNounOf(each.expected)] : [])),
  );
  const isMissing = branches.some((branch) => branch.some((each) => each.message.startsWith('is required')));
  return [{ field: fieldPathOf(path), message: `${isMissing ? 'is required:' : 'must be'} ${joinWithOr(expected)}` }];
}

function unknownField(key: string, existing: readonly string[]): string {
  const near = nearestName(key, existing);
  if (near) return `is not a known field; did you mean "${near}"?`;
  return existing.length > 0
    ? `is not a known field; known are ${existing.join(', ')}`
    : 'is not a known field; none is taken here';
}

/** The fields of an object, also of one that may be left out. */
const namesOf = (schema: z.core.$ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : innerOf(schema).flatMap(namesOf);

/** The first mistake of a field explains it; the rest often follow from it. */
function onePerField(fields: readonly FieldError[]): FieldError[] {
  return [...new Map(fields.toReversed().map((field) => [field.field, field])).values()].toReversed();
}

/** A list that has more items than it may. */
interface OverlongList {
  readonly path: readonly string[];
  /** `20 items`. */
  readonly max: string;
}

/**
 * The first list of a value that is longer than its schema lets it be. To be asked before the schema is: zod looks at
 * each item before it counts them, and makes an error of each wrong one.
 */
function findOverlongList(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly string[] = [],
): OverlongList | undefined {
  if (schema instanceof z.ZodArray) {
    const max = mostItems(schema);
    if (!Array.isArray(value) || value.length <= max) return undefined;
    return { path, max: `${max.toLocaleString('en')} items` };
  }
  if (schema instanceof z.ZodObject) {
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [name, member] of Object.entries(schema.shape)) {
      // Most members are left out: an absent one has no list.
      const given = (value as Readonly<Record<string, unknown>>)[name];
      const found = given === undefined ? undefined : findOverlongList(member, given, [...path, name]);
      if (found) return found;
    }
    return undefined;
  }
  for (const inner of innerOf(schema)) {
    const found = findOverlongList(inner, value, path);
    if (found) return found;
  }
  return undefined;
}

const mostItems = ({ _zod: { def } }: z.ZodArray): number =>
  Math.min(...(def.checks ?? []).map(({ _zod }) => (isMaximum(_zod.def) ? _zod.def.maximum : Infinity)));

const isMaximum = (check: z.core.$ZodCheckDef): check is z.core.$ZodCheckMaxLengthDef => check.check === 'max_length';

/** The schemas that look at the same value. */
function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodPipe) return [schema.in];
  const isOptional =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  if (isOptional || schema instanceof z.ZodNullable) return [schema.unwrap()];
  return [];
}
