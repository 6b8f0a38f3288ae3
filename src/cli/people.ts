import { open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { CompactionRecord } from '../transports/rest/compaction-records.ts';
import type { ConversationDetailRecord } from '../transports/rest/conversation-records.ts';
import { toQueryString, Refusal } from './api.ts';
import { parseCount, describeDeletion, addSubjectOptions, subjectParameters, type Deletion } from './memories.ts';
import type { RunCommand } from './command-session.ts';
import { formatTable } from './table.ts';

interface User {
  readonly userId: string;
  readonly customerId: string | null;
  readonly lastActiveAt: string | null;
  readonly memoryCounts: { readonly active: number; readonly superseded: number; readonly archived: number };
}
interface Conversation {
  readonly id: string;
  readonly externalId: string | null;
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly state: string;
  readonly lastMessageAt: string | null;
  readonly messageCount: number;
}
export interface ListAnswer<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const pageSize = 100;
const counts = 'memoryCounts { active superseded archived }';
export const pageInfo = 'pageInfo { hasNextPage endCursor }';

/** The first `max` nodes of a list, page by page. `page`: asks for so many after a cursor. */
export async function listNodes<T>(
  max: number,
  page: (asked: { first: number; after: string | null }) => Promise<ListAnswer<T>>,
): Promise<{ data: readonly T[]; has_more: boolean }> {
  const data: T[] = [];
  for (let after: string | null = null; ;) {
    const { nodes, pageInfo: info } = await page({ first: Math.min(pageSize, max - data.length), after });
    data.push(...nodes);
    if (!info.hasNextPage || data.length >= max) return { data, has_more: info.hasNextPage };
    after = info.endCursor;
  }
}

export const moreIf = (hasMore: boolean) => (hasMore ? '\nThere are more: --limit shows them.' : '');

/** Users, what they said, and what becomes of it. */
export function addPeopleCommands(program: Command, run: RunCommand): void {
  addUserCommands(program, run);
  addCustomerCommands(program, run);
  addConversationCommands(program, run);
}

function addUserCommands(program: Command, run: RunCommand): void {
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
      run(async ({ agent, tell, confirm, progress }) => {
        await confirm(`Forget everything of the user "${user}"${customer ? ` within "${customer}"` : ''} for good?`);
        const path = `/v1/users/${encodeURIComponent(user)}${toQueryString({ customer_id: customer })}`;
        progress(`everything of ${user} is being forgotten …`);
        const done = await agent.send<Deletion>('DELETE', path);
        tell(done, () => describeDeletion(done));
      }),
    );
}

function addUserList(users: Command, run: RunCommand): void {
  users
    .command('list')
    .description('list users by their ids')
    .option('--customer <id>', 'only users of this customer')
    .option('--prefix <text>', 'only users whose ids begin so')
    .option('--limit <count>', 'how many at most', parseCount, pageSize)
    .action(({ customer, prefix, limit }: { customer?: string; prefix?: string; limit: number }) =>
      run(async ({ query, tell }) => {
        const text = `query ($customer: String, $prefix: String, $first: Int!, $after: String) { instance {
          users(customerId: $customer, prefix: $prefix, first: $first, after: $after) {
            nodes { userId customerId lastActiveAt ${counts} } ${pageInfo} } } }`;
        const listed = await listNodes(limit, async (asked) => {
          const { instance } = await query<{ instance: { users: ListAnswer<User> } }>(text, {
            customer,
            prefix,
            ...asked,
          });
          return instance.users;
        });
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

function addCustomerCommands(program: Command, run: RunCommand): void {
  const customers = program.command('customers').description('forget customers');
  customers
    .command('forget <customer-id>')
    .description('remove every document and memory of a customer and of its users within it, for good')
    .action((customer: string) =>
      run(async ({ agent, tell, confirm, progress }) => {
        await confirm(`Forget everything of the customer "${customer}" and of its users within it for good?`);
        progress(`everything of ${customer} is being forgotten …`);
        const done = await agent.send<Deletion>('DELETE', `/v1/customers/${encodeURIComponent(customer)}`);
        tell(done, () => describeDeletion(done));
      }),
    );
}

function addConversationCommands(program: Command, run: RunCommand): void {
  const conversations = program
    .command('conversations')
    .description('list conversations, and show what was said in one');
  addSubjectOptions(conversations.command('list'))
    .description('list conversations, newest first')
    .option('--limit <count>', 'how many at most', parseCount, 20)
    .action(({ user, customer, limit }: { user?: string; customer?: string; limit: number }) =>
      run(async ({ query, tell }) => {
        const text = `query ($user: String, $customer: String, $first: Int!, $after: String) { instance {
          conversations(userId: $user, customerId: $customer, first: $first, after: $after) {
            nodes { id externalId userId customerId state lastMessageAt messageCount } ${pageInfo} } } }`;
        const listed = await listNodes(limit, async (asked) => {
          const about = { user, customer, ...asked };
          const { instance } = await query<{ instance: { conversations: ListAnswer<Conversation> } }>(text, about);
          return instance.conversations;
        });
        const rows = listed.data.map((each) => ({
          conversation: each.externalId ?? each.id,
          of: each.userId ?? each.customerId,
          state: each.state,
          messages: each.messageCount,
          last: each.lastMessageAt,
        }));
        tell(listed, () => formatTable(rows, 'There is no conversation yet.') + moreIf(listed.has_more));
      }),
    );
  addSubjectOptions(conversations.command('show <conversation-id>'))
    .description('show what was said last')
    .action((id: string, about: { user?: string; customer?: string }) =>
      run(async ({ agent, tell }) => {
        const path = `/v1/conversations/${encodeURIComponent(id)}${toQueryString(subjectParameters(about))}`;
        const shown = await agent.get<z.output<typeof ConversationDetailRecord>>(path);
        tell(shown, () => shown.recent_messages.map(({ role, content }) => `${role}: ${content}`).join('\n'));
      }),
    );
  addSubjectOptions(program.command('compact <conversation-id>'))
    .description('shorten a conversation to a text for a prompt')
    .option('--strategy <name>', 'adaptive, aggressive, balanced or conservative')
    .option(
      '--target-tokens <count>',
      'how long the text may be (default: a share of the conversation, by the strategy)',
      parseCount,
    )
    .action((id: string, options: { user?: string; customer?: string; strategy?: string; targetTokens?: number }) =>
      run(async ({ agent, tell, progress }) => {
        progress(`${id} is being compacted …`);
        const compaction = await agent.send<z.output<typeof CompactionRecord>>('POST', '/v1/context/compact', {
          conversation_id: id,
          ...subjectParameters(options),
          strategy: options.strategy,
          target_tokens: options.targetTokens,
          output_format: 'system_prompt',
        });
        const { original_tokens: before, compacted_tokens: after, validation_score: score } = compaction;
        tell(compaction, () => `${compaction.system_prompt}\n\n${before} → ${after} tokens, score ${score}`);
      }),
    );
}
