import { open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { toQueryString, Refusal } from './api.ts';
import type { RunCommand } from './command-session.ts';
import { sendDeletion } from './deletions.ts';
import { parseCount } from './options.ts';
import { moreIf, pageInfo, readConnection } from './pages.ts';
import { formatTable } from './table.ts';

interface User {
  readonly userId: string;
  readonly customerId: string | null;
  readonly lastActiveAt: string | null;
  readonly memoryCounts: { readonly active: number; readonly superseded: number; readonly archived: number };
}

const counts = 'memoryCounts { active superseded archived }';

/** Users, what is kept of them, and what becomes of it. */
export function addUserCommands(program: Command, run: RunCommand): void {
  const users = program.command('users').description('list, show, export and forget users');
  addUserList(users, run);
  users
    .command('show <user-id>')
    .description('show how much is remembered of a user')
    .option('--customer <id>', 'within this customer')
    .action((user: string, { customer }: { customer?: string }) =>
      run(async ({ query, tell }) => {
        const text = `query ($user: String!, $customer: String) { instance { user(userId: $user, customerId: $customer) {
          userId customerId lastActiveAt ${counts} } } }`;
        const { instance } = await query<{ instance: { user: User | null } }>(text, { user, customer });
        const found = instance.user;
        if (!found) throw new Refusal(404, { code: 'not_found', detail: `no such user: ${user}` });
        const { active, superseded, archived } = found.memoryCounts;
        tell(found, () =>
          [
            `${found.userId}, last active ${found.lastActiveAt ?? 'at an unknown time'}`,
            `memories: ${active} active, ${superseded} superseded, ${archived} archived`,
          ].join('\n'),
        );
      }),
    );
  users
    .command('profile <user-id>')
    .description('show who a user is: identity, standing wishes, preferences, what was learnt last')
    .option('--customer <id>', 'within this customer')
    .action((user: string, { customer }: { customer?: string }) =>
      run(async ({ agent, tell }) => {
        const path = `/v1/profiles/${encodeURIComponent(user)}${toQueryString({ customer_id: customer })}`;
        const profile = await agent.get<{ text: string }>(path);
        tell(profile, () => profile.text);
      }),
    );
  addUserExport(users, run);
  users
    .command('forget <user-id>')
    .description('remove every document and memory of a user, for good')
    .option('--customer <id>', 'only those within this customer')
    .action((user: string, { customer }: { customer?: string }) =>
      run(async (session) => {
        await session.confirm(
          `Forget everything of the user "${user}"${customer ? ` within "${customer}"` : ''} for good?`,
        );
        const path = `/v1/users/${encodeURIComponent(user)}${toQueryString({ customer_id: customer })}`;
        session.progress(`everything of ${user} is being forgotten …`);
        await sendDeletion(session, path);
      }),
    );
}

function addUserList(users: Command, run: RunCommand): void {
  users
    .command('list')
    .description('list users by their ids')
    .option('--customer <id>', 'only users of this customer')
    .option('--prefix <text>', 'only users whose ids begin so')
    .option('--limit <count>', 'how many at most', parseCount, 100)
    .action(({ customer, prefix, limit }: { customer?: string; prefix?: string; limit: number }) =>
      run(async ({ query, tell }) => {
        const text = `query ($customer: String, $prefix: String, $first: Int!, $after: String) { instance {
          users(customerId: $customer, prefix: $prefix, first: $first, after: $after) {
            nodes { userId customerId lastActiveAt ${counts} } ${pageInfo} } } }`;
        const listed = await readConnection<User>(query, text, { customer, prefix }, limit);
        const rows = listed.data.map(({ userId, memoryCounts, lastActiveAt }) => ({
          user: userId,
          memories: memoryCounts.active,
          'last active': lastActiveAt,
        }));
        tell(listed, () => formatTable(rows, 'There is no user yet.') + moreIf(listed.has_more));
      }),
    );
}

function addUserExport(users: Command, run: RunCommand): void {
  users
    .command('export <user-id>')
    .description('write all that is kept of a user as JSON lines')
    .option('--customer <id>', 'only within this customer')
    .option('--output <path>', 'the file to write (default: standard output)')
    .action((user: string, { customer, output }: { customer?: string; output?: string }) =>
      run(async ({ agent, tell, progress }) => {
        const path = `/v1/users/${encodeURIComponent(user)}/export${toQueryString({ customer_id: customer })}`;
        const source = Readable.fromWeb((await agent.stream(path)) as Parameters<typeof Readable.fromWeb>[0]);
        if (!output) return pipeline(source, process.stdout, { end: false });
        let lines = 0;
        const counting = new Transform({
          transform(chunk: Buffer, _, done) {
            for (const byte of chunk) if (byte === 0x0a) lines += 1;
            progress(`${lines} lines …`);
            done(null, chunk);
          },
        });
        const file = await open(output, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
          throw new Error(`${output} cannot be written (${error.code})`, { cause: error });
        });
        await pipeline(source, counting, file.createWriteStream());
        return tell({ user_id: user, output, lines }, () => `${lines} lines in ${output}`);
      }),
    );
}
