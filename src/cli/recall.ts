import type { Command } from 'commander';
import type { z } from 'zod';
import type { ContextRecord } from '../transports/rest/records.ts';
import type { RunCommand } from './command-session.ts';
import { formatMemories } from './memories.ts';
import {
  addMetadata,
  addSubjectOptions,
  parseCount,
  subjectParameters,
  type Metadata,
  type SubjectOptions,
} from './options.ts';

/** `presage recall`. */
export function addRecallCommand(program: Command, run: RunCommand): void {
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
        tell(found, () => found.prompt ?? formatMemories(found.memories, nothingFoundBy(options)));
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
