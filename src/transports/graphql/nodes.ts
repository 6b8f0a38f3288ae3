import type { Context } from '../../domain/context/context.ts';
import type { AnticipatedMemory, Bundle } from '../../domain/anticipation/stream-messages.ts';
import type { Compaction } from '../../domain/compaction/compaction.ts';
import type { Conversation, AnticipatedTurnMemory, Message } from '../../domain/conversations/conversation.ts';
import type { SplitResult } from '../../domain/entities/curate.ts';
import type {
  Entity,
  Merge,
  MentionEvidence,
  EntityMatchReview,
  EntityMatchReviewSide,
} from '../../domain/entities/entity.ts';
import type { DocumentRecord, Ingestion } from '../../domain/ingestion/ingestion.ts';
import type { Invitation, Member } from '../../domain/administration/members.ts';
import type { ConversationWithIngestions } from '../../domain/ingestion/add-messages.ts';
import type { AgeingMemory } from '../../domain/memories/expiry-store.ts';
import type { Evidence, Memory } from '../../domain/memories/memory.ts';
import type { ProfilePart } from '../../domain/memories/profile-store.ts';
import type { ContextMemory } from '../../domain/memories/scored-memory.ts';
import type { InstanceRecord } from '../../domain/tenancy/instance.ts';
import type { NamedCustomer, NamedUser } from '../../domain/tenancy/users.ts';
import type { AdminTokenRecord, KeyRecord } from '../../domain/tenancy/credential.ts';
import type { ConfigurationRecord } from '../../domain/configurations/record.ts';
import type { ClientRecord } from '../../domain/tenancy/client.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { CountedConnection } from './connections.ts';
import type { Reader } from './context.ts';

/** A record, and who read it: its children are read by the same, in the same instance. */
type WithReader<T> = T & { readonly reader: Reader };

export type MemoryNode = WithReader<Memory>;
export type EvidenceNode = WithReader<Evidence>;
export type EntityNode = WithReader<Entity>;
export type MentionNode = WithReader<MentionEvidence>;
export type MergeNode = WithReader<Merge>;
export type UserNode = WithReader<NamedUser>;
/** A profile with the id by which the audit names its user. */
export type UserProfileNode = WithReader<Readonly<Record<ProfilePart, readonly MemoryNode[]>>> & {
  readonly id: string;
  readonly text: string;
};
export type CustomerNode = WithReader<NamedCustomer>;
export type DocumentNode = WithReader<DocumentRecord>;
export type EntityMatchReviewNode = WithReader<EntityMatchReview>;
export type EntityMatchReviewSideNode = WithReader<EntityMatchReviewSide>;
export type EntitySplitNode = WithReader<SplitResult>;
export type IngestionNode = WithReader<Ingestion>;
export type ContextNode = WithReader<Context>;
export type BundleNode = WithReader<Bundle>;
export type AnticipatedMemoryNode = Pick<AnticipatedMemory, 'score' | 'reason'> & { readonly memory: MemoryNode };
export type CompactionNode = WithReader<Compaction>;
export type ConversationNode = WithReader<Conversation>;
export type ConversationTurnNode = WithReader<{
  /** The id of the turn's message: the audit names the turn by it. */
  readonly id: string;
  readonly conversationId: string;
  readonly number: number;
  readonly message: Message;
}>;
export type AnticipatedTurnMemoryNode = Omit<AnticipatedTurnMemory, 'memoryId'> & { readonly memory: MemoryNode };
export type ConversationEndedNode = WithReader<ConversationWithIngestions>;
export type TranscriptRecordedNode = WithReader<
  ConversationWithIngestions & { readonly turnsRecorded: number; readonly sha256: string }
>;
export type MessagesAddedNode = WithReader<ConversationWithIngestions & { readonly messageIds: readonly string[] }>;
export type WebhookNode = WithReader<Webhook>;
export type WebhookDeliveryNode = Delivery;
/** Its reader is looked up when the memory itself is asked for: a page of ids costs no access. */
export type ExpiringMemoryNode = AgeingMemory & { readonly reader: () => Promise<Reader> };
/** Its reader is looked up when a child is asked for: a list of instances costs no access to each. */
export type InstanceNode = InstanceRecord;
export type ScoredMemoryNode = Pick<ContextMemory, 'score' | 'relevance' | 'parts'> & { readonly memory: MemoryNode };
export interface DuplicateDocumentNode {
  readonly message: string;
  readonly ingestionId: string | null;
  readonly reader: Reader;
}

export type AdminTokenConnectionNode = CountedConnection<AdminTokenRecord>;
export type ClientConnectionNode = CountedConnection<ClientRecord>;
export type ConfigurationConnectionNode = CountedConnection<ConfigurationRecord>;
export type ConversationConnectionNode = CountedConnection<ConversationNode>;
export type CustomerConnectionNode = CountedConnection<CustomerNode>;
export type DocumentConnectionNode = CountedConnection<DocumentNode>;
export type EntityConnectionNode = CountedConnection<EntityNode>;
export type IngestionConnectionNode = CountedConnection<IngestionNode>;
export type InstanceConnectionNode = CountedConnection<InstanceNode>;
export type KeyConnectionNode = CountedConnection<KeyRecord>;
export type MemberConnectionNode = CountedConnection<Member>;
export type InvitationConnectionNode = CountedConnection<Invitation>;
export type MemoryConnectionNode = CountedConnection<MemoryNode>;
export type UserConnectionNode = CountedConnection<UserNode>;
export type WebhookConnectionNode = CountedConnection<WebhookNode>;
export type WebhookDeliveryConnectionNode = CountedConnection<WebhookDeliveryNode>;
