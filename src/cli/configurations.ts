import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import type {
  DifferenceRecord,
  NewOnboardingRecord,
  VersionRecord,
} from '../transports/rest/admin/configuration-records.ts';
import type { ApiClient } from './api.ts';
import { confirmRetention } from './confirm-retention.ts';
import type { RunCommand } from './command-session.ts';
import { readPages } from './pages.ts';
import { formatTable } from './table.ts';
import { unreadable } from './unreadable-file.ts';

type Version = z.output<typeof VersionRecord>;
type Onboarding = z.output<typeof NewOnboardingRecord>;

/** Commands that lead from a use-case file to a configuration in force, and from one version to another. */
export function addConfigurationCommands(program: Command, run: RunCommand): void {
  program
    .command('init <use-case.md>')
    .description('make a client, an instance and a key from a use-case file, and print the key once')
    .option('--client <name>', 'the name of the client (default: that of the file)')
    .option('--name <name>', 'the name of the instance (default: that of the file)')
    .option('--draft', 'leave the configuration for review instead of putting it in force')
    .action((file: string, options: { client?: string; name?: string; draft?: boolean }) =>
      run(async ({ admin, tell }) => {
        const nameOfFile = basename(file).replace(/[.]\w+$/, '');
        const made = await admin.send<Onboarding>('POST', '/onboarding', {
          client_name: options.client ?? nameOfFile,
          instance_name: options.name ?? nameOfFile,
          use_case: await textOf(file),
          complete: !options.draft,
        });
        tell(made, () => onboarded(made));
      }),
    );

  const config = program
    .command('config')
    .description('draft, compare, apply and roll back the configuration of an instance');
  config
    .command('draft <use-case.md>')
    .description('make a draft of what a use-case file asks for; nothing changes before it is applied')
    .action((file: string) =>
      run(async ({ admin, tell, instance }) => {
        const body = { use_case: await textOf(file) };
        const draft = await admin.send<Version>('POST', configurationsOf(await instance()), body);
        tell(draft, () => `${draft.semantic_version} is ${draft.state}\n${explained(draft.explanation)}`);
      }),
    );
  config
    .command('list')
    .description('list the versions of an instance, newest first')
    .action(() =>
      run(async ({ admin, tell, instance }) => {
        const page = await readPages<Version>(admin, configurationsOf(await instance()));
        const rows = page.data.map((each) => ({
          version: each.semantic_version,
          state: each.state,
          made: each.created_at.slice(0, 10),
        }));
        tell(page, () => formatTable(rows, 'There is no version yet.'));
      }),
    );
  config
    .command('show [version]')
    .description('print the settings of a version (default: the one in force)')
    .action((version = 'active') =>
      run(async ({ admin, tell, instance }) => {
        const path = `${configurationsOf(await instance())}/${encodeURIComponent(version)}`;
        const shown = await admin.get<Version>(path);
        tell(
          shown,
          () => `${shown.semantic_version} is ${shown.state}\n${JSON.stringify(shown.configuration, null, 2)}`,
        );
      }),
    );
  config
    .command('diff')
    .description('compare two versions (default: the one in force with the newest)')
    .option('--from <version>', 'the older one (default: the one in force)')
    .option('--to <version>', 'the newer one (default: the newest)')
    .action((options: Record<string, string>) =>
      run(async ({ admin, tell, instance }) => {
        const path = `${configurationsOf(await instance())}/diff?${new URLSearchParams(options).toString()}`;
        const difference = await admin.get<z.output<typeof DifferenceRecord>>(path);
        tell(difference, () =>
          [
            `${difference.from}.0.0 → ${difference.to}.0.0`,
            difference.text || 'They are the same.',
            ...warned(difference.warnings),
          ].join('\n'),
        );
      }),
    );
  config
    .command('apply <version>')
    .description('take a version through what is left of its review, and put it in force; asks when memories would go')
    .option('--comment <text>', 'why; it stands in its history')
    .action((version: string, comment: { comment?: string }) =>
      run(async (session) => {
        const { admin, tell, progress } = session;
        const instance = await session.instance();
        const path = `${configurationsOf(instance)}/${encodeURIComponent(version)}`;
        progress('memories that would go are being counted …');
        await confirmRetention(session, { instance, version });
        const applied = await apply(admin, path, comment);
        tell(applied, () => `${applied.semantic_version} is ${applied.state}`);
      }),
    );
  config
    .command('rollback')
    .description('go back to the version before, or to another that was in force; asks when memories would go')
    .option('--to <version>', 'its number, `2` or `2.0.0`', (text) => Number(text.replace(/[.]0[.]0$/, '')))
    .option('--comment <text>', 'why; it stands in the history')
    .action((options: { to?: number; comment?: string }) =>
      run(async (session) => {
        const { admin, tell } = session;
        const instance = await session.instance();
        const path = configurationsOf(instance);
        const active = await admin.get<Version>(`${path}/active`);
        const to = options.to ?? (await versionBefore(admin, path, active));
        if (to !== null) await confirmRetention(session, { instance, version: String(to) });
        // Does what was confirmed, whatever others do meanwhile.
        const body = { ...options, expected_active_version: active.version, ...(to === null ? {} : { to }) };
        const version = await admin.send<Version>('POST', `${path}/rollback`, body);
        tell(version, () => `${version.semantic_version} is ${version.state}`);
      }),
    );
}

const configurationsOf = (instance: string) => `/instances/${encodeURIComponent(instance)}/configurations`;

/** Each step is its own request, so that the history tells who took it. */
async function apply(admin: ApiClient, path: string, comment: { comment?: string }): Promise<Version> {
  const { state } = await admin.get<Version>(path);
  if (state === 'draft') await admin.send('POST', `${path}/submit`, comment);
  if (state === 'draft' || state === 'pending_review') {
    await admin.send('POST', `${path}/review`, { ...comment, decision: 'approve' });
  }
  return admin.send<Version>('POST', `${path}/apply`, comment);
}

/** The version whose settings a rollback puts in force again; null: there is none before. */
async function versionBefore(
  admin: ApiClient,
  path: string,
  { restored_version: restored, previous_active_version: previous }: Version,
): Promise<number | null> {
  if (restored === null) return previous;
  return (await admin.get<Version>(`${path}/${restored}`)).previous_active_version;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
}

const onboarded = (made: Onboarding): string =>
  [
    `instance  ${made.instance_id}  (client ${made.client_id}, ${made.state})`,
    `key       ${made.api_key}  (shown once, keep it)`,
    ...(made.configuration ? ['', explained(made.configuration.explanation)] : []),
    '',
    'What follows is about this instance when you say so:',
    `  export PRESAGE_INSTANCE=${made.instance_id} PRESAGE_KEY=${made.api_key}`,
    ...(made.next.length && made.configuration
      ? [
          '',
          `The key opens nothing yet. Next, put the configuration in force: presage config apply ${made.configuration.version}`,
        ]
      : []),
  ].join('\n');

function explained(explanation: Version['explanation']): string {
  if (!explanation) return '';
  const derived = explanation.derived_settings.map(
    ({ setting, value, reason, lines }) =>
      `${setting} = ${JSON.stringify(value)}: ${reason}${lines.map(({ line, text }) => `\n    line ${line}: ${text}`).join('')}`,
  );
  const defaulted = explanation.defaulted_settings.map(
    ({ setting, value, reason }) => `${setting} = ${JSON.stringify(value)}: ${reason}`,
  );
  return [
    derived.length ? 'From the file' : 'From the file: nothing. All settings are the defaults.',
    ...derived.map((each) => `  ${each}`),
    'Defaults',
    ...defaulted.map((each) => `  ${each}`),
    ...warned(explanation.warnings),
  ].join('\n');
}

const warned = (warnings: readonly string[]) => warnings.map((each) => `Warning: ${each}`);
