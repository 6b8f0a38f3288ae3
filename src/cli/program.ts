import { Command } from 'commander';
import { addCompletionCommand } from './completion.ts';
import { addConfigurationCommands } from './configurations.ts';
import { addDashboardCommand } from './dashboard.ts';
import { addDoctorCommand } from './doctor.ts';
import { addInstanceCommands } from './instances.ts';
import { addMcpCommand } from './mcp.ts';
import { addMemoryCommands } from './memories.ts';
import { addMigrateCommands } from './migrations.ts';
import { addPeopleCommands } from './people.ts';
import { addReviewCommands } from './reviews.ts';
import { addUsageCommands } from './usage.ts';
import { addWebhookCommands } from './webhooks.ts';
import type { ProcessName } from '../processes/open-service.ts';
import { version } from '../version.ts';
import { openSession, type CommonOptions, type Run } from './session.ts';

/** The servers, each loaded only when it is started. */
const servers: Record<ProcessName, { start: () => Promise<unknown>; does: string }> = {
  all: {
    start: () => import('../processes/all.ts'),
    does: 'serve everything in one process; presage alone does this too',
  },
  api: { start: () => import('../processes/api.ts'), does: 'serve REST, GraphQL and MCP' },
  stream: { start: () => import('../processes/stream.ts'), does: 'serve gRPC streams of anticipated memories' },
  worker: { start: () => import('../processes/worker.ts'), does: 'do the work that the others accepted' },
};

/** `presage`: starts servers, and works with a running one over its API. */
export function createProgram(environment: NodeJS.ProcessEnv, write: (text: string) => void): Command {
  const program = new Command('presage')
    .description(
      'Long-term memory for AI agents. The address, the key and the admin token of the server are those of its first start on this machine; PRESAGE_URL, PRESAGE_KEY and PRESAGE_ADMIN_TOKEN name others.',
    )
    .version(version, '--version', 'print the version')
    .option('--json', 'print answers as JSON, and errors too')
    .option('--yes', 'do what would be asked about')
    .option(
      '--instance <id>',
      'the instance that administration is about, else PRESAGE_INSTANCE; needed when there are several',
    )
    .showHelpAfterError('(presage --help tells what there is)');
  const run: Run = (work) => work(openSession(environment, program.opts<CommonOptions>(), write));
  for (const [name, { start, does }] of Object.entries(servers)) {
    program
      .command(name)
      .description(does)
      .action(async () => void (await start()));
  }
  addMemoryCommands(program, run);
  addPeopleCommands(program, run);
  addReviewCommands(program, run);
  addConfigurationCommands(program, run);
  addInstanceCommands(program, run);
  addUsageCommands(program, run);
  addWebhookCommands(program, run);
  addDashboardCommand(program, run, environment);
  addMcpCommand(program, environment);
  addDoctorCommand(program, run, environment);
  addMigrateCommands(program, run, environment);
  addCompletionCommand(program, run);
  return program;
}
