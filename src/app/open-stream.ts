import type { Dependencies } from '../dependencies.ts';
import type { StreamSettings, Signal, Update } from '../domain/anticipation/stream-messages.ts';
import { mergeConversationMessages } from '../domain/anticipation/merge-conversation-messages.ts';
import { recordMessages } from '../domain/anticipation/record-messages.ts';
import { TurnAnticipationRecorder } from '../domain/anticipation/turn-anticipation-recorder.ts';
import { HeldMemories } from '../domain/anticipation/held-memories.ts';
import type { StreamObserver } from '../domain/anticipation/observe-stream.ts';
import { learnAssociations } from '../domain/anticipation/learn-associations.ts';
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
import { isHumanRole } from '../domain/language/speaker.ts';
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
  const held = new HeldMemories();
  const turns = new TurnAnticipationRecorder(deps, access, held);
  const hearing = mergeConversationMessages(
    { feed: deps.feed, instanceNumber: access.instanceNumber, origin, join, lastSaid },
    kept,
  );
  try {
    yield* anticipateWithMetrics(
      {
        sessions: deps.sessions,
        streamMetrics: deps.streamMetrics,
        invalidation: deps.invalidation,
        subscriptions: deps.subscriptions,
        held,
        observers: [turns, prefetchAfterBundles(deps, access)],
        recheck: (reader, before) => recheckPrediction(deps.db, reader, before),
        isolationOf: async (reader) => (await currentConfiguration(deps.db, reader)).isolation,
        predict: tracePrediction((reader, circumstances) => {
          deps.metering.countUserCall(reader.instanceNumber, circumstances.session.userId, deps.now());
          return predictBundle(deps, reader, circumstances);
        }, deps.capturesText),
        learn: async (reader, used) => {
          const counted = await learnAssociations(deps, reader, used);
          turns.used(counted);
          return counted;
        },
        summaryOf: (reader, conversationId) => readSummary(deps.db, reader, conversationId),
        reauthenticate: renew,
        newBundleId: () => toPublicId('bundle', newUuid()),
      },
      access,
      hearing.signals,
      signal,
    );
  } finally {
    hearing.leave();
  }
}

/**
 * Prefetches the context for what people said last on this stream, not for relayed messages, once a bundle has left, so
 * that it delays no update.
 */
function prefetchAfterBundles({ prefetcher }: Pick<Dependencies, 'prefetcher'>, access: Access): StreamObserver {
  let conversationId: string | undefined;
  let text: string | undefined;
  return {
    heard(signal) {
      if (signal.kind === 'session-start') ({ conversationId } = signal.session);
      else if (signal.kind === 'message' && !signal.isRelayed && isHumanRole(signal)) text = signal.content;
    },
    sent({ kind }) {
      if (kind !== 'bundle' || !conversationId || text === undefined) return;
      prefetcher.noteMessage(access, conversationId, text);
      text = undefined;
    },
  };
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
