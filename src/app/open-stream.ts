import type { Dependencies } from '../dependencies.ts';
import type { Session, Signal, Update } from '../domain/anticipation/anticipation.ts';
import { hearConversation } from '../domain/anticipation/hear-conversation.ts';
import { keepSaid } from '../domain/anticipation/keep-said.ts';
import { overhear } from '../domain/anticipation/overhear.ts';
import { learn } from '../domain/anticipation/learn.ts';
import { predict } from '../domain/anticipation/predict.ts';
import { recheck } from '../domain/anticipation/recheck.ts';
import { anticipateTallied } from '../domain/anticipation/tally-stream.ts';
import { summaryOf } from '../domain/compaction/read-compactions.ts';
import { currentConfiguration } from '../domain/configurations/store.ts';
import { bindConversation } from '../domain/conversations/bind-conversation.ts';
import { resolveSubject } from '../domain/conversations/resolve-subject.ts';
import { conversationUuid, newUuid, printId } from '../domain/ids.ts';
import { addMessages } from '../domain/ingestion/converse.ts';
import { readVersionsOf, type Access } from '../domain/tenancy/access.ts';
import { reauthenticate } from '../domain/tenancy/authenticate.ts';
import { tracePrediction } from './memory-spans.ts';

/**
 * A stream of anticipated memories that also hears what is said in its conversation elsewhere, and tells what it says.
 * Each message is a call of the key's rate, since each is searched for; the rest of a session costs nothing.
 */
export async function* openStream(
  d: Dependencies,
  access: Access,
  { signals, signal }: { signals: AsyncIterable<Signal>; signal: AbortSignal },
): AsyncGenerator<Update, void, undefined> {
  // The stream may outlive the configuration, or the key's rate, that it was opened under. What changed before it heard
  // of changes is no matter: `anticipate` renews the access then, before it takes the first signal.
  let latest = access;
  const renew = async () => (latest = await reauthenticate(d, access));
  const current = async () => (d.invalidation.isCurrent(readVersionsOf(latest)) ? latest : renew());
  const join = async (session: Session) => {
    const { conversationId } = session;
    if (!conversationId) return undefined;
    const { named, isNewConversation } = await resolveSubject(d.db, await current(), session);
    if (isNewConversation) await bindConversation(d.db, latest, { ...named, conversationId });
    return conversationUuid(access.instance, conversationId).id;
  };
  const origin = newUuid();
  const paid = eachMessage(signals, async () => d.rateLimits.spend(await current()));
  const kept = keepSaid(async (messages) => addMessages(d, await current(), messages), paid, origin);
  const hearing = hearConversation({ feed: d.feed, i: access.i, origin, join }, kept);
  try {
    const anticipated = (heard: AsyncIterable<Signal>) =>
      anticipateTallied(
        {
          sessions: d.sessions,
          tally: d.tally,
          invalidation: d.invalidation,
          subscriptions: d.subscriptions,
          recheck: (reader, before) => recheck(d.db, reader, before),
          isolationOf: async (reader) => (await currentConfiguration(d.db, reader)).isolation,
          predict: tracePrediction((reader, circumstances) => {
            d.metering.countUserCall(reader.i, circumstances.session.userId, d.now());
            return predict(d, reader, circumstances);
          }, d.capturesText),
          learn: (reader, used) => learn(d, reader, used),
          summaryOf: (reader, conversationId) => summaryOf(d.db, reader, conversationId),
          reauthenticate: renew,
          newBundleId: () => printId('bundle', newUuid()),
        },
        access,
        heard,
        signal,
      );
    yield* overhear(hearing.signals, anticipated, ({ conversationId }, text) => {
      if (conversationId) d.prefetcher.noteMessage(access, conversationId, text);
    });
  } finally {
    hearing.leave();
  }
}

/** Passes the signals on; `work` is done for each message before the message is passed on. */
async function* eachMessage(
  signals: AsyncIterable<Signal>,
  work: () => Promise<void>,
): AsyncGenerator<Signal, void, undefined> {
  for await (const signal of signals) {
    if (signal.kind === 'message') await work();
    yield signal;
  }
}
