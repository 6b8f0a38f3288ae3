import { z } from 'zod';
import { provenances } from '../../domain/extraction/provenance.ts';
import type { Correction } from '../../domain/ingestion/correction.ts';
import { dotSegmentError, isDotSegment } from '../../domain/ids.ts';
import { precisions } from '../../domain/dates/calendar.ts';
import { formatLimit, limits, type Limit } from '../../domain/limits.ts';
import { memoryTypes } from '../../domain/memory-types.ts';
import { plainText, storableText } from '../../domain/plain-text.ts';
import type { SubjectIds } from '../../domain/tenancy/access.ts';

/** An id that the caller chose: opaque to us. */
export const callerIdField = (description?: string) =>
  plainText(z.string().min(1).max(limits.id.max))
    .refine((id) => !isDotSegment(id), dotSegmentError)
    .meta({ description });

/** A short word or name, on one line. */
export const shortTextField = ({ max }: Limit, description?: string) =>
  plainText(z.string().min(1).max(max)).meta({ description });

const speakers = '`user`, `assistant`, or whoever speaks';
export const roleMissing = `is required: ${speakers}`;
/** The role of a message's speaker. */
export const roleField = plainText(
  z
    .string({ error: ({ input }) => (input === undefined ? roleMissing : undefined) })
    .min(1)
    .max(limits.role.max),
).meta({ description: `${speakers}.` });

/** A text of the caller's. What no Unicode text can hold is replaced, so that what is stored is what is shown. */
export const textField = (maxChars?: number) => {
  const any = z.string().min(1).regex(/\S/, 'must not be blank');
  return (maxChars ? any.max(maxChars) : any).overwrite(storableText);
};

/** A use-case file within an input. Its size is checked where it is used: too large is 413, not 400. */
export const useCaseField = z
  .string()
  .overwrite(storableText)
  .meta({
    description: `The use-case file in Markdown, ${formatLimit(limits.useCase)} or less. Or send it alone, as \`text/markdown\`.`,
  });

/** A caller's own metadata, kept with memories. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= limits.metadata.max,
    `must be ${formatLimit(limits.metadata)} of JSON or less`,
  )
  .meta({ description: `Kept with each memory of it; at most ${formatLimit(limits.metadata)}.` });

/** Members that the metadata of a record must have. */
export const MetadataFilter = z
  .record(z.string(), z.union([z.string().max(256), z.number(), z.boolean()]))
  .refine((value) => Object.keys(value).length > 0, 'must not be empty');

/** Bytes in base64, with or without its padding. */
export const base64Field = ({ max }: Limit) =>
  z
    .string()
    .min(1)
    .max(4 * Math.ceil(max / 3))
    .meta({ format: 'byte' })
    .transform((value, { addIssue }): Uint8Array => {
      const bytes = Buffer.from(value, 'base64');
      // The decoder skips characters that are no base64, so that the result is shorter.
      const isWhole = bytes.length === Math.floor((value.replace(/={1,2}$/, '').length * 3) / 4);
      if (!isWhole) addIssue('must be base64');
      return bytes;
    });

const timeMessage = 'must be an ISO 8601 time with an offset, such as 2026-01-05T09:30:00Z, or a date';

/** ISO 8601 with an offset; a date alone is its midnight in UTC. */
export const timeField = (description?: string) =>
  z
    .union(
      [z.iso.datetime({ offset: true, error: timeMessage }).max(limits.time.max, timeMessage), z.iso.date(timeMessage)],
      timeMessage,
    )
    .transform((value) => new Date(value))
    .meta({ description, format: 'date-time', type: 'string', anyOf: undefined });

/** The fields of a memory that REST and MCP correct. */
export const correctionFields = {
  content: textField(limits.memory.max)
    .optional()
    .meta({ description: `What it says from now on; at most ${formatLimit(limits.memory)}.` }),
  type: z
    .enum(memoryTypes)
    .exclude(['episodes'])
    .optional()
    .meta({ description: 'Its new type. An episode is what was said, and stays one.' }),
  event_start: timeField()
    .nullable()
    .optional()
    .meta({ description: 'When the event begins that it tells of; null: it tells of none.' }),
  event_end: timeField().nullable().optional().meta({
    description: 'When the event ends, exclusive; null: not told. Default: by `event_start` and the precision.',
  }),
  event_precision: z.enum(precisions).nullable().optional().meta({
    description: 'How exact the time is. Default: beside `event_start`, `day` for a midnight in UTC, else `minute`.',
  }),
  reason: textField(limits.reason.max)
    .optional()
    .meta({ description: `Why; kept with the memory, at most ${formatLimit(limits.reason)}.` }),
};

/** Converts the names of `correctionFields` to the domain's spelling. */
export const toCorrection = ({
  event_start: eventStart,
  event_end: eventEnd,
  event_precision: eventPrecision,
  ...sent
}: z.output<z.ZodObject<typeof correctionFields>> & Pick<Correction, 'metadata'>): Correction => ({
  ...sent,
  eventStart,
  eventEnd,
  eventPrecision,
});

/** One or several of these values. */
export const someOf = <const Values extends readonly string[]>(values: Values) =>
  z.array(z.enum(values)).min(1).max(values.length);

/** The speakers whose words a search finds. */
export const provenanceFilter = someOf(provenances).optional().meta({
  description: 'Only what one of these said: `["user"]` leaves out what assistants, tools and documents said.',
});

/** A SHA-256 hash. */
export const sha256Field = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits');

/** The user and customer that a request is about. */
export const subjectFields = {
  user_id: callerIdField('The end user, as you call them. An opaque reference: do not put a name in it.').optional(),
  customer_id: callerIdField('Their customer, as you call it.').optional(),
};

/** Converts the names of a request to the domain's spelling. */
export const toSubjectIds = (sent: { user_id?: string | undefined; customer_id?: string | undefined }): SubjectIds => ({
  userId: sent.user_id,
  customerId: sent.customer_id,
});
