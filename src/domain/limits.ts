import { fieldError } from './errors.ts';

/** The most that an input may have, and the least where that is not 1. */
export interface Limit {
  readonly least?: number;
  readonly most: number;
  readonly unit: 'bytes' | 'characters' | 'days' | 'items' | 'levels' | 'points' | 'seconds' | 'tokens';
  /** The input that is limited, in words of the documentation. */
  readonly of: string;
}

const KiB = 1 << 10;
const MiB = 1 << 20;

/**
 * The limits of all input, for every API: the schemas of REST, the checks of GraphQL and of the gRPC stream, the OpenAPI
 * document and `docs/limits.md` are made of these. Rates are no limits of input: see `tenancy/rate-limits.ts`.
 */
export const limits = {
  id: { most: 256, unit: 'characters', of: 'an id that a caller chooses: of a user, customer, document or session' },
  ownId: { most: 64, unit: 'characters', of: 'an id of the service in a body, such as `client_id`' },
  name: { most: 128, unit: 'characters', of: 'the name of a client or instance' },
  email: { most: 254, unit: 'characters', of: 'the email address of a user of the dashboard' },
  password: { least: 12, most: 200, unit: 'characters', of: 'the password of a user of the dashboard' },
  label: { most: 128, unit: 'characters', of: 'the label of a key' },
  comment: { most: 1_000, unit: 'characters', of: 'the comment on a configuration' },
  provider: { most: 64, unit: 'characters', of: 'the name of a provider' },
  category: { most: 64, unit: 'characters', of: 'the category that memories are listed by' },
  kind: { most: 64, unit: 'characters', of: 'the kind that entities are listed by' },
  search: { most: 500, unit: 'characters', of: 'the words (`q`) that memories or entities are listed by' },
  cursor: { most: 1_024, unit: 'characters', of: 'the cursor of a page' },
  time: { most: 64, unit: 'characters', of: 'a time' },
  eventId: { most: 100, unit: 'characters', of: '`last_event_id`' },
  tokenInQuery: { most: 200, unit: 'characters', of: 'a browser token in the query' },
  idempotencyKey: { most: 255, unit: 'characters', of: 'an `Idempotency-Key`' },

  document: { most: MiB, unit: 'bytes', of: 'the text of a document' },
  file: { most: 5 * MiB, unit: 'bytes', of: 'a document that is sent as a file: a PDF, a DOCX or a text' },
  filePages: { most: 1_000, unit: 'items', of: 'the pages of a PDF' },
  record: { most: 256 * KiB, unit: 'bytes', of: 'the text of a document that is kept `verbatim`' },
  turns: { most: 10_000, unit: 'items', of: 'the turns of a document' },
  role: { most: 64, unit: 'characters', of: 'the role of a speaker' },
  speaker: { most: 256, unit: 'characters', of: 'the name of a speaker' },
  metadata: { least: 0, most: 16 * KiB, unit: 'bytes', of: 'metadata, as JSON' },
  memory: { most: 10_000, unit: 'characters', of: 'the words that a memory is given by a correction' },
  reason: { most: 1_000, unit: 'characters', of: 'the reason of a correction' },
  batch: { most: 1_000, unit: 'items', of: 'the documents of a batch or import' },
  message: { most: 100_000, unit: 'characters', of: 'a message, also one that is still being typed' },
  messages: { most: 100, unit: 'items', of: 'the messages of one call' },
  messageTexts: { most: MiB, unit: 'bytes', of: 'the texts of the messages of one call' },
  useCase: { most: 256 * KiB, unit: 'bytes', of: 'a use-case file' },

  queries: { most: 20, unit: 'items', of: 'the queries of a fetch' },
  query: { most: 2_000, unit: 'characters', of: 'a query' },
  results: { most: 100, unit: 'items', of: 'the memories of a fetch' },
  compactionTarget: { most: 1_000_000, unit: 'tokens', of: 'the target of a compaction' },
  version: { most: 999_999_999, unit: 'points', of: 'the version of a compaction' },
  turnsRead: { most: 200, unit: 'items', of: 'the turns of a conversation that are read at once' },
  contextBudget: { most: 1_000_000, unit: 'tokens', of: 'the budget of a fetch' },
  bundleBudget: { most: 100_000, unit: 'tokens', of: 'the budget of a bundle' },
  toolName: { most: 256, unit: 'characters', of: 'the name of a tool that is called' },
  toolArguments: { least: 0, most: 100_000, unit: 'characters', of: 'the arguments of a tool that is called' },
  used: { most: 100, unit: 'items', of: 'the memories that one signal tells the use of' },
  month: { most: 7, unit: 'characters', of: 'a month that usage is read of' },
  variant: { most: 80, unit: 'characters', of: 'the variant of an operation that latencies are read of' },
  tokenLife: { most: 3_600, unit: 'seconds', of: 'the life of a browser token' },

  webhooks: { least: 0, most: 20, unit: 'items', of: 'the webhooks of an instance' },
  webhookUrl: { most: 2_000, unit: 'characters', of: 'the URL of a webhook' },
  webhookDescription: { most: 256, unit: 'characters', of: 'the description of a webhook' },

  days: { most: 366, unit: 'days', of: 'the days that memories are counted by' },
  page: { most: 100, unit: 'items', of: 'a page of a list' },
  recentMessages: { most: 100, unit: 'items', of: 'the recent messages of a conversation' },
  wait: { least: 0, most: 30, unit: 'seconds', of: 'the wait for the end of an ingestion' },
  split: { most: 1_000, unit: 'items', of: 'the memories by which an entity is split' },

  body: { most: MiB, unit: 'bytes', of: 'a JSON body, where nothing else is said' },
  textBody: { most: 8 * MiB, unit: 'bytes', of: 'a JSON body that holds a document or messages, or a GraphQL request' },
  batchBody: { most: 16 * MiB, unit: 'bytes', of: 'the JSON body of a batch or import' },
  bodyValues: { most: 131_072, unit: 'items', of: 'the values and names of a JSON body' },
  bodyDepth: { most: 32, unit: 'levels', of: 'the nesting of a JSON body' },
  bodyMembers: { most: 4_096, unit: 'items', of: 'the members of one object of a JSON body' },
  url: { most: 8_000, unit: 'characters', of: 'a URL' },
  signal: { most: MiB, unit: 'bytes', of: 'a message of the gRPC stream' },
  operationDepth: { most: 10, unit: 'levels', of: 'the nesting of a GraphQL operation' },
  operationAliases: { least: 0, most: 15, unit: 'items', of: 'the aliases of a GraphQL operation' },
  operationCost: { most: 10_000, unit: 'points', of: 'the cost of a GraphQL operation' },
  operationTokens: { most: 2_000, unit: 'items', of: 'the lexical tokens of a GraphQL operation' },
  subscriptions: { most: 20, unit: 'items', of: 'the subscriptions of a WebSocket' },
  subscriptionBytes: { most: 64 * KiB, unit: 'bytes', of: 'a message on a WebSocket' },
} as const satisfies Readonly<Record<string, Limit>>;

/** `16 KiB`, `100,000 characters`. */
export function formatLimit({ most, unit }: Limit): string {
  if (unit !== 'bytes') return `${most.toLocaleString('en')} ${unit}`;
  return most >= MiB ? `${most / MiB} MiB` : `${most / KiB} KiB`;
}

/** Throws `payload_too_large`, naming the field, where its texts together have more bytes of UTF-8 than a call may. */
export function refuseLongTexts(
  field: string,
  said: string | readonly { readonly content: string }[],
  limit: Limit & { readonly unit: 'bytes' },
): void {
  const texts = typeof said === 'string' ? [said] : said.map(({ content }) => content);
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= limit.most) return;
  throw fieldError('payload_too_large', field, `must be ${formatLimit(limit)} of text or less`);
}
