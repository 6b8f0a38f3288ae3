import type { Command } from 'commander';
import type { z } from 'zod';
import type { CompactionRecord } from '../transports/rest/compaction-records.ts';
import type { ConversationDetailRecord } from '../transports/rest/conversation-records.ts';
import { toQueryString } from './api.ts';
import type { RunCommand } from './command-session.ts';
import { addSubjectOptions, parseCount, subjectParameters, type SubjectOptions } from './options.ts';
import { moreIf, pageInfo, readConnection } from './pages.ts';
import { formatTable } from './table.ts';

interface Conversation {
  readonly id: string;
  readonly externalId: string | null;
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly state: string;
  readonly lastMessageAt: string | null;
  readonly messageCount: number;
}

/** Conversations: what was said in them, and its compaction. */
export function addConversationCommands(program: Command, run: RunCommand): void {
  const conversations = program
    .command('conversations')
    .description('list conversations, and show what was said in one');
  addSubjectOptions(conversations.command('list'))
    .description('list conversations, newest first')
    .option('--limit <count>', 'how many at most', parseCount, 20)
    .action(({ user, customer, limit }: SubjectOptions & { limit: number }) =>
      run(async ({ query, tell }) => {
        const text = `query ($user: String, $customer: String, $first: Int!, $after: String) { instance {
          conversations(userId: $user, customerId: $customer, first: $first, after: $after) {
            nodes { id externalId userId customerId state lastMessageAt messageCount } ${pageInfo} } } }`;
        const listed = await readConnection<Conversation>(query, text, { user, customer }, limit);
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
    .action((id: string, about: SubjectOptions) =>
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
    .action((id: string, options: SubjectOptions & { strategy?: string; targetTokens?: number }) =>
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
