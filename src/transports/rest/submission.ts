import { z } from 'zod';
import { documentTypes } from '../../domain/configurations/configuration.ts';
import { DomainError } from '../../domain/errors.ts';
import { ifExistsChoices, ingestionModes, type Submission } from '../../domain/ingestion/ingestion.ts';
import type { FileSubmission } from '../../domain/ingestion/read-file.ts';
import {
  base64Field,
  callerIdField,
  Metadata,
  subjectFields,
  roleField,
  shortTextField,
  textField,
  timeField,
  toSubjectIds,
} from '../http/fields.ts';
import { requestSchema } from './fields.ts';
import { invalidFields, validateOrError } from '../http/validate.ts';
import { formatLimit, limits } from '../../domain/limits.ts';

// Turns often come straight from a model's API, which adds fields of its own: those are ignored.
const Turn = z.object({
  role: roleField,
  content: textField(),
  name: shortTextField(limits.speaker, 'Who speaks, by name.').optional(),
  timestamp: timeField('When it was said.').optional(),
});

/** A document to remember. */
export const SubmissionBody = requestSchema('Submission', {
  document: z
    .union([textField(), z.array(Turn).min(1).max(limits.turns.max)])
    .meta({ description: `A text, or the turns of a conversation; at most ${formatLimit(limits.document)} of text.` }),
  document_type: z.enum(documentTypes),
  ...subjectFields,
  mode: z
    .enum(ingestionModes)
    .default('long-range')
    .meta({ description: '`fast`: one pass, turn by turn. `long-range`: also across the turns.' }),
  verbatim: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether to keep it as one memory, word for word, found by its metadata too, whatever `mode` says; a text of at most ' +
        `${formatLimit(limits.record)}.`,
    }),
  document_id: callerIdField('Your own id of the document; see `if_exists`.').optional(),
  if_exists: z
    .enum(ifExistsChoices)
    .optional()
    .meta({
      description:
        'Where the `document_id` is taken: `reject` (default) refuses this document; `replace` puts it in the place of the ' +
        'former, and what only that one said is forgotten once this one is remembered. One of another user, customer ' +
        'or scope is a conflict. Not in a batch.',
    }),
  document_created_at: timeField('When it was written: what it says holds from then on.').optional(),
  conversation_id: callerIdField('The conversation it belongs to.').optional(),
  metadata: Metadata.optional(),
});

const Base64File = z.strictObject({
  file: base64Field(limits.file).meta({
    description: `A PDF, a DOCX or a text in UTF-8, in base64; at most ${formatLimit(limits.file)}.`,
  }),
});

/** A document that is sent alone: it may be a file, and its sender may wait for its memories. */
export const AwaitableSubmissionBody = requestSchema('AwaitableSubmission', {
  ...SubmissionBody.shape,
  document: z.union([...SubmissionBody.shape.document.options, Base64File]).meta({
    description: `A text, the turns of a conversation, or a file; at most ${formatLimit(limits.document)} of text.`,
  }),
  wait: z
    .int()
    .min(0)
    .max(limits.wait.max)
    .optional()
    .meta({ description: 'Seconds to wait until its memories can be recalled; also as a parameter of the query.' }),
});

/** The use case's input, of a body whose document may be a file. */
export function toFileSubmission({ document, ...body }: z.output<typeof AwaitableSubmissionBody>): FileSubmission {
  const isFile = typeof document === 'object' && 'file' in document;
  return isFile ? { ...toSubmission({ ...body, document: '' }), document } : toSubmission({ ...body, document });
}

/** The use case's input. */
function toSubmission(body: z.output<typeof SubmissionBody>): Submission {
  return {
    document: body.document,
    documentType: body.document_type,
    ...toSubjectIds(body),
    mode: body.verbatim ? 'verbatim' : body.mode,
    documentId: body.document_id,
    ifExists: body.if_exists,
    documentCreatedAt: body.document_created_at,
    conversationId: body.conversation_id,
    metadata: body.metadata,
  };
}

/** One document of several, or what is wrong with it. */
export function submissionOrError(
  document: unknown,
  schema: z.ZodType<z.output<typeof SubmissionBody>> = SubmissionBody,
): Submission | DomainError {
  const body = validateOrError(schema, document, 'the document');
  return body instanceof DomainError ? body : toSubmission(body);
}

/** The documents, when none of them is wrong. Throws the first error, its fields named within the whole body. */
export function dropErrors(items: readonly (Submission | DomainError)[]): readonly Submission[] {
  return items.map((item, index) => {
    if (item instanceof DomainError) throw within(`documents[${index}]`, item);
    return item;
  });
}

function within(at: string, error: DomainError): DomainError {
  const fields = error.fields.map(({ field, message }) => ({ field: `${at}.${field}`, message }));
  if (fields.length === 0) fields.push({ field: at, message: error.message }); // it is wrong as a whole
  if (error.code === 'invalid_input') return invalidFields(fields, at);
  return new DomainError(error.code, `${at}: ${error.message}`, { fields });
}
