import { z } from 'zod';

/** A list that has more items than it may. */
export interface OverlongList {
  readonly path: readonly string[];
  /** `20 items`. */
  readonly most: string;
}

/**
 * The first list of a value that is longer than its schema lets it be. To be asked before the schema is: zod looks at
 * each item before it counts them, and makes an error of each wrong one.
 */
export function findOverlongList(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly string[] = [],
): OverlongList | undefined {
  if (schema instanceof z.ZodArray) {
    const most = mostItems(schema);
    if (!Array.isArray(value) || value.length <= most) return undefined;
    return { path, most: `${most.toLocaleString('en')} items` };
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
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return [schema.unwrap()];
  }
  return [];
}
