import type { AnticipatedMemory, Bundle } from '../../domain/anticipation/anticipation.ts';
import type { Context } from '../../domain/context/context.ts';
import type { Conversation } from '../../domain/conversations/conversation.ts';
import type { Divided } from '../../domain/entities/curate.ts';
import type { Entity, Merge, MentionEvidence, Review, ReviewSide } from '../../domain/entities/entity.ts';
import type { DocumentRecord, Ingestion } from '../../domain/ingestion/ingestion.ts';
import type { Conversed } from '../../domain/ingestion/converse.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import type { ScoredMemory } from '../../domain/retrieval/scored-memory.ts';
import type { InstanceRecord } from '../../domain/tenancy/instance.ts';
import type { NamedCustomer, NamedUser } from '../../domain/tenancy/users.ts';
import type { Connection } from './connections.ts';
import type { Reader } from './context.ts';

/** A record, and who read it: its children are read by the same, in the same instance. */
type Read<T> = T & { readonly reader: Reader };

export type MemoryNode = Read<Memory>;
/** A page of memories; how many there are is counted when somebody asks. */
export type MemoryConnectionNode = Connection<MemoryNode> & { totalCount(): Promise<number> };
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
export type ContextNode = Read<Context>;
export type BundleNode = Read<Bundle>;
export type AnticipatedMemoryNode = Pick<AnticipatedMemory, 'score' | 'reason'> & { readonly memory: MemoryNode };
export type ConversationNode = Read<Conversation>;
export type ConversedNode = Read<Conversed>;
export type MessagesAddedNode = Read<Conversed & { readonly messageIds: readonly string[] }>;
/** Its reader is looked up when a child is asked for: a list of instances costs no access to each. */
export type InstanceNode = InstanceRecord;
export type ScoredMemoryNode = Pick<ScoredMemory, 'score' | 'parts'> & { readonly memory: MemoryNode };
export interface DuplicateDocumentNode {
  readonly message: string;
  readonly ingestionId: string | null;
  readonly reader: Reader;
}
