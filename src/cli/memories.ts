import type { Command } from 'commander';
import type { z } from 'zod';
import type { MemoryRecord } from '../transports/rest/records.ts';
import { toQueryString } from './api.ts';
import type { RunCommand } from './command-session.ts';
import { sendDeletion } from './deletions.ts';
import {
  addMetadata,
  addSubjectOptions,
  parseCount,
  subjectParameters,
  type Metadata,
  type SubjectOptions,
} from './options.ts';
import { moreIf, readPages } from './pages.ts';
import { formatTable } from './table.ts';

export type Memory = z.output<typeof MemoryRecord>;

/** What is done with single memories. */
export function addMemoryCommands(program: Command, run: RunCommand): void {
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
      run(async (session) => {
        const query = subjectParameters(about);
        const { content } = await session.agent.get<Memory>(`${pathOf(id)}${toQueryString(query)}`);
        await session.confirm(
          `Forget "${content}" for good${cascade ? ', and every other memory taken from the same turns' : ''}?`,
        );
        const path = `${pathOf(id)}${toQueryString({ ...query, cascade: cascade ? 'evidence' : undefined })}`;
        await sendDeletion(session, path);
      }),
    );
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
    .option('--limit <count>', 'how many at most', parseCount, 20)
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
        tell(
          page,
          () =>
            formatMemories(page.data, 'Nothing is remembered that these filters fit.') +
            moreIf(page.next_cursor !== null),
        );
      }),
    );
}

interface ListOptions {
  readonly limit: number;
  readonly metadata?: Metadata;
}

/** The address of a memory. */
const pathOf = (id: string) => `/v1/memories/${encodeURIComponent(id)}`;

/** Memories as a table. `empty`: what is said where there is none. */
export function formatMemories(memories: readonly Memory[], empty: string): string {
  const rows = memories.map((each) => ({
    memory: each.id,
    type: each.type,
    of: each.user_id ?? each.customer_id,
    since: each.valid_from.slice(0, 10),
    status: each.possibly_outdated_by ? 'possibly outdated' : each.status,
    content: each.content.replaceAll(/\s+/g, ' '),
  }));
  return formatTable(rows, empty);
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
