import { instanceIdOf } from '../../domain/ids.ts';
import { tendConversations as tend } from '../../domain/ingestion/tend-conversations.ts';
import { accessOf } from '../access-of.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const tendConversations: PeriodicTask = {
  name: 'tend-conversations',
  description: 'Remembers what was said in conversations that fell silent, and ends those that are silent for long.',
  everyMs: 5_000, // how late one may be that is due: minutes of silence are counted
  run: (deps, { log }, signal) =>
    tend(
      {
        ...deps,
        accessOf: (i) => accessOf(deps, { i }),
        warn: ({ i, id }, error) =>
          log.error({ error, instance: instanceIdOf(i), conversation: id }, 'a conversation could not be looked after'),
      },
      signal,
    ),
};
