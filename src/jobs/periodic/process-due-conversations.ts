import { instanceIdOf } from '../../domain/ids.ts';
import { processDueConversations as tend } from '../../domain/ingestion/process-due-conversations.ts';
import { accessAsWorker } from '../../domain/tenancy/authenticate.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const processDueConversationsTask: PeriodicTask = {
  name: 'tend-conversations',
  description: 'Remembers what was said in conversations that fell silent, and ends those that are silent for long.',
  everyMs: 5_000, // how late one may be that is due: minutes of silence are counted
  run: (deps, { log }, signal) =>
    tend(
      {
        ...deps,
        accessOf: (instanceNumber) => accessAsWorker(deps, { instanceNumber }),
        warn: ({ instanceNumber, id }, error) =>
          log.error(
            { error, instance: instanceIdOf(instanceNumber), conversation: id },
            'a conversation could not be looked after',
          ),
      },
      signal,
    ),
};
