import type { ConversationSummary } from '../conversations/conversation.ts';
import type { Invalidation } from '../invalidation/invalidation.ts';
import type { Access, Isolation } from '../tenancy/access.ts';
import type { UsedMemories } from './learn-associations.ts';
import type { PredictionInput, Prediction } from './predict-bundle.ts';
import type { RemainingPrediction } from './recheck-prediction.ts';
import type { ResumableSessions } from './resumable-sessions.ts';
import type { SubscriptionRegistry } from './subscription-registry.ts';

export interface AnticipationDependencies {
  readonly sessions: ResumableSessions;
  readonly invalidation: Pick<Invalidation, 'watch' | 'isCurrent' | 'ready'>;
  readonly subscriptions: SubscriptionRegistry;
  predict(access: Access, circumstances: PredictionInput): Promise<Prediction>;
  /** Keeps of an overtaken prediction the memories that still hold; null: predict anew. */
  recheck(access: Access, before: RemainingPrediction): Promise<RemainingPrediction | null>;
  learn(access: Access, used: UsedMemories): Promise<void>;
  /** The access that the stream's credential grants now. Throws once the credential is invalid. */
  reauthenticate(): Promise<Access>;
  /** The isolation that the configuration of this access sets. */
  isolationOf(access: Access): Promise<Isolation>;
  /** The summary of a conversation that the reader may read; null: it was not compacted. */
  summaryOf(access: Access, conversationId: string): Promise<ConversationSummary | null>;
  newBundleId(): string;
}
