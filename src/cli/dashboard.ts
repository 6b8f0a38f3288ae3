import type { Command } from 'commander';
import { findServer } from './server.ts';
import type { Run } from './session.ts';

interface Link {
  readonly createSignInLink: { readonly path: string; readonly expiresAt: string };
}

/** A link into the dashboard, for whoever has an admin token. */
export function addDashboardCommand(program: Command, run: Run, environment: NodeJS.ProcessEnv): void {
  program
    .command('dashboard')
    .description('print a link that opens the dashboard once, within an hour, as the admin token does')
    .action(() =>
      run(async ({ queryAsAdmin, tell }) => {
        const { createSignInLink: link } = await queryAsAdmin<Link>('mutation { createSignInLink { path expiresAt } }');
        const url = findServer(environment, ['url']).url + link.path;
        tell({ url, expires_at: link.expiresAt }, () => url);
      }),
    );
}
