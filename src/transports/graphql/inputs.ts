import { z } from 'zod';
import { memoryTypes } from '../../domain/memory-types.ts';
import type { ContextQuery } from '../../domain/context/context.ts';
import type { NewMessages } from '../../domain/conversations/append-messages.ts';
import type { NewConversation } from '../../domain/conversations/start-conversation.ts';
import { invalidInputError } from '../../domain/errors.ts';
import { provenances } from '../../domain/extraction/provenance.ts';
import { eventTypes } from '../../domain/webhooks/event.ts';
import type { Submission } from '../../domain/ingestion/ingestion.ts';
import type { FileSubmission } from '../../domain/ingestion/read-file.ts';
import type { Transcript } from '../../domain/ingestion/record-transcript.ts';
import { formatLimit, limits, type Limit } from '../../domain/limits.ts';
import { memoryStatuses } from '../../domain/memories/memory.ts';
import { plainText, storableText } from '../../domain/plain-text.ts';
import type {
  AddMessagesInput,
  ContextInput,
  CorrectMemoryInput,
  RecordTranscriptInput,
  StartConversationInput,
  SubmitDocumentInput,
} from '../../generated/graphql.ts';
import { scopes } from '../../domain/tenancy/access.ts';
import { base64Field } from '../http/fields.ts';
import { validate } from '../http/validate.ts';

const absent = { error: 'must not be empty' };
const sized = (least: number, most: number) =>
  z
    .string()
    .min(least, absent)
    .max(most, `must have ${most.toLocaleString('en')} characters or less`);
const line = ({ most }: Limit) => plainText(sized(1, most));
const text = (most = Infinity) =>
  (Number.isFinite(most) ? sized(1, most) : z.string())
    .regex(/\S/, 'must not be blank')
    // Lone surrogates and NUL are replaced, so that what is stored is what is shown.
    .overwrite(storableText);
const whole = ({ least = 1, most }: Pick<Limit, 'least' | 'most'>) => {
  const error = `must be ${least} to ${most.toLocaleString('en')}`;
  return z.number().min(least, error).max(most, error);
};

const id = line(limits.id).nullish();
const named = { userId: id, customerId: id };

export const ConversationInput = z.object({ ...named, id: line(limits.id) });

/** The user and customer that a request is about. */
export const SubjectInput = z.object(named);
/** The user whose memories a subscription watches. */
export const WatchedUserInput = z.object({ userId: id });
export const ForgetUserInput = z.object({ ...named, userId: line(limits.id) });
export const ForgetCustomerInput = z.object({ customerId: line(limits.id) });
export const ForgetDocumentInput = z.object({ ...named, documentId: line(limits.id) });
export const VariantInput = z.object({ variant: line(limits.variant).nullish() });
export const MonthInput = z.object({ month: line(limits.month).nullish() });
const RecordFilter = z
  .record(z.string(), z.union([z.string().max(256), z.number(), z.boolean()]), 'must be an object')
  .refine((value) => Object.keys(value).length > 0, absent)
  .nullish();
export const MemoryFilterFields = z
  .object({
    ...named,
    types: z.array(z.enum(memoryTypes)).min(1, absent).max(memoryTypes.length).nullish(),
    statuses: z.array(z.enum(memoryStatuses)).min(1, absent).max(memoryStatuses.length).nullish(),
    entityId: id,
    documentId: id,
    category: line(limits.category).nullish(),
    q: line(limits.search).nullish(),
    metadata: RecordFilter,
  })
  .loose();
export const EntityFilterFields = z.object({
  ...named,
  kind: line(limits.kind).nullish(),
  q: line(limits.search).nullish(),
});
export const SplitInput = z.object({
  memoryIds: z.array(z.string()).min(1, absent).max(limits.split.most),
});
export const LabelInput = z.object({ label: line(limits.label).nullish() });
export const ProviderInput = z.object({
  extraction: line(limits.provider).nullish(),
  embedding: line(limits.provider).nullish(),
});
const webhookSettings = {
  url: line(limits.webhookUrl),
  description: line(limits.webhookDescription).nullish(),
  eventTypes: z.array(z.string()).min(1, absent).max(eventTypes.length),
};
export const NewWebhookInput = z.object(webhookSettings).loose();
export const WebhookUpdateInput = z.object(webhookSettings).partial().loose();
export const InstanceNameInput = z.object({ name: line(limits.name) });
export const NewInstanceInput = InstanceNameInput.extend({ clientId: line(limits.ownId).nullish() });
export const CommentInput = z.object({ comment: line(limits.comment).nullish() });
export const OnboardingInput = z
  .object({
    clientName: line(limits.name).nullish(),
    clientId: line(limits.ownId).nullish(),
    instanceName: line(limits.name),
    useCase: z.string().nullish(),
    complete: z.boolean(),
  })
  .refine(({ clientName, clientId }) => Boolean(clientName) !== Boolean(clientId), {
    path: ['clientName'],
    message: 'name a new client, or give the clientId of one that is there',
  });

const Provenances = z.array(z.enum(provenances)).min(1, absent).max(provenances.length).nullish();

const Query = z.object({
  ...named,
  conversationId: id,
  searchQueries: z.array(text(limits.query.most)).min(1, absent).max(limits.queries.most).nullish(),
  types: z.array(z.string()).min(1, absent).max(memoryTypes.length).nullish(),
  scopes: z.array(z.string()).min(1, absent).max(scopes.length).nullish(),
  provenance: Provenances,
  metadata: RecordFilter,
  contextBudget: whole(limits.contextBudget).nullish(),
  maxResults: whole(limits.results).nullish(),
  minRelevance: z.number().min(0).max(1).nullish(),
});

export const WatchInput = z.object({
  ...named,
  conversationId: line(limits.id),
  tokenBudget: whole(limits.bundleBudget),
  sessionId: id,
  provenance: Provenances,
  lastSequence: whole({ least: 0, most: Number.MAX_SAFE_INTEGER }),
});
export const BrowserTokenInput = z.object({
  ...named,
  conversationId: id,
  ttlSeconds: whole(limits.tokenLife),
});

const Turn = z.object({
  role: line(limits.role),
  content: text(),
  name: line(limits.speaker).nullish(),
  timestamp: z.date().nullish(),
});
const Metadata = z
  .record(z.string(), z.unknown(), 'must be an object')
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= limits.metadata.most,
    `must be ${formatLimit(limits.metadata)} of JSON or less`,
  )
  .nullish();
const SubmittedDocument = z.object({
  ...named,
  document: z.object({
    text: text().optional(),
    turns: z.array(Turn).min(1, absent).max(limits.turns.most).optional(),
    file: base64Field(limits.file).optional(),
  }),
  documentId: id,
  conversationId: id,
  metadata: Metadata,
});

const CorrectionInput = z.object({ ...named, content: text(limits.memory.most).nullish(), metadata: Metadata });

export const CompactionReadInput = z.object({
  ...named,
  conversationId: line(limits.id),
  version: whole(limits.version).nullish(),
});
export const TurnsReadInput = z
  .object({
    ...named,
    conversationId: line(limits.id),
    from: whole({ least: 0, most: limits.version.most }),
    to: whole({ least: 0, most: limits.version.most }),
  })
  .refine(({ from, to }) => from <= to && to - from < limits.turnsRead.most, {
    path: ['to'],
    message: `must be from on, and at most ${limits.turnsRead.most - 1} more`,
  });
export const CompactInput = z.object({
  ...named,
  conversationId: line(limits.id),
  targetTokens: whole(limits.compactionTarget).nullish(),
});

const Start = z.object({ ...named, id, metadata: Metadata });
const MessagesInput = z.object({
  ...named,
  conversationId: line(limits.id),
  messages: z
    .array(Turn.extend({ content: text(limits.message.most), metadata: Metadata, sessionId: id }))
    .min(1, absent)
    .max(limits.messages.most),
});

/** A message that somebody is still typing or saying; blank content takes it back. */
export const PartialMessageInput = z.object({
  ...named,
  conversationId: line(limits.id),
  role: line(limits.role),
  content: z.string().max(limits.message.most, `must have ${formatLimit(limits.message)} or less`),
});
const TranscriptInput = z.object({
  ...named,
  conversationId: line(limits.id),
  turns: MessagesInput.shape.messages.element.array().min(1, absent).max(limits.turns.most),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .nullish(),
  metadata: Metadata,
});

/** The input with its texts made storable. Throws `invalid_input` that names each wrong field. */
export const parseInput = <S extends z.ZodType>(schema: S, input: unknown): z.output<S> =>
  validate(schema, input, 'the input');

/** Throws `invalid_input`. */
export function toContextQuery(input: ContextInput): ContextQuery {
  const { searchQueries, metadata } = parseInput(Query, input);
  return { ...omitNulls(input), searchQueries: searchQueries ?? [], metadata: metadata ?? undefined };
}

/** A document that is one of several. Throws `invalid_input`, also for a file. */
export function toSubmission(input: SubmitDocumentInput): Submission {
  const { document, ...submission } = toFileSubmission(input);
  if (typeof document === 'object' && 'file' in document)
    throw invalidInputError('document.file', 'must be sent alone, by submitDocument');
  return { ...submission, document };
}

/** Throws `invalid_input`. */
export function toFileSubmission(input: SubmitDocumentInput): FileSubmission {
  const { document: checked, metadata } = parseInput(SubmittedDocument, input);
  const { file } = checked;
  const { verbatim, ...given } = omitNulls(input);
  const submission = { ...given, ...(verbatim ? { mode: 'verbatim' as const } : {}), metadata: metadata ?? undefined };
  return { ...submission, document: file ? { file } : (checked.text ?? (checked.turns ?? []).map(omitNulls)) };
}

/** Throws `invalid_input`. */
export function toCorrection(input: CorrectMemoryInput) {
  const { content, metadata } = parseInput(CorrectionInput, input);
  const { memoryId, userId, customerId } = omitNulls(input);
  return { memoryId, userId, customerId, content: content ?? undefined, metadata: metadata ?? undefined };
}

/** Throws `invalid_input`. */
export const toWaitSeconds = (wait: number): number =>
  parseInput(z.object({ wait: whole(limits.wait) }), { wait }).wait;

/** Throws `invalid_input`. */
export function toNewConversation(input: StartConversationInput): NewConversation {
  const { metadata: checked } = parseInput(Start, input);
  const { id: conversationId, ...rest } = omitNulls(input);
  return { ...rest, conversationId, metadata: checked ?? undefined };
}

/** Throws `invalid_input`. */
export function toNewMessages(input: AddMessagesInput): NewMessages {
  const messages = parseInput(MessagesInput, input).messages.map(omitNulls);
  return { ...omitNulls(input), messages };
}

/** Throws `invalid_input`. */
export function toTranscript(input: RecordTranscriptInput): Transcript {
  const { metadata, ...told } = parseInput(TranscriptInput, input);
  const turns = told.turns.map(omitNulls);
  return { ...omitNulls(input), turns, metadata: metadata ?? undefined };
}

/** GraphQL says null or nothing where the domain says nothing. */
export function omitNulls<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> };
}
