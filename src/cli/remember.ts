import { readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { AcceptedRecord, IngestionRecord } from '../transports/rest/records.ts';
import { toQueryString } from './api.ts';
import type { RunCommand, CommandSession } from './command-session.ts';
import { formatMemories, type Memory } from './memories.ts';
import { addMetadata, addSubjectOptions, subjectParameters, type Metadata, type SubjectOptions } from './options.ts';
import { readPages } from './pages.ts';
import { unreadable } from './unreadable-file.ts';

/** An ingestion: its outcome once it has ended, its status before. */
type Ingestion = z.output<typeof AcceptedRecord> & Partial<z.output<typeof IngestionRecord>>;

/** Seconds that one request waits for an ingestion; the command then sends the next. */
const waitSeconds = 20;

/** `presage remember`. */
export function addRememberCommand(program: Command, run: RunCommand): void {
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

function remembered({ discarded = 0, warnings = [] }: Ingestion, memories: readonly Memory[]): string {
  const nothing = 'Nothing new was worth keeping: it was said before, or states nothing of anybody.';
  return [
    formatMemories(memories, nothing),
    ...(discarded ? [`Left out: ${discarded}.`] : []),
    ...warnings.map((each) => `Warning: ${each}`),
  ].join('\n');
}
