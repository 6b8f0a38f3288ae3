import { z } from 'zod';
import { memoryTypes } from '../../domain/memory-types.ts';
import type { ContextQuery } from '../../domain/context/context.ts';
import type { NewMessages } from '../../domain/conversations/append-messages.ts';
import type { NewConversation } from '../../domain/conversations/start-conversation.ts';
import { invalidInputError } from '../../domain/errors.ts';
import { eventTypes } from '../../domain/webhooks/event.ts';
import type { Correction } from '../../domain/ingestion/correction.ts';
import type { Submission } from '../../domain/ingestion/ingestion.ts';
import type { FileSubmission } from '../../domain/ingestion/read-file.ts';
import type { Transcript } from '../../domain/ingestion/record-transcript.ts';
import { precisions } from '../../domain/dates/calendar.ts';
import { limits, type Limit } from '../../domain/limits.ts';
import { memoryStatuses } from '../../domain/memories/memory.ts';
import { storableText } from '../../domain/plain-text.ts';
import type {
  AddMessagesInput,
  ContextInput,
  CorrectMemoryInput,
  RecordTranscriptInput,
  StartConversationInput,
  SubmitDocumentInput,
} from '../../generated/graphql.ts';
import { scopes } from '../../domain/tenancy/access.ts';
import {
  base64Field,
  callerIdField,
  Metadata,
  MetadataFilter,
  provenanceFilter,
  roleField,
  sha256Field,
  shortTextField,
  someOf,
  textField,
  useCaseField,
} from '../http/fields.ts';
import { validate } from '../http/validate.ts';

const whole = ({ min = 1, max }: Pick<Limit, 'max' | 'min'>) => {
  const error = `must be ${min} to ${max.toLocaleString('en')}`;
  return z.number().min(min, error).max(max, error);
};

const id = callerIdField().nullish();
const named = { userId: id, customerId: id };

export const ConversationInput = z.object({ ...named, id: callerIdField() });

/** The user and customer that a request is about. */
export const SubjectInput = z.object(named);
export const UsersInput = z.object({ customerId: id, prefix: id });
/** The user whose memories a subscription watches. */
export const WatchedUserInput = z.object({ userId: id });
export const ForgetUserInput = z.object({ ...named, userId: callerIdField() });
export const ForgetCustomerInput = z.object({ customerId: callerIdField() });
export const ForgetDocumentInput = z.object({ ...named, documentId: callerIdField() });
export const VariantInput = z.object({ variant: shortTextField(limits.variant).nullish() });
export const MonthInput = z.object({ month: textField().nullish() });
export const MemoryFilterFields = z.object({
  ...named,
  types: someOf(memoryTypes).nullish(),
  statuses: someOf(memoryStatuses).nullish(),
  entityId: id,
  documentId: id,
  category: shortTextField(limits.category).nullish(),
  q: shortTextField(limits.search).nullish(),
  metadata: MetadataFilter.nullish(),
});
export const EntityFilterFields = z.object({
  ...named,
  kind: shortTextField(limits.kind).nullish(),
  q: shortTextField(limits.search).nullish(),
});
export const SplitInput = z.object({
  memoryIds: z.array(z.string()).min(1).max(limits.split.max),
});
export const LabelInput = z.object({ label: shortTextField(limits.label).nullish() });
export const ProviderInput = z.object({
  extraction: shortTextField(limits.provider).nullish(),
  embedding: shortTextField(limits.provider).nullish(),
});
const webhookSettings = {
  url: shortTextField(limits.webhookUrl),
  description: shortTextField(limits.webhookDescription).nullish(),
  eventTypes: someOf(eventTypes),
};
export const NewWebhookInput = z.object(webhookSettings);
export const WebhookUpdateInput = z.object({
  ...webhookSettings,
  url: webhookSettings.url.nullish(),
  eventTypes: webhookSettings.eventTypes.nullish(),
});
export const InstanceNameInput = z.object({ name: shortTextField(limits.name) });
export const NewInstanceInput = InstanceNameInput.extend({ clientId: shortTextField(limits.ownId).nullish() });
export const UseCaseInput = z.object({ useCase: useCaseField.nullish() });
/** The fields of every change of a configuration. */
export const ConfigurationChangeInput = UseCaseInput.extend({ comment: shortTextField(limits.comment).nullish() });
export const OnboardingInput = z
  .object({
    clientName: shortTextField(limits.name).nullish(),
    clientId: shortTextField(limits.ownId).nullish(),
    instanceName: shortTextField(limits.name),
    useCase: useCaseField.nullish(),
    complete: z.boolean(),
  })
  .refine(({ clientName, clientId }) => Boolean(clientName) !== Boolean(clientId), {
    path: ['clientName'],
    message: 'name a new client, or give the clientId of one that is there',
  });

const Query = z.object({
  ...named,
  conversationId: id,
  searchQueries: z.array(textField(limits.query.max)).min(1).max(limits.queries.max).nullish(),
  types: someOf(memoryTypes).nullish(),
  scopes: someOf(scopes).nullish(),
  provenance: provenanceFilter.nullish(),
  metadata: MetadataFilter.nullish(),
  contextBudget: whole(limits.contextBudget).nullish(),
  maxResults: whole(limits.results).nullish(),
  minRelevance: z.number().min(0).max(1).nullish(),
});

export const WatchInput = z.object({
  ...named,
  conversationId: callerIdField(),
  tokenBudget: whole(limits.bundleBudget),
  sessionId: id,
  provenance: provenanceFilter.nullish(),
  lastSequence: whole({ min: 0, max: Number.MAX_SAFE_INTEGER }),
});
export const BrowserTokenInput = z.object({
  ...named,
  conversationId: id,
  ttlSeconds: whole(limits.tokenLife),
});

const Turn = z.object({
  role: roleField,
  content: textField(),
  name: shortTextField(limits.speaker).nullish(),
  timestamp: z.date().nullish(),
});
const SubmittedDocument = z.object({
  ...named,
  document: z.object({
    text: textField().optional(),
    turns: z.array(Turn).min(1).max(limits.turns.max).optional(),
    file: base64Field(limits.file).optional(),
  }),
  documentId: id,
  conversationId: id,
  metadata: Metadata.nullish(),
});

const CorrectionInput = z.object({
  ...named,
  content: textField(limits.memory.max).nullish(),
  type: z.enum(memoryTypes).exclude(['episodes']).nullish(),
  eventStart: z.date().nullish(),
  eventEnd: z.date().nullish(),
  eventPrecision: z.enum(precisions).nullish(),
  metadata: Metadata.nullish(),
  reason: textField(limits.reason.max).nullish(),
});

export const CompactionReadInput = z.object({
  ...named,
  conversationId: callerIdField(),
  version: whole(limits.version).nullish(),
});
export const TurnsReadInput = z
  .object({
    ...named,
    conversationId: callerIdField(),
    from: whole({ min: 0, max: limits.version.max }),
    to: whole({ min: 0, max: limits.version.max }),
  })
  .refine(({ from, to }) => from <= to && to - from < limits.turnsRead.max, {
    path: ['to'],
    message: `must be from on, and at most ${limits.turnsRead.max - 1} more`,
  });
export const CompactInput = z.object({
  ...named,
  conversationId: callerIdField(),
  targetTokens: whole(limits.compactionTarget).nullish(),
});

const Start = z.object({ ...named, id, metadata: Metadata.nullish() });
const MessagesInput = z.object({
  ...named,
  conversationId: callerIdField(),
  messages: z
    .array(Turn.extend({ content: textField(limits.message.max), metadata: Metadata.nullish(), sessionId: id }))
    .min(1)
    .max(limits.messages.max),
});

/** A message that somebody is still typing or saying; blank content takes it back. */
export const PartialMessageInput = z.object({
  ...named,
  conversationId: callerIdField(),
  role: roleField,
  content: z.string().max(limits.message.max).overwrite(storableText),
});
const TranscriptInput = z.object({
  ...named,
  conversationId: callerIdField(),
  turns: MessagesInput.shape.messages.element.array().min(1).max(limits.turns.max),
  sha256: sha256Field.nullish(),
  metadata: Metadata.nullish(),
});

/** The input with its texts made storable, and without what is null. Throws `invalid_input` that names each wrong field. */
export const parseInput = <S extends z.ZodObject>(schema: S, input: unknown) =>
  omitNulls(parseInputWithNulls(schema, input));

/** As `parseInput`, where null says something else than nothing. */
export const parseInputWithNulls = <S extends z.ZodObject>(schema: S, input: unknown): z.output<S> =>
  validate(schema, input, 'the input');

/** As `parseInput`, with the fields that the schema does not name: of those, GraphQL has judged all there is to judge. */
export const parseWholeInput = <S extends z.ZodObject, I extends object>(schema: S, input: I) =>
  omitNulls<Omit<I, keyof z.output<S>> & z.output<S>>({ ...input, ...parseInputWithNulls(schema, input) });

/** Throws `invalid_input`. */
export function toContextQuery(input: ContextInput): ContextQuery {
  const { searchQueries = [], ...query } = parseWholeInput(Query, input);
  return { ...query, searchQueries };
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
  const { document, verbatim, ...given } = parseWholeInput(SubmittedDocument, input);
  const { file, text, turns = [] } = document;
  return {
    ...given,
    ...(verbatim ? { mode: 'verbatim' } : {}),
    document: file ? { file } : (text ?? turns.map(omitNulls)),
  };
}

/** Throws `invalid_input`. */
export function toCorrection({ memoryId, ...input }: CorrectMemoryInput): { memoryId: string; correction: Correction } {
  const { eventStart, eventEnd, eventPrecision, ...others } = parseInputWithNulls(CorrectionInput, input);
  return { memoryId, correction: { ...omitNulls(others), eventStart, eventEnd, eventPrecision } }; // null: none
}

/** Throws `invalid_input`. */
export const toWaitSeconds = (wait: number): number =>
  parseInput(z.object({ wait: whole(limits.wait) }), { wait }).wait;

/** Throws `invalid_input`. */
export function toNewConversation(input: StartConversationInput): NewConversation {
  const { id: conversationId, ...rest } = parseWholeInput(Start, input);
  return { ...rest, conversationId };
}

/** Throws `invalid_input`. */
export function toNewMessages(input: AddMessagesInput): NewMessages {
  const { messages, ...rest } = parseWholeInput(MessagesInput, input);
  return { ...rest, messages: messages.map(omitNulls) };
}

/** Throws `invalid_input`. */
export function toTranscript(input: RecordTranscriptInput): Transcript {
  const { turns, ...rest } = parseWholeInput(TranscriptInput, input);
  return { ...rest, turns: turns.map(omitNulls) };
}

/** GraphQL says null or nothing where the domain says nothing. */
export function omitNulls<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> };
}
