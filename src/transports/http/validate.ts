import { z } from 'zod';
import { DomainError, type FieldError } from '../../domain/errors.ts';
import { fieldPathOf } from './field-path.ts';
import { findOverlongList } from './overlong-list.ts';
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
  if (long) throw invalidFields([{ field: fieldPathOf(long.path), message: `must have ${long.most} or less` }], what);
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const fields = onePerField(parsed.error.issues.flatMap((issue) => fieldErrors(issue, [], namesOf(schema))));
  throw invalidFields(fields, what);
}

/** The error of these fields; one field's message is the whole message. */
export function invalidFields(fields: readonly FieldError[], what: string): DomainError {
  const told = fields.slice(0, maxErrors);
  const [first] = told;
  const sentence = first ? `${first.field ? `${first.field}:` : what} ${first.message}` : `${what} is not valid`;
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : '';
  return new DomainError('invalid_input', `${sentence}${more}`, { fields: told.filter((each) => each.field) });
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

const namesOf = (schema: z.ZodType): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

/** The first mistake of a field explains it; the rest often follow from it. */
function onePerField(fields: readonly FieldError[]): FieldError[] {
  return [...new Map(fields.toReversed().map((field) => [field.field, field])).values()].toReversed();
}
