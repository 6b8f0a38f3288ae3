import type { Summary } from '../compaction/compaction-store.ts';
import type { Invalidation } from '../invalidation/invalidation.ts';
import type { Access, Isolation } from '../tenancy/access.ts';
import type { Used } from './learn.ts';
import type { Circumstances, Prediction } from './predict.ts';
import type { Left } from './recheck.ts';
import type { Sessions } from './sessions.ts';
import type { SubscriptionRegistry } from './subscription-registry.ts';

/** The dependencies of a stream. */
export interface Anticipating {
  readonly sessions: Sessions;
  readonly invalidation: Pick<Invalidation, 'watch' | 'isCurrent' | 'ready'>;
  readonly subscriptions: SubscriptionRegistry;
  predict(access: Access, circumstances: Circumstances): Promise<Prediction>;
  /** Keeps of an overtaken prediction the memories that still hold; null: predict anew. */
  recheck(access: Access, before: Left): Promise<Left | null>;
  learn(access: Access, used: Used): Promise<void>;
  /** The access as the credential that opened the stream opens it now. Throws once it opens it no more. */
  reauthenticate(): Promise<Access>;
  /** How the configuration of this access tells users apart. */
  isolationOf(access: Access): Promise<Isolation>;
  /** The summary of a conversation that the reader may read; null: it was not compacted. */
  summaryOf(access: Access, conversationId: string): Promise<Summary | null>;
  newBundleId(): string;
}
