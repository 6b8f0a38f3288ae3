import { fieldError } from './errors.ts';

/** The largest size that an input may have, and the smallest where that is not 1. */
export interface Limit {
  readonly min?: number;
  readonly max: number;
  readonly unit: 'bytes' | 'characters' | 'days' | 'items' | 'levels' | 'points' | 'seconds' | 'tokens';
  /** The input that is limited, in words of the documentation. */
  readonly of: string;
}

const KiB = 1 << 10;
const MiB = 1 << 20;

/**
 * The limits of all input, for every API: the schemas of REST, the checks of GraphQL and of the gRPC stream, the
 * OpenAPI document and `docs/limits.md` are made of these. Rates are no limits of input: see `tenancy/rate-limits.ts`.
 */
export const limits = {
  id: { max: 256, unit: 'characters', of: 'an id that a caller chooses: of a user, customer, document or session' },
  ownId: { max: 64, unit: 'characters', of: 'an id of the service in a body, such as `client_id`' },
  name: { max: 128, unit: 'characters', of: 'the name of a client or instance' },
  email: { max: 254, unit: 'characters', of: 'the email address of a user of the dashboard' },
  password: { min: 12, max: 200, unit: 'characters', of: 'the password of a user of the dashboard' },
  label: { max: 128, unit: 'characters', of: 'the label of a key' },
  comment: { max: 1_000, unit: 'characters', of: 'the comment on a configuration' },
  provider: { max: 64, unit: 'characters', of: 'the name of a provider' },
  category: { max: 64, unit: 'characters', of: 'the category that memories are listed by' },
  kind: { max: 64, unit: 'characters', of: 'the kind that entities are listed by' },
  search: { max: 500, unit: 'characters', of: 'the words (`q`) that memories or entities are listed by' },
  cursor: { max: 1_536, unit: 'characters', of: 'the cursor of a page' },
  time: { max: 64, unit: 'characters', of: 'a time' },
  eventId: { max: 100, unit: 'characters', of: '`last_event_id`' },
  tokenInQuery: { max: 200, unit: 'characters', of: 'a browser token in the query' },
  idempotencyKey: { max: 255, unit: 'characters', of: 'an `Idempotency-Key`' },

  document: { max: MiB, unit: 'bytes', of: 'the text of a document' },
  file: { max: 5 * MiB, unit: 'bytes', of: 'a document that is sent as a file: a PDF, a DOCX or a text' },
  filePages: { max: 1_000, unit: 'items', of: 'the pages of a PDF' },
  record: { max: 256 * KiB, unit: 'bytes', of: 'the text of a document that is kept `verbatim`' },
  turns: { max: 10_000, unit: 'items', of: 'the turns of a document' },
  role: { max: 64, unit: 'characters', of: 'the role of a speaker' },
  speaker: { max: 256, unit: 'characters', of: 'the name of a speaker' },
  metadata: { min: 0, max: 16 * KiB, unit: 'bytes', of: 'metadata, as JSON' },
  memory: { max: 10_000, unit: 'characters', of: 'the words that a memory is given by a correction' },
  reason: { max: 1_000, unit: 'characters', of: 'the reason of a correction' },
  batch: { max: 1_000, unit: 'items', of: 'the documents of a batch or import' },
  message: { max: 100_000, unit: 'characters', of: 'a message, also one that is still being typed' },
  messages: { max: 100, unit: 'items', of: 'the messages of one call' },
  messageTexts: { max: MiB, unit: 'bytes', of: 'the texts of the messages of one call' },
  useCase: { max: 256 * KiB, unit: 'bytes', of: 'a use-case file' },

  queries: { max: 20, unit: 'items', of: 'the queries of a fetch' },
  query: { max: 2_000, unit: 'characters', of: 'a query' },
  results: { max: 100, unit: 'items', of: 'the memories of a fetch' },
  compactionTarget: { max: 1_000_000, unit: 'tokens', of: 'the target of a compaction' },
  version: { max: 999_999_999, unit: 'points', of: 'the version of a compaction' },
  turnsRead: { max: 200, unit: 'items', of: 'the turns of a conversation that are read at once' },
  contextBudget: { max: 1_000_000, unit: 'tokens', of: 'the budget of a fetch' },
  bundleBudget: { max: 100_000, unit: 'tokens', of: 'the budget of a bundle' },
  toolName: { max: 256, unit: 'characters', of: 'the name of a tool that is called' },
  toolArguments: { min: 0, max: 100_000, unit: 'characters', of: 'the arguments of a tool that is called' },
  used: { max: 100, unit: 'items', of: 'the memories that one signal tells the use of' },
  variant: { max: 80, unit: 'characters', of: 'the variant of an operation that latencies are read of' },
  tokenLife: { max: 3_600, unit: 'seconds', of: 'the life of a browser token' },

  webhooks: { min: 0, max: 20, unit: 'items', of: 'the webhooks of an instance' },
  webhookUrl: { max: 2_000, unit: 'characters', of: 'the URL of a webhook' },
  webhookDescription: { max: 256, unit: 'characters', of: 'the description of a webhook' },

  days: { max: 366, unit: 'days', of: 'the days that memories are counted by' },
  page: { max: 100, unit: 'items', of: 'a page of a list' },
  recentMessages: { max: 100, unit: 'items', of: 'the recent messages of a conversation' },
  wait: { min: 0, max: 30, unit: 'seconds', of: 'the wait for the end of an ingestion' },
  split: { max: 1_000, unit: 'items', of: 'the memories by which an entity is split' },

  body: { max: MiB, unit: 'bytes', of: 'a JSON body, where nothing else is said' },
  textBody: { max: 8 * MiB, unit: 'bytes', of: 'a JSON body that holds a document or messages, or a GraphQL request' },
  batchBody: { max: 16 * MiB, unit: 'bytes', of: 'the JSON body of a batch or import' },
  bodyValues: { max: 131_072, unit: 'items', of: 'the values and names of a JSON body' },
  bodyDepth: { max: 32, unit: 'levels', of: 'the nesting of a JSON body' },
  bodyMembers: { max: 4_096, unit: 'items', of: 'the members of one object of a JSON body' },
  url: { max: 8_000, unit: 'characters', of: 'a URL' },
  signal: { max: MiB, unit: 'bytes', of: 'a message of the gRPC stream' },
  operationDepth: { max: 10, unit: 'levels', of: 'the nesting of a GraphQL operation' },
  operationAliases: { min: 0, max: 15, unit: 'items', of: 'the aliases of a GraphQL operation' },
  operationCost: { max: 10_000, unit: 'points', of: 'the cost of a GraphQL operation' },
  operationTokens: { max: 2_000, unit: 'items', of: 'the lexical tokens of a GraphQL operation' },
  subscriptions: { max: 20, unit: 'items', of: 'the subscriptions of a WebSocket' },
  subscriptionBytes: { max: 64 * KiB, unit: 'bytes', of: 'a message on a WebSocket' },
} as const satisfies Readonly<Record<string, Limit>>;

/** `16 KiB`, `100,000 characters`. */
export function formatLimit({ max, unit }: Limit): string {
  if (unit !== 'bytes') return `${max.toLocaleString('en')} ${unit}`;
  return max >= MiB ? `${max / MiB} MiB` : `${max / KiB} KiB`;
}

/** Whether a text has more characters than a limit allows: code points, as JSON Schema counts them. */
export function isLonger(text: string, { max }: Pick<Limit, 'max'>): boolean {
  if (text.length <= max || text.length > 2 * max) return text.length > max; // a code point has one unit or two
  return Array.from(text).length > max;
}

/** Throws `payload_too_large`, naming the field, where its texts together have more bytes of UTF-8 than a call may. */
export function refuseLongTexts(
  field: string,
  said: string | readonly { readonly content: string }[],
  limit: Limit & { readonly unit: 'bytes' },
): void {
  const texts = typeof said === 'string' ? [said] : said.map(({ content }) => content);
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= limit.max) return;
  throw fieldError('payload_too_large', field, `must be ${formatLimit(limit)} of text or less`);
}
