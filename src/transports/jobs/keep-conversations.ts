import { setTimeout as pause } from 'node:timers/promises';
import type { Dependencies } from '../../dependencies.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import { tendConversations } from '../../domain/ingestion/tend-conversations.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOfInstance } from './access-of.ts';

/** How late a conversation may be that is due: minutes of silence are counted. */
const lookEveryMs = 5_000;

/** Looks after conversations that are due, until `signal` is aborted. */
export async function keepConversations(d: Dependencies, { log }: Telemetry, signal: AbortSignal): Promise<void> {
  const tending = {
    ...d,
    accessOf: (i: bigint) => accessOfInstance(d, i),
    warn: ({ i, id }: { i: bigint; id: string }, error: unknown) =>
      log.error({ error, instance: instanceIdOf(i), conversation: id }, 'a conversation could not be looked after'),
  };
  do {
    await tendConversations(tending, signal).catch((error: unknown) =>
      log.error({ error }, 'conversations could not be looked for'),
    );
  } while (await pause(lookEveryMs, true, { signal, ref: false }).catch(() => false));
}
