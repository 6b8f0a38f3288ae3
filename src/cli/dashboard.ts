import type { Command } from 'commander';
import { readServerSettings } from './server-settings.ts';
import type { RunCommand } from './command-session.ts';

interface Link {
  readonly createSignInLink: { readonly path: string; readonly expiresAt: string };
}

/** A link into the dashboard, for callers with an admin token. */
export function addDashboardCommand(program: Command, run: RunCommand, environment: NodeJS.ProcessEnv): void {
  program
    .command('dashboard')
    .description(
      'print a link that opens the dashboard once, within an hour, as the admin token does, at the instance of your key',
    )
    .action(() =>
      run(async ({ queryAsAdmin, tell, shownInstance }) => {
        const { createSignInLink: link } = await queryAsAdmin<Link>('mutation { createSignInLink { path expiresAt } }');
        const instance = await shownInstance();
        const path = instance ? link.path.replace('#', `?instance=${encodeURIComponent(instance)}#`) : link.path;
        const url = readServerSettings(environment, ['url']).url + path;
        tell({ url, expires_at: link.expiresAt }, () => url);
      }),
    );
}
