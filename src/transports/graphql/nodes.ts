import type { AnticipatedMemory, Bundle } from '../../domain/anticipation/anticipation.ts';
import type { Compaction } from '../../domain/compaction/compaction.ts';
import type { SummarisedContext } from '../../domain/compaction/fetch-with-summary.ts';
import type { Conversation, MemoryOfTurn, Message } from '../../domain/conversations/conversation.ts';
import type { Divided } from '../../domain/entities/curate.ts';
import type { Entity, Merge, MentionEvidence, Review, ReviewSide } from '../../domain/entities/entity.ts';
import type { DocumentRecord, Ingestion } from '../../domain/ingestion/ingestion.ts';
import type { Invitation, Member } from '../../domain/administration/members.ts';
import type { Conversed } from '../../domain/ingestion/converse.ts';
import type { AgeingMemory } from '../../domain/memories/expiry-store.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import type { ContextMemory } from '../../domain/reader-cache/prefetched-context.ts';
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
type Read<T> = T & { readonly reader: Reader };

export type MemoryNode = Read<Memory>;
export type EntityNode = Read<Entity>;
export type MentionNode = Read<MentionEvidence>;
export type MergeNode = Read<Merge>;
export type UserNode = Read<NamedUser>;
export type CustomerNode = Read<NamedCustomer>;
export type DocumentNode = Read<DocumentRecord>;
export type ReviewNode = Read<Review>;
export type ReviewSideNode = Read<ReviewSide>;
export type DivisionNode = Read<Divided>;
export type IngestionNode = Read<Ingestion>;
export type ContextNode = Read<SummarisedContext>;
export type BundleNode = Read<Bundle>;
export type AnticipatedMemoryNode = Pick<AnticipatedMemory, 'score' | 'reason'> & { readonly memory: MemoryNode };
export type CompactionNode = Read<Compaction>;
export type ConversationNode = Read<Conversation>;
export type ConversationTurnNode = Read<{
  /** Of its message, which names it in the audit. */
  readonly id: string;
  readonly conversationId: string;
  readonly number: number;
  readonly message: Message;
}>;
export type MemoryOfTurnNode = Omit<MemoryOfTurn, 'memoryId'> & { readonly memory: MemoryNode };
export type ConversedNode = Read<Conversed>;
export type TranscriptRecordedNode = Read<Conversed & { readonly turnsRecorded: number; readonly sha256: string }>;
export type MessagesAddedNode = Read<Conversed & { readonly messageIds: readonly string[] }>;
export type WebhookNode = Read<Webhook>;
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
export type IngestionConnectionNode = CountedConnection<IngestionNode>;
export type InstanceConnectionNode = CountedConnection<InstanceNode>;
export type KeyConnectionNode = CountedConnection<KeyRecord>;
export type MemberConnectionNode = CountedConnection<Member>;
export type InvitationConnectionNode = CountedConnection<Invitation>;
export type MemoryConnectionNode = CountedConnection<MemoryNode>;
export type UserConnectionNode = CountedConnection<UserNode>;
export type WebhookConnectionNode = CountedConnection<WebhookNode>;
export type WebhookDeliveryConnectionNode = CountedConnection<WebhookDeliveryNode>;
