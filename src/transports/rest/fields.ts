import { z } from 'zod';
import { limits } from '../../domain/limits.ts';
import type { PageRequest } from '../../domain/pagination.ts';
import { shortTextField } from '../http/fields.ts';

/** The schemas of bodies and answers that the OpenAPI document names; an answer's is written as it is sent. */
export const namedRequestSchemas = z.registry<{ id: string }>();
export const namedAnswerSchemas = z.registry<{ id: string }>();

/** A body by its name there; a field that it does not have is refused. */
export function requestSchema<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).register(namedRequestSchemas, { id });
}

/** An answer, or a part of one, by its name there. */
export function answerSchema<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).register(namedAnswerSchemas, { id });
}

/** Lists answer a page at a time. */
export const pageParameters = {
  limit: z.coerce.number().int().min(1).max(limits.page.max).default(50).meta({ description: 'How many to answer.' }),
  cursor: shortTextField(limits.cursor, 'The `next_cursor` of the page before.').optional(),
  order_by: z.enum(['newest_first', 'oldest_first']).optional().meta({
    description: 'The order by time of this page and of those that follow it. Without it, as the route says.',
  }),
};

/** Lists of the caller's ids are in the order of these. */
export const idPageParameters = {
  ...pageParameters,
  order_by: z.enum(['ascending', 'descending']).optional().meta({
    description: 'The order by id of this page and of those that follow it; default: ascending.',
  }),
};

const directions = { newest_first: 'desc', oldest_first: 'asc', ascending: 'asc', descending: 'desc' } as const;

/** A page as the domain is asked for it. */
export const toPageRequest = ({
  limit,
  cursor,
  order_by: order,
}: z.output<z.ZodObject<typeof pageParameters | typeof idPageParameters>>): PageRequest => ({
  limit,
  cursor,
  direction: order && directions[order],
});

/** An id of ours in a path. One that is malformed names nothing: 404, like one that never was. */
export const presageIdField = (description: string) => z.string().meta({ description });

/** A time in an answer. */
export const isoTimeField = (description?: string) =>
  z.string().meta({ format: 'date-time', ...(description ? { description } : {}) });

/** The fields of a page of records, as it is answered. */
export const pageFieldsOf = <R extends z.ZodType>(record: R) => ({
  data: z.array(record),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'Ask with it as `cursor` for the next page; null: this is the last.' }),
});
