import { closeIfSilent } from '../conversations/close-conversation.ts';
import { leaseDueConversations, type ConversationKey } from '../conversations/conversation-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { ConversationIngestionDependencies } from './add-messages.ts';
import { rememberConversation } from './remember-conversation.ts';

export interface DueConversationDependencies extends ConversationIngestionDependencies {
  /** The region whose instances this process serves. */
  readonly region: string;
  readonly accessOf: (instanceNumber: bigint) => Promise<Access>;
  readonly warn: (place: ConversationKey, error: unknown) => void;
}

const takenAtOnce = 50;
/** Milliseconds after which a conversation is due again whose processing failed, or whose process died. */
const againMs = 60_000;

/**
 * Remembers what was said in conversations that have been silent for a while, and ends those that were silent for
 * long. One that fails is left for later, and keeps no other waiting.
 */
export async function processDueConversations(deps: DueConversationDependencies, signal: AbortSignal): Promise<void> {
  let taken = takenAtOnce;
  while (taken === takenAtOnce && !signal.aborted) {
    const now = deps.now();
    const againAt = new Date(now.getTime() + againMs);
    const due = await leaseDueConversations(deps.db, { region: deps.region, now, againAt, limit: takenAtOnce });
    taken = due.length;
    for (const place of due) await processConversation(deps, place).catch((error: unknown) => deps.warn(place, error));
  }
}

async function processConversation(
  deps: DueConversationDependencies,
  { instanceNumber, id }: ConversationKey,
): Promise<void> {
  const access = await deps.accessOf(instanceNumber);
  await rememberConversation(deps, access, id);
  await closeIfSilent(deps, access, id);
}
