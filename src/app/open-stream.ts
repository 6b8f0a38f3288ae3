import type { Dependencies } from '../dependencies.ts';
import type { StreamSettings, Signal, Update } from '../domain/anticipation/stream-messages.ts';
import { mergeConversationMessages } from '../domain/anticipation/merge-conversation-messages.ts';
import { recordMessages } from '../domain/anticipation/record-messages.ts';
import { TurnAnticipationRecorder } from '../domain/anticipation/turn-anticipation-recorder.ts';
import { observeMessages } from '../domain/anticipation/observe-messages.ts';
import { learnTransitions } from '../domain/anticipation/learn-transitions.ts';
import { predictBundle } from '../domain/anticipation/predict-bundle.ts';
import { recheckPrediction } from '../domain/anticipation/recheck-prediction.ts';
import { anticipateWithMetrics } from '../domain/anticipation/anticipate-with-metrics.ts';
import { readSummary } from '../domain/compaction/read-compactions.ts';
import { currentConfiguration } from '../domain/configurations/configuration-store.ts';
import { bindConversation } from '../domain/conversations/bind-conversation.ts';
import { lastMessages } from '../domain/conversations/message-store.ts';
import { resolveSubject } from '../domain/conversations/resolve-subject.ts';
import { conversationUuid, newUuid, toPublicId } from '../domain/ids.ts';
import { addMessages } from '../domain/ingestion/add-messages.ts';
import { readVersionsOf, type Access } from '../domain/tenancy/access.ts';
import { reauthenticate } from '../domain/tenancy/authenticate.ts';
import { tracePrediction } from './memory-spans.ts';

/** In messages: what somebody said last, and what was answered. */
const turnAndReply = 2;

/**
 * A stream of anticipated memories that also hears what is said in its conversation elsewhere, and tells what it says.
 * Each message is a call of the key's rate, since each is searched for; the rest of a session costs nothing.
 */
export async function* openStream(
  deps: Dependencies,
  access: Access,
  { signals, signal }: { signals: AsyncIterable<Signal>; signal: AbortSignal },
): AsyncGenerator<Update, void, undefined> {
  // The stream may outlive the configuration, or the key's rate, that it was opened under. What changed before it heard
  // of changes is no matter: `anticipate` renews the access then, before it takes the first signal.
  let latest = access;
  const renew = async () => (latest = await reauthenticate(deps, access));
  const current = async () => (deps.invalidation.isCurrent(readVersionsOf(latest)) ? latest : renew());
  const join = async (session: StreamSettings) => {
    const { conversationId } = session;
    if (!conversationId) return undefined;
    const { named, isNewConversation } = await resolveSubject(deps.db, await current(), session);
    if (isNewConversation) await bindConversation(deps.db, latest, { ...named, conversationId });
    return conversationUuid(access.instance, conversationId).id;
  };
  const lastSaid = (id: string) => lastMessages(deps.db, access, id, turnAndReply);
  const origin = newUuid();
  const paid = eachMessage(signals, async () => deps.rateLimits.spend(await current()));
  const kept = recordMessages(async (messages) => addMessages(deps, await current(), messages), paid, origin);
  const turns = new TurnAnticipationRecorder(deps, access);
  const hearing = mergeConversationMessages(
    { feed: deps.feed, instanceNumber: access.instanceNumber, origin, join, lastSaid },
    kept,
  );
  try {
    const anticipated = (heard: AsyncIterable<Signal>) =>
      anticipateWithMetrics(
        {
          sessions: deps.sessions,
          streamMetrics: deps.streamMetrics,
          invalidation: deps.invalidation,
          subscriptions: deps.subscriptions,
          recheck: (reader, before) => recheckPrediction(deps.db, reader, before),
          isolationOf: async (reader) => (await currentConfiguration(deps.db, reader)).isolation,
          predict: tracePrediction((reader, circumstances) => {
            deps.metering.countUserCall(reader.instanceNumber, circumstances.session.userId, deps.now());
            return predictBundle(deps, reader, circumstances);
          }, deps.capturesText),
          learn: async (reader, used) => {
            const counted = await learnTransitions(deps, reader, used);
            turns.used(counted);
            return counted;
          },
          summaryOf: (reader, conversationId) => readSummary(deps.db, reader, conversationId),
          reauthenticate: renew,
          newBundleId: () => toPublicId('bundle', newUuid()),
        },
        access,
        heard,
        signal,
      );
    const followed = (heard: AsyncIterable<Signal>) => turns.follow(heard, anticipated);
    yield* observeMessages(hearing.signals, followed, ({ conversationId }, text) => {
      if (conversationId) deps.prefetcher.noteMessage(access, conversationId, text);
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
