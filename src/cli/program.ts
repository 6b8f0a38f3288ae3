import { Command } from 'commander';
import { addCompletionCommand } from './completion.ts';
import { addConfigurationCommands } from './configurations.ts';
import { addDashboardCommand } from './dashboard.ts';
import { addDoctorCommand } from './doctor.ts';
import { addIngestionCommands } from './ingestions.ts';
import { addInstanceCommands } from './instances.ts';
import { addMcpCommand } from './mcp.ts';
import { addConversationCommands } from './conversations.ts';
import { addCustomerCommands, addDocumentCommands, addReceiptCommand } from './deletions.ts';
import { addMemoryCommands } from './memories.ts';
import { addMigrateCommands } from './migrations.ts';
import { addRecallCommand } from './recall.ts';
import { addRememberCommand } from './remember.ts';
import { addReviewCommands } from './reviews.ts';
import { addUsageCommands } from './usage.ts';
import { addUserCommands } from './users.ts';
import { addWebhookCommands } from './webhooks.ts';
import type { ProcessName } from '../processes/open-service.ts';
import { version } from '../version.ts';
import { openCommandSession, type CommonOptions, type RunCommand } from './command-session.ts';

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

const examples = `
Examples:
  presage                                                     start the service
  presage remember "I am allergic to peanuts." --user ada
  presage recall "What must Ada not eat?" --user ada
  presage memories list --user ada --json
  presage doctor                                              find out why something does not work`;

/** `presage`: starts servers, and works with a running one over its API. */
export function createProgram(environment: NodeJS.ProcessEnv, write: (text: string) => void): Command {
  const program = new Command('presage')
    .description(
      'Long-term memory for AI agents. Without a command, starts the service. Every other command is a client of the server that was started in this folder, or else of the only one that was started on this machine; PRESAGE_URL, PRESAGE_KEY and PRESAGE_ADMIN_TOKEN name another.',
    )
    .configureHelp({ showGlobalOptions: true })
    .version(version, '--version', 'print the version')
    .option('--json', 'print answers and errors as JSON')
    .option('--yes', 'answer yes to every question')
    .option(
      '--instance <id>',
      'the instance to administer (default: PRESAGE_INSTANCE, else that of PRESAGE_KEY, else the only one that there is)',
    )
    .addHelpText('after', examples);
  const run: RunCommand = (work) => work(openCommandSession(environment, program.opts<CommonOptions>(), write));
  program.commandsGroup('Remember and recall:');
  addRememberCommand(program, run);
  addRecallCommand(program, run);
  addMemoryCommands(program, run);
  addDocumentCommands(program, run);
  addReceiptCommand(program, run);
  addUserCommands(program, run);
  addCustomerCommands(program, run);
  addConversationCommands(program, run);
  addReviewCommands(program, run);
  addIngestionCommands(program, run);
  program.commandsGroup('Serve:');
  for (const [name, { start, does }] of Object.entries(servers)) {
    program
      .command(name)
      .description(does)
      .action(async () => void (await start()));
  }
  addMcpCommand(program, environment);
  program.commandsGroup('Administer:');
  addConfigurationCommands(program, run);
  addInstanceCommands(program, run);
  addUsageCommands(program, run);
  addWebhookCommands(program, run);
  addDashboardCommand(program, run, environment);
  program.commandsGroup('Maintain:');
  addDoctorCommand(program, run, environment);
  addMigrateCommands(program, run, environment);
  addCompletionCommand(program, run);
  program.helpCommand('help [command]', 'display help for a command');
  return program;
}
