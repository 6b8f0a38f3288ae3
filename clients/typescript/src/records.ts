import type { components } from './generated/api.d.ts';

type Schemas = components['schemas'];
type Fields<Name extends keyof Schemas> = Schemas[Name];

export interface Memory extends Fields<'Memory'> {}
export interface FetchedMemory extends Fields<'FetchedMemory'> {}
export interface AnticipatedMemory extends Fields<'AnticipatedMemory'> {}
export interface Context extends Fields<'Context'> {}
export interface Ingestion extends Fields<'Ingestion'> {}
export interface Batch extends Fields<'Batch'> {}
export interface MemoryDeletion extends Fields<'MemoryDeletion'> {}
export interface DocumentDeletion extends Fields<'DocumentDeletion'> {}
export interface User extends Fields<'User'> {}
export interface Customer extends Fields<'Customer'> {}
export interface UserProfile extends Fields<'UserProfile'> {}
export interface UserDeletion extends Fields<'UserDeletion'> {}
export interface CustomerDeletion extends Fields<'CustomerDeletion'> {}
export interface DeletionReceipt extends Fields<'DeletionReceipt'> {}
export type ExportLine = Schemas['ExportLine'];
export interface Conversation extends Fields<'Conversation'> {}
export interface ConversationDetail extends Fields<'ConversationDetail'> {}
export interface EndedConversation extends Fields<'EndedConversation'> {}
export interface AddedMessages extends Fields<'AddedMessages'> {}
export interface RecordedTranscript extends Fields<'RecordedTranscript'> {}
export interface Entity extends Fields<'Entity'> {}
export interface EntityDetail extends Fields<'EntityDetail'> {}
export interface EntityMergeResult extends Fields<'EntityMergeResult'> {}
export interface EntityUnmergeResult extends Fields<'EntityUnmergeResult'> {}
export interface EntitySplitResult extends Fields<'EntitySplitResult'> {}
export interface EntityMatchReview extends Fields<'EntityMatchReview'> {}
export interface BrowserToken extends Fields<'BrowserToken'> {}
export interface Instance extends Fields<'Instance'> {}
export interface Compaction extends Fields<'Compaction'> {}
export interface QueuedCompaction extends Fields<'QueuedCompaction'> {}
export interface Webhook extends Fields<'Webhook'> {}
export interface WebhookWithSecret extends Fields<'WebhookWithSecret'> {}
export interface DeletedWebhook extends Fields<'DeletedWebhook'> {}
export interface WebhookDelivery extends Fields<'WebhookDelivery'> {}
export interface Usage extends Fields<'Usage'> {}
export interface Problem extends Fields<'Problem'> {}

type Submission = Schemas['AwaitableSubmission'];
/** A text, or the turns of a conversation. */
export type Document = Submission['document'];
export interface RememberParameters extends Partial<Omit<Submission, 'document'>> {}
export type BatchDocument = Omit<Schemas['Submission'], 'document_type'> & Partial<Pick<Submission, 'document_type'>>;
export interface RecallParameters extends Omit<Schemas['ContextQuery'], 'search_queries' | 'search_query'> {}
/** One message, or several in their order. */
export type Said = NewMessage | readonly NewMessage[];
export type NewMessage = NonNullable<Schemas['Messages']['messages']>[number];
/** Whom a request is about. */
export interface Named {
  readonly user_id?: string;
  readonly customer_id?: string;
}
export interface MemoryFilter extends Omit<Schemas['MemoriesQuery'], 'cursor'> {}
export interface UserFilter extends Omit<Schemas['UsersQuery'], 'cursor'> {}
export interface CustomerFilter extends Omit<Schemas['CustomersQuery'], 'cursor'> {}
export interface ConversationFilter extends Omit<Schemas['ConversationsQuery'], 'cursor'> {}
export interface EntityFilter extends Omit<Schemas['EntitiesQuery'], 'cursor'> {}
export interface ReviewFilter extends Omit<Schemas['ReviewsQuery'], 'cursor'> {}
export interface ConversationStart extends Fields<'ConversationStart'> {}
/** A whole conversation, and whose it is. */
export interface Transcript extends Fields<'Transcript'> {}
export interface ReadingConversation extends Named {
  readonly last?: number;
  readonly turns?: string;
}
export interface BrowserTokenRequest extends Fields<'BrowserTokenRequest'> {}
export interface MergeEntities extends Fields<'MergeEntities'> {}
export interface SplitEntity extends Fields<'SplitEntity'> {}
/** What is put right of a memory, and whose it is. */
export interface Correction extends Fields<'Correction'>, Named {}
export interface CompactParameters extends Partial<Omit<Schemas['Compact'], 'conversation_id'>> {}
export interface CompactionFilter extends Omit<Schemas['CompactionsQuery'], 'cursor'> {}
export interface CompactionParameters extends Fields<'CompactionQuery'> {}
export interface NewWebhook extends Omit<Schemas['NewWebhook'], 'description'> {
  readonly description?: string | null;
}
export interface WebhookUpdate extends Fields<'WebhookUpdate'> {}
export interface WebhookFilter extends Omit<Schemas['WebhooksQuery'], 'cursor'> {}
export interface DeliveryFilter extends Omit<Schemas['WebhookDeliveriesQuery'], 'cursor'> {}

/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Null: this is the last page. */
  readonly next_cursor: string | null;
}
