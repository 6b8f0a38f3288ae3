import { readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import { InvalidArgumentError, type Command } from 'commander';
import type { z } from 'zod';
import type {
  AcceptedRecord,
  ContextRecord,
  IngestionRecord,
  MemoryRecord,
  ReceiptRecord,
} from '../transports/rest/records.ts';
import { readPages, toQueryString } from './api.ts';
import type { RunCommand, CommandSession } from './command-session.ts';
import { formatTable } from './table.ts';
import { unreadable } from './unreadable-file.ts';

type Memory = z.output<typeof MemoryRecord>;
/** An ingestion: its outcome once it has ended, its status before. */
type Ingestion = z.output<typeof AcceptedRecord> & Partial<z.output<typeof IngestionRecord>>;
/** The answer of every route that deletes. */
export interface Deletion {
  readonly receipt: z.output<typeof ReceiptRecord>;
}

interface SubjectOptions {
  readonly user?: string;
  readonly customer?: string;
}

/** Seconds that one request waits for an ingestion; the command then sends the next. */
const waitSeconds = 20;
const defaultCount = 20;

/** A whole number of at least 1. */
export function parseCount(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('must be a whole number of at least 1');
}

type Metadata = Readonly<Record<string, string>>;

/** One more `key=value` of an option that may be repeated. */
function addMetadata(text: string, metadata: Metadata = {}): Metadata {
  const [key, ...value] = text.split('=');
  if (!key || !value.length) throw new InvalidArgumentError('write key=value, such as thread=t-1');
  return { ...metadata, [key]: value.join('=') };
}

/** Options that say whose memory is meant. */
export const addSubjectOptions = (command: Command): Command =>
  command
    .option('--user <id>', 'the user whose memory is meant')
    .option('--customer <id>', 'the customer (an organisation) that is meant, or that the user belongs to');

export const subjectParameters = ({ user, customer }: SubjectOptions) => ({ user_id: user, customer_id: customer });

/** Remembering, recalling, and what is done with single memories. */
export function addMemoryCommands(program: Command, run: RunCommand): void {
  addRemember(program, run);
  addRecall(program, run);
  const memories = program
    .command('memories')
    .description('list, show, correct, restore and forget memories, and decide which of two holds');
  addMemoryList(memories, run);
  addSubjectOptions(memories.command('show <memory-id>'))
    .description('show a memory, with the words it was taken from')
    .action((id: string, about: SubjectOptions) =>
      run(async ({ agent, tell }) => {
        const read = (each: string) => agent.get<Memory>(`${pathOf(each)}${toQueryString(subjectParameters(about))}`);
        const memory = await read(id);
        const newer = memory.superseded_by ?? memory.possibly_outdated_by;
        const { content } = newer ? await read(newer) : {};
        tell(memory, () => described(memory, content));
      }),
    );
  addSubjectOptions(memories.command('correct <memory-id> [text...]'))
    .description('give a memory other words, another type or other times; it keeps its id')
    .option('--type <type>', 'facts, preferences, emotions or temporal_events')
    .option('--event-start <time>', 'when the event begins, such as 2026-06-01; none: it tells of no event')
    .option('--event-end <time>', 'when the event ends; none: not told')
    .option('--event-precision <precision>', 'minute, hour, day, week, month, season or year')
    .option('--reason <text>', 'why; kept with the memory')
    .action((id: string, words: string[], given: SubjectOptions & CorrectOptions) =>
      run(async ({ agent, tell }) => {
        const path = `${pathOf(id)}${toQueryString(subjectParameters(given))}`;
        const memory = await agent.send<Memory>('PATCH', path, {
          content: words.length ? words.join(' ') : undefined,
          type: given.type,
          event_start: orNull(given.eventStart),
          event_end: orNull(given.eventEnd),
          event_precision: given.eventPrecision,
          reason: given.reason,
        });
        tell(memory, () => described(memory));
      }),
    );
  addStateChanges(memories, run);
  addSubjectOptions(memories.command('forget <memory-id>'))
    .description('remove a memory for good, from every store')
    .option('--cascade', 'also all other memories of the turns that say it, whatever they say, and those turns')
    .action((id: string, { cascade, ...about }: SubjectOptions & { cascade?: boolean }) =>
      run(async ({ agent, tell, confirm }) => {
        const query = subjectParameters(about);
        const { content } = await agent.get<Memory>(`${pathOf(id)}${toQueryString(query)}`);
        await confirm(
          `Forget "${content}" for good${cascade ? ', and every other memory taken from the same turns' : ''}?`,
        );
        const path = `${pathOf(id)}${toQueryString({ ...query, cascade: cascade ? 'evidence' : undefined })}`;
        const done = await agent.send<Deletion>('DELETE', path);
        tell(done, () => describeDeletion(done));
      }),
    );
  addDocumentCommands(program, run);
  addReceiptCommand(program, run);
}

/** Commands that take a memory from one state to another, with the names of their routes. */
function addStateChanges(memories: Command, run: RunCommand): void {
  const changes = {
    'undo-supersede': 'take back that a memory was replaced: it holds again, beside what had replaced it',
    'confirm-outdated': 'confirm that a possibly outdated memory is replaced by the newer one; can be undone',
    'reject-outdated': 'answer that a possibly outdated memory still holds; it is not asked about again',
    restore: 'restore a memory that retention archived, so that it is found again',
  } as const;
  for (const [change, does] of Object.entries(changes)) {
    addSubjectOptions(memories.command(`${change} <memory-id>`))
      .description(does)
      .action((id: string, about: SubjectOptions) =>
        run(async ({ agent, tell }) => {
          const path = `${pathOf(id)}/${change}${toQueryString(subjectParameters(about))}`;
          const memory = await agent.send<Memory>('POST', path);
          tell(memory, () => described(memory));
        }),
      );
  }
}

/** Commander takes no null for the value of an option. */
const orNull = (text: string | undefined) => (text === 'none' ? null : text);

interface CorrectOptions {
  readonly type?: string;
  readonly eventStart?: string;
  readonly eventEnd?: string;
  readonly eventPrecision?: string;
  readonly reason?: string;
}

function addMemoryList(memories: Command, run: RunCommand): void {
  addSubjectOptions(memories.command('list', { isDefault: true }))
    .description('list memories, newest first')
    .option('--q <words>', 'words that a memory must all have, in any form')
    .option('--type <type>', 'facts, preferences, episodes, emotions or temporal_events')
    .option('--category <name>', 'such as work or likes')
    .option('--status <status>', 'active, superseded or archived')
    .option('--possibly-outdated', 'only memories that a newer one may have replaced')
    .option('--provenance <who>', 'who said it: user, assistant, tool, document or import')
    .option('--document <id>', 'only memories of this document, by your own id or its doc_… id')
    .option('--metadata <key=value>', 'only texts kept with --verbatim and this metadata', addMetadata)
    .option('--limit <count>', 'how many at most', parseCount, defaultCount)
    .action(({ limit, document, metadata, ...given }: Record<string, string> & SubjectOptions & ListOptions) =>
      run(async ({ agent, tell }) => {
        const { q, type, category, status, possiblyOutdated, provenance } = given;
        const filter = toQueryString({
          ...subjectParameters(given),
          q,
          type,
          category,
          status,
          possibly_outdated: possiblyOutdated,
          provenance,
          document_id: document,
          metadata: metadata && JSON.stringify(metadata),
        });
        const page = await readPages<Memory>(agent, `/v1/memories${filter}`, limit);
        tell(page, () => shownAsTable(page.data, 'Nothing is remembered that these filters fit.', page.next_cursor));
      }),
    );
}

interface ListOptions {
  readonly limit: number;
  readonly metadata?: Metadata;
}

function addDocumentCommands(program: Command, run: RunCommand): void {
  const documents = program.command('documents').description('forget documents');
  addSubjectOptions(documents.command('forget <document-id>'))
    .description('remove a document, by your own id or its doc_… id, and the memories that only it states')
    .action((id: string, about: SubjectOptions) =>
      run(async ({ agent, tell, confirm }) => {
        await confirm(`Forget the document "${id}" and what only it states for good?`);
        const path = `/v1/documents/${encodeURIComponent(id)}${toQueryString(subjectParameters(about))}`;
        const done = await agent.send<Deletion>('DELETE', path);
        tell(done, () => describeDeletion(done));
      }),
    );
}

function addReceiptCommand(program: Command, run: RunCommand): void {
  program
    .command('receipt <receipt-id>')
    .description('show what a deletion removed, and which store has yet to confirm it')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const receipt = await agent.get<Deletion['receipt']>(`/v1/receipts/${encodeURIComponent(id)}`);
        tell(receipt, () => describeDeletion({ receipt }));
      }),
    );
}

function addRemember(program: Command, run: RunCommand): void {
  addSubjectOptions(program.command('remember [text...]'))
    .description('remember a text, a file, or what is piped in; answers when it can be recalled')
    .option('--file <path>', 'a PDF, a DOCX or a text file to remember; - for a text on standard input')
    .option(
      '--type <document-type>',
      'such as note, email or meeting-transcript (default: document for a file, else note)',
    )
    .option(
      '--document-id <id>',
      'your own id of the document; an id that is in use is refused unless you add --replace',
    )
    .option('--replace', 'put it in the place of the document that has the id')
    .option('--verbatim', 'keep the text as one memory, word for word')
    .option('--metadata <key=value>', 'kept with it; with --verbatim it is found by it; may be repeated', addMetadata)
    .option('--conversation <id>', 'the conversation that it belongs to')
    .option('--said-at <time>', 'when it was written, such as 2026-01-05 (default: now)')
    .option('--no-wait', 'answer as soon as it is accepted')
    .action((words: string[], options: SubjectOptions & RememberOptions) =>
      run(async (session) => {
        const accepted = await session.agent.send<Ingestion>('POST', '/v1/memories', {
          document: await documentOf(words, options.file),
          document_type: options.type ?? (options.file ? 'document' : 'note'),
          ...subjectParameters(options),
          document_id: options.documentId,
          if_exists: options.replace ? 'replace' : undefined,
          verbatim: options.verbatim,
          metadata: options.metadata,
          conversation_id: options.conversation,
          document_created_at: options.saidAt,
        });
        if (!options.wait) return session.tell(accepted, () => `${accepted.ingestion_id} is ${accepted.status}`);
        const ended = await untilEnded(session, accepted);
        if (ended.status === 'failed') throw new Error(`${ended.ingestion_id} failed: ${ended.error}`);
        const { data } = await readPages<Memory>(
          session.agent,
          `/v1/memories${toQueryString({ document_id: ended.document_id, status: 'active' })}`,
        );
        session.tell({ ...ended, memories: data }, () => remembered(ended, data));
      }),
    );
}

interface RememberOptions {
  readonly file?: string;
  readonly type?: string;
  readonly documentId?: string;
  readonly replace?: boolean;
  readonly verbatim?: boolean;
  readonly metadata?: Metadata;
  readonly conversation?: string;
  readonly saidAt?: string;
  readonly wait: boolean;
}

function addRecall(program: Command, run: RunCommand): void {
  addSubjectOptions(program.command('recall <question...>'))
    .description('find what is remembered that bears on a question, best first')
    .option('--conversation <id>', 'the conversation that it is asked in')
    .option(
      '--type <type...>',
      'facts, preferences, episodes, emotions or temporal_events; several with spaces between',
    )
    .option('--provenance <who...>', 'only what these said: user, assistant, tool, document or import')
    .option('--mode <mode>', 'fast or accurate (default: that of the configuration)')
    .option('--as-of <time>', 'what held at this time, such as 2026-01-05 (default: now)')
    .option('--metadata <key=value>', 'only texts kept with --verbatim and this metadata', addMetadata)
    .option('--limit <count>', 'how many at most', parseCount)
    .option('--prompt', 'print a block for the prompt of a model')
    .action((words: string[], options: SubjectOptions & RecallOptions) =>
      run(async ({ agent, tell }) => {
        const found = await agent.send<z.output<typeof ContextRecord>>('POST', '/v1/context/fetch', {
          search_queries: [words.join(' ')],
          ...subjectParameters(options),
          conversation_id: options.conversation,
          types: options.type,
          provenance: options.provenance,
          metadata: options.metadata,
          mode: options.mode,
          as_of: options.asOf,
          max_results: options.limit,
          format: options.prompt ? 'prompt' : undefined,
        });
        tell(found, () => found.prompt ?? shownAsTable(found.memories, nothingFoundBy(options)));
      }),
    );
}

function nothingFoundBy({ user, customer, conversation }: SubjectOptions & RecallOptions): string {
  const nothing = 'Nothing is remembered that bears on it.';
  const isOfNobody = [user, customer, conversation].every((each) => each === undefined);
  return isOfNobody
    ? `${nothing} Only memories shared by everybody were searched. Add --user <id> to search those of a user.`
    : nothing;
}

interface RecallOptions {
  readonly conversation?: string;
  readonly type?: readonly string[];
  readonly provenance?: readonly string[];
  readonly metadata?: Metadata;
  readonly mode?: string;
  readonly asOf?: string;
  readonly limit?: number;
  readonly prompt?: boolean;
}

/** A file is sent as it is: the service tells what it is, and what of it is no text. */
async function documentOf(words: readonly string[], file: string | undefined): Promise<string | { file: string }> {
  if (words.length && file) throw new Error('give the text or --file, and not both');
  if (words.length) return words.join(' ');
  if (file && file !== '-') {
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(file, error);
    });
    return { file: bytes.toString('base64') };
  }
  if (process.stdin.isTTY && file !== '-') throw new Error('give a text, --file <path>, or pipe a text in');
  return textOfStream(process.stdin);
}

async function untilEnded({ agent, progress }: CommandSession, accepted: Ingestion): Promise<Ingestion> {
  let ingestion = accepted;
  const path = `/v1/memories/${accepted.ingestion_id}/status?wait=${waitSeconds}`;
  while (ingestion.status !== 'completed' && ingestion.status !== 'failed') {
    progress(`${ingestion.ingestion_id} is ${ingestion.status} …`);
    ingestion = await agent.get<Ingestion>(path);
  }
  return ingestion;
}

/** A deletion in a sentence. */
export function describeDeletion({ receipt }: Deletion): string {
  const { memory_ids: memories, document_ids: documents, pending, also_stated_in: also } = receipt;
  return [
    `Forgotten: memories ${memories.length}, documents ${documents.length}. Receipt: ${receipt.receipt_id}`,
    ...(pending.length ? [`Still to be confirmed by ${pending.join(', ')}.`] : []),
    ...(also.memory_ids.length
      ? [
          `The same turns are also cited by ${also.memory_ids.join(', ')}, which stay: forget them one by one if need be.`,
        ]
      : []),
  ].join('\n');
}

/** The address of a memory. */
const pathOf = (id: string) => `/v1/memories/${encodeURIComponent(id)}`;

function shownAsTable(memories: readonly Memory[], empty: string, next: string | null = null): string {
  const rows = memories.map((each) => ({
    memory: each.id,
    type: each.type,
    of: each.user_id ?? each.customer_id,
    since: each.valid_from.slice(0, 10),
    status: each.possibly_outdated_by ? 'possibly outdated' : each.status,
    content: each.content.replaceAll(/\s+/g, ' '),
  }));
  const more = next ? '\nThere are more: --limit shows them.' : '';
  return `${formatTable(rows, empty)}${more}`;
}

function remembered({ discarded = 0, warnings = [] }: Ingestion, memories: readonly Memory[]): string {
  const nothing = 'Nothing new was worth keeping: it was said before, or states nothing of anybody.';
  return [
    shownAsTable(memories, nothing),
    ...(discarded ? [`Left out: ${discarded}.`] : []),
    ...warnings.map((each) => `Warning: ${each}`),
  ].join('\n');
}

/** `newer`: the words of the memory that replaced it or may have done so, where they were read. */
function described(memory: Memory, newer?: string): string {
  const quoted = newer === undefined ? '' : `: "${newer}"`;
  return [
    memory.content,
    '',
    `${memory.id} is ${memory.status}: ${memory.type}, ${memory.category}, confidence ${memory.confidence}`,
    `of ${memory.user_id ?? memory.customer_id ?? 'the whole instance'}, said by ${memory.provenance}, since ${memory.valid_from}`,
    ...(memory.superseded_by ? [`replaced by ${memory.superseded_by}${quoted}`] : []),
    ...(memory.possibly_outdated_by ? [`possibly outdated by ${memory.possibly_outdated_by}${quoted}`] : []),
    ...memory.evidence.map(({ document_id: id, quote }) => `said in ${id}: "${quote}"`),
  ].join('\n');
}
