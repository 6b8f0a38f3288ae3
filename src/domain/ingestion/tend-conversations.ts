import { closeIfSilent } from '../conversations/close-conversation.ts';
import { takeDueConversations, type ConversationPlace } from '../conversations/conversation-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { Remembering } from './converse.ts';
import { rememberConversation } from './remember-conversation.ts';

export interface Tending extends Remembering {
  /** Whose conversations this process looks after. */
  readonly region: string;
  readonly accessOf: (i: bigint) => Promise<Access>;
  readonly warn: (place: ConversationPlace, error: unknown) => void;
}

const takenAtOnce = 50;
/** Milliseconds after which a conversation is due again whose processing failed, or whose process died. */
const againMs = 60_000;

/**
 * Remembers what was said in conversations that have been silent for a while, and ends those that were silent for
 * long. One that fails is left for later, and keeps no other waiting.
 */
export async function tendConversations(deps: Tending, signal: AbortSignal): Promise<void> {
  let taken = takenAtOnce;
  while (taken === takenAtOnce && !signal.aborted) {
    const now = deps.now();
    const againAt = new Date(now.getTime() + againMs);
    const due = await takeDueConversations(deps.db, { region: deps.region, now, againAt, limit: takenAtOnce });
    taken = due.length;
    for (const place of due) await tend(deps, place).catch((error: unknown) => deps.warn(place, error));
  }
}

async function tend(deps: Tending, { i, id }: ConversationPlace): Promise<void> {
  const access = await deps.accessOf(i);
  await rememberConversation(deps, access, id);
  await closeIfSilent(deps, access, id);
}
