import type { Command } from 'commander';
import type { z } from 'zod';
import type { IngestionRecord } from '../transports/rest/records.ts';
import { parseCount } from './options.ts';
import { moreIf, pageInfo, readConnection } from './pages.ts';
import type { RunCommand } from './command-session.ts';
import { formatTable } from './table.ts';

interface ListedIngestion {
  readonly id: string;
  readonly documentId: string;
  readonly status: string;
  readonly queuedAt: string;
  readonly error: string | null;
}

/** Commands that show the ingestion of each document, and retry those that failed. */
export function addIngestionCommands(program: Command, run: RunCommand): void {
  const ingestions = program
    .command('ingestions')
    .description('list ingestions of documents, and try again those that failed');
  ingestions
    .command('list')
    .description('list ingestions, newest first')
    .option('--failed', 'only those that failed')
    .option('--limit <count>', 'how many at most', parseCount, 20)
    .action(({ failed, limit }: { failed?: true; limit: number }) =>
      run(async ({ query, tell }) => {
        const text = `query ($status: IngestionStatus, $first: Int!, $after: String) { instance {
          ingestions(status: $status, first: $first, after: $after) {
            nodes { id documentId status queuedAt error } ${pageInfo} } } }`;
        const status = failed ? 'FAILED' : null;
        const listed = await readConnection<ListedIngestion>(query, text, { status }, limit);
        const rows = listed.data.map(({ id, documentId, status: state, queuedAt, error }) => ({
          ingestion: id,
          document: documentId,
          state: state.toLowerCase(),
          queued: queuedAt,
          error,
        }));
        const empty = failed ? 'No ingestion failed.' : 'There is no ingestion yet.';
        tell(listed, () => formatTable(rows, empty) + moreIf(listed.has_more));
      }),
    );
  ingestions
    .command('retry <ingestion-id>')
    .description('try one that failed again, with all tries')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const path = `/v1/memories/${encodeURIComponent(id)}/retry`;
        const ingestion = await agent.send<z.output<typeof IngestionRecord>>('POST', path);
        tell(ingestion, () => `${ingestion.ingestion_id} is ${ingestion.status}`);
      }),
    );
}
