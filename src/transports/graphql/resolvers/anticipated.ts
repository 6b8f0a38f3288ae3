import type { App } from '../../../app.ts';
import type { SubjectIds } from '../../../domain/tenancy/access.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import type { GraphqlContext, Reader } from '../context.ts';
import { createLoaders } from '../loaders.ts';
import { parseInput, WatchInput } from '../inputs.ts';
import { whileAuthenticated } from '../while-authenticated.ts';

export const anticipatedResolvers: Resolvers = {
  Subscription: {
    anticipated: {
      async subscribe(_, args, context) {
        const { app } = context;
        const { access } = context.own();
        const { named, updates } = await app.watchConversation(access, parseInput(WatchInput, args));
        return whileAuthenticated(
          context,
          (signal) => withReaders(context, { access, named, updates: updates(signal) }),
          (update) => ({ anticipated: update }),
        );
      },
    },
  },
  Bundle: {
    id: ({ bundleId }) => bundleId,
    // Whoever watches keeps no bundle, so that each memory is here in full.
    memories: ({ memories, reader }) =>
      memories.flatMap((each) => {
        if ('held' in each) return [];
        const { score, reason, ...memory } = each;
        return { score, reason, memory: { ...memory, reader } };
      }),
  },
};

interface WatchedConversation {
  readonly access: Reader['access'];
  readonly named: SubjectIds;
  readonly updates: ReturnType<Awaited<ReturnType<App['watchConversation']>>['updates']>;
}

/**
 * Attaches a reader to each update; its access is narrowed anew for each bundle, so that nested fields show no more.
 */
async function* withReaders({ app }: GraphqlContext, { access, named, updates }: WatchedConversation) {
  for await (const update of updates) {
    if (update.kind === 'withdrawal') yield { ...update, __typename: 'Withdrawal' as const };
    else if (update.kind === 'bundle') {
      const narrowed = app.narrow(access, named); // not awaited: nothing may come after the last check
      narrowed.catch(() => undefined); // whoever looks something up is told
      const reader: Reader = { access, loaders: createLoaders(app, narrowed) };
      yield { ...update, reader, __typename: 'Bundle' as const };
    }
  }
}
