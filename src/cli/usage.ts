import type { Command } from 'commander';
import { listAll } from './api.ts';
import type { Run } from './session.ts';
import { table } from './table.ts';

interface Usage {
  readonly instance_id: string;
  readonly month: string;
  readonly api_calls: number;
  readonly llm_tokens_in: number;
  readonly llm_tokens_out: number;
  readonly embedding_tokens: number;
  readonly memories_peak: number;
}

/** How much an instance holds, and how much it was used. */
export function addUsageCommands(program: Command, run: Run): void {
  program
    .command('usage')
    .description('API calls, tokens and the most memories, by month, of each instance of the client')
    .action(() =>
      run(async ({ admin, tell, instance }) => {
        const { client_id: client } = await admin.get<{ client_id: string }>(`/instances/${await instance()}`);
        const page = await listAll<Usage>(admin, `/clients/${client}/usage`);
        const rows = page.data.map((each) => [
          each.month,
          each.instance_id,
          each.api_calls,
          each.llm_tokens_in,
          each.llm_tokens_out,
          each.embedding_tokens,
          each.memories_peak,
        ]);
        const head = ['month', 'instance', 'calls', 'tokens in', 'tokens out', 'embedded', 'memories'];
        tell(page, () => table(head, rows, 'Nothing was used yet.'));
      }),
    );
  program
    .command('stats')
    .description('how much the instance holds')
    .action(() =>
      run(async ({ admin, tell, instance }) => {
        const stats = await admin.get<Record<string, unknown>>(`/instances/${await instance()}/stats`);
        tell(stats, () =>
          table(
            ['what', 'how much'],
            Object.entries(stats).map(([name, value]) => [name.replaceAll('_', ' '), inWords(value)]),
            '',
          ),
        );
      }),
    );
}

const inWords = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `${String(part)} ${name}`)
        .join(', ')
    : JSON.stringify(value ?? '-').replaceAll('"', '');
