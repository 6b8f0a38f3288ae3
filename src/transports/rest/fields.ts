import { z } from 'zod';
import { limits } from '../../domain/limits.ts';
import type { PageRequest } from '../../domain/cursor.ts';
import { shortText } from '../http/fields.ts';

export { base64, foreignId, named, provenanceFilter, shortText, text, time, toNamed } from '../http/fields.ts';

/** The schemas of bodies and answers that the OpenAPI document names; an answer's is written as it is sent. */
export const requestBodies = z.registry<{ id: string }>();
export const answerBodies = z.registry<{ id: string }>();

/** Lists answer a page at a time. */
export const paging = {
  limit: z.coerce.number().int().min(1).max(limits.page.most).default(50).meta({ description: 'How many to answer.' }),
  cursor: shortText(limits.cursor, 'The `next_cursor` of the page before.').optional(),
  order_by: z.enum(['newest_first', 'oldest_first']).optional().meta({
    description: 'The order by time of this page and of those that follow it. Without it, as the route says.',
  }),
};

/** A page as the domain is asked for it. */
export const toPage = ({ limit, cursor, order_by: order }: z.output<z.ZodObject<typeof paging>>): PageRequest => ({
  limit,
  cursor,
  direction: order && (order === 'newest_first' ? 'desc' : 'asc'),
});

/** An id of ours in a path. One that is malformed names nothing: 404, like one that never was. */
export const ownId = (description: string) => z.string().meta({ description });

/** A time in an answer. */
export const isoTime = (description?: string) =>
  z.string().meta({ format: 'date-time', ...(description ? { description } : {}) });

/** A page of records, as it is answered. */
export const pageOf = <R extends z.ZodType>(record: R) =>
  z.object({
    data: z.array(record),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Ask with it as `cursor` for the next page; null: this is the last.' }),
  });
