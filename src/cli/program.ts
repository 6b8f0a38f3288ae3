import { Command } from 'commander';
import { connect, type AdminApi } from './admin-api.ts';
import { addConfigurationCommands } from './configurations.ts';
import { addInstanceCommands } from './instances.ts';
import { addMcpCommand } from './mcp.ts';
import type { ProcessName } from '../processes/open-service.ts';
import { version } from '../version.ts';
import type { Run } from './session.ts';

/** The servers, each loaded only when it is started. */
const servers: Record<ProcessName, { start: () => Promise<unknown>; does: string }> = {
  all: {
    start: () => import('../processes/all.ts'),
    does: 'serve everything in one process; presage alone does this too',
  },
  api: { start: () => import('../processes/api.ts'), does: 'serve REST and GraphQL' },
  stream: { start: () => import('../processes/stream.ts'), does: 'serve gRPC streams of anticipated memories' },
  worker: { start: () => import('../processes/worker.ts'), does: 'do the work that the others accepted' },
};

/** `presage`: starts servers, and administers a running one over its API. */
export function createProgram(environment: NodeJS.ProcessEnv, write: (text: string) => void): Command {
  const program = new Command('presage')
    .description(
      'Long-term memory for AI agents. The server’s address and admin token are those of its first start on this machine; PRESAGE_URL and PRESAGE_ADMIN_TOKEN name others.',
    )
    .version(version, '--version', 'print the version')
    .option('--json', 'print answers as JSON')
    .option('--instance <id>', 'the instance that is meant, else PRESAGE_INSTANCE; needed when there are several')
    .showHelpAfterError('(presage --help tells what there is)');
  const run: Run = async (work) => {
    const { json, instance: named } = program.opts<{ json?: boolean; instance?: string }>();
    const api = connect(environment);
    await work({
      api,
      tell: (answer, forPeople) => write(json ? JSON.stringify(answer, null, 2) : forPeople()),
      instance: async () => named ?? (environment['PRESAGE_INSTANCE'] || onlyInstance(api)),
    });
  };
  for (const [name, { start, does }] of Object.entries(servers)) {
    program
      .command(name)
      .description(does)
      .action(async () => void (await start()));
  }
  addConfigurationCommands(program, run);
  addInstanceCommands(program, run);
  addMcpCommand(program, environment);
  return program;
}

async function onlyInstance(api: AdminApi): Promise<string> {
  const { data } = await api.get<{ data: { instance_id: string; name: string }[] }>(
    '/instances?limit=100&state=active',
  );
  const [first, ...others] = data;
  if (first && !others.length) return first.instance_id;
  if (!first) throw new Error('there is no active instance: make one with "presage init"');
  const list = data.map(({ instance_id: id, name }) => `  ${id}  ${name}`).join('\n');
  throw new Error(`there are several instances; name one with --instance or PRESAGE_INSTANCE:\n${list}`);
}
