import { Call } from './call.ts';
import type { Connection, RequestOptions } from './connection.ts';
import type * as records from './records.ts';
import { readIngestion } from './remember.ts';
import { at, type Requests } from './requests.ts';

const memory = '/v1/memories/{memory_id}';

/** What was remembered. */
export const memoriesOf = (requests: Requests) => ({
  get: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.get<records.Memory>(at(memory, id), about, options),
  /** Those that every given filter fits. */
  list: (filter: records.MemoryFilter = {}, options?: RequestOptions) =>
    requests.list<records.Memory>('/v1/memories', filter, options),
  /** Gives a memory other words, another type, other times or other metadata; it keeps its id. */
  correct: (id: string, { user_id, customer_id, ...body }: records.Correction, options?: RequestOptions) =>
    requests.patch<records.Memory>(at(memory, id), { body, query: { user_id, customer_id } }, options),
  /** Brings back what retention archived. */
  restore: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.Memory>(at(`${memory}/restore`, id), about, options),
  /** Takes back that a memory was replaced. */
  undoSupersede: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.Memory>(at(`${memory}/undo-supersede`, id), about, options),
  /** Confirms that a newer memory has the place of one that was possibly outdated. */
  confirmOutdated: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.Memory>(at(`${memory}/confirm-outdated`, id), about, options),
  /** Answers that a memory still holds that was possibly outdated. */
  rejectOutdated: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.Memory>(at(`${memory}/reject-outdated`, id), about, options),
});

/** How far documents are that were submitted. */
export const ingestionsOf = (connection: Connection) => ({
  /** `wait`: seconds, up to 30, to wait for its end. */
  get: (id: string, { wait }: { readonly wait?: number } = {}, options: RequestOptions = {}) =>
    new Call((async () => readIngestion(connection, { id, wait }, options))()),
});

export const batchesOf = (requests: Requests) => ({
  get: (id: string, options?: RequestOptions) =>
    requests.get<records.Batch>(at('/v1/memories/batch/{batch_id}', id), {}, options),
});

export const documentsOf = (requests: Requests) => ({
  /** Forgets a document and all that was learnt from it alone. */
  forget: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.delete<records.DocumentDeletion>(at('/v1/documents/{document_id}', id), about, options),
});

export const usersOf = (requests: Requests) => ({
  /** Everybody who was heard of, in the order of their ids; with `customer_id`, its users. */
  list: (filter: records.UserFilter = {}, options?: RequestOptions) =>
    requests.list<records.User>('/v1/users', filter, options),
  /** Who a user is, made of what is remembered of them; with `customer_id`, within that customer. */
  profile: (id: string, within: { readonly customer_id?: string } = {}, options?: RequestOptions) =>
    requests.get<records.UserProfile>(at('/v1/profiles/{user_id}', id), within, options),
  /** Forgets all of a user; with `customer_id`, what is within that customer. */
  forget: (id: string, within: { readonly customer_id?: string } = {}, options?: RequestOptions) =>
    requests.delete<records.UserDeletion>(at('/v1/users/{user_id}', id), within, options),
  /** Every memory of a user, then what was said in their conversations, then what these were condensed to. */
  export: (
    id: string,
    within: { readonly customer_id?: string } = {},
    options?: RequestOptions,
  ): AsyncGenerator<records.ExportLine, void, undefined> =>
    requests.lines<records.ExportLine>(at('/v1/users/{user_id}/export', id), within, options),
});

export const customersOf = (requests: Requests) => ({
  /** In the order of their ids. */
  list: (filter: records.CustomerFilter = {}, options?: RequestOptions) =>
    requests.list<records.Customer>('/v1/customers', filter, options),
  /** Forgets a customer, and its users within it. */
  forget: (id: string, options?: RequestOptions) =>
    requests.delete<records.CustomerDeletion>(at('/v1/customers/{customer_id}', id), {}, options),
});

const conversation = '/v1/conversations/{conversation_id}';

/** What is said in them becomes memories without being asked. */
export const conversationsOf = (requests: Requests) => ({
  start: (start: records.ConversationStart = {}, options?: RequestOptions) =>
    requests.post<records.Conversation>('/v1/conversations', start, options),
  /** Says something in a conversation, which begins when it is not known. */
  say: (id: string, said: records.Said, about: records.Named = {}, options?: RequestOptions) =>
    requests.post<records.AddedMessages>(
      at(`${conversation}/messages`, id),
      { messages: [said].flat(), ...about },
      options,
    ),
  /**
   * Tells a conversation as a whole: its turns become memories now, and it ends. What was told before is kept once; what
   * differs from it is a `ConflictError`.
   */
  recordTranscript: (id: string, transcript: records.Transcript, options?: RequestOptions) =>
    requests.post<records.RecordedTranscript>(at(`${conversation}/transcript`, id), transcript, options),
  /** What is not remembered yet becomes memories now. */
  end: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.EndedConversation>(at(`${conversation}/end`, id), about, options),
  /** The newest first; those that every given filter fits. */
  list: (filter: records.ConversationFilter = {}, options?: RequestOptions) =>
    requests.list<records.Conversation>('/v1/conversations', filter, options),
  /** `last`: how many of its messages; `turns`: those to read back, such as `3,8-12`. */
  get: (id: string, parameters: records.ReadingConversation = {}, options?: RequestOptions) =>
    requests.get<records.ConversationDetail>(at(conversation, id), parameters, options),
});

/** What conversations were condensed to. */
export const compactionsOf = (requests: Requests) => ({
  /** Every version of a conversation, the newest first. */
  list: (conversationId: string, filter: records.CompactionFilter = {}, options?: RequestOptions) =>
    requests.list<records.Compaction>(at(`${conversation}/compactions`, conversationId), filter, options),
  /** `version`: from 1. */
  get: (conversationId: string, version: number, form: records.CompactionParameters = {}, options?: RequestOptions) =>
    requests.get<records.Compaction>(
      at(`${conversation}/compactions/{version}`, conversationId, String(version)),
      form,
      options,
    ),
});

/** People, places and things that memories mention. */
export const entitiesOf = (requests: Requests) => ({
  get: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.get<records.EntityDetail>(at('/v1/entities/{entity_id}', id), about, options),
  list: (filter: records.EntityFilter = {}, options?: RequestOptions) =>
    requests.list<records.Entity>('/v1/entities', filter, options),
  merge: (body: records.MergeEntities, options?: RequestOptions) =>
    requests.post<records.EntityMergeResult>('/v1/entities/merge', body, options),
  split: (body: records.SplitEntity, options?: RequestOptions) =>
    requests.post<records.EntitySplitResult>('/v1/entities/split', body, options),
  undoMerge: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.EntityUnmergeResult>(at('/v1/merges/{merge_id}/undo', id), about, options),
});

const review = '/v1/review-queue/{review_id}';

/** Questions whether two entities are one. */
export const reviewsOf = (requests: Requests) => ({
  list: (filter: records.ReviewFilter = {}, options?: RequestOptions) =>
    requests.list<records.EntityMatchReview>('/v1/review-queue', filter, options),
  confirm: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.EntityMergeResult>(at(`${review}/confirm`, id), about, options),
  reject: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    requests.act<records.EntityMatchReview>(at(`${review}/reject`, id), about, options),
});

export const receiptsOf = (requests: Requests) => ({
  /** What was removed by a deletion, and what is left. */
  get: (id: string, options?: RequestOptions) =>
    requests.get<records.DeletionReceipt>(at('/v1/receipts/{receipt_id}', id), {}, options),
});

export const tokensOf = (requests: Requests) => ({
  /** Makes a short-lived token for a browser, bound to those named. */
  create: (body: records.BrowserTokenRequest, options?: RequestOptions) =>
    requests.post<records.BrowserToken>('/v1/tokens', body, options),
});

const webhook = '/v1/webhooks/{webhook_id}';
const delivery = '/v1/webhooks/deliveries/{delivery_id}';

/** URLs that events are sent to. For the operator of an agent: a browser token cannot call these. */
export const webhooksOf = (requests: Requests) => ({
  /** Its `secret`, by which a receiver checks signatures, is returned only here. */
  create: (body: records.NewWebhook, options?: RequestOptions) =>
    requests.post<records.WebhookWithSecret>('/v1/webhooks', body, options),
  /** The newest first, disabled ones too. */
  list: (filter: records.WebhookFilter = {}, options?: RequestOptions) =>
    requests.list<records.Webhook>('/v1/webhooks', filter, options),
  get: (id: string, options?: RequestOptions) => requests.get<records.Webhook>(at(webhook, id), {}, options),
  /** Changes, disables or enables it; what is left out stays as it is. */
  update: (id: string, body: records.WebhookUpdate, options?: RequestOptions) =>
    requests.patch<records.Webhook>(at(webhook, id), { body }, options),
  /** With its deliveries. */
  delete: (id: string, options?: RequestOptions) =>
    requests.delete<records.DeletedWebhook>(at(webhook, id), {}, options),
  /** Makes another secret; the present one signs too for 24 hours. */
  rotateSecret: (id: string, options?: RequestOptions) =>
    requests.act<records.WebhookWithSecret>(at(`${webhook}/rotate-secret`, id), {}, options),
  /** Sends an event `webhook.test`. */
  test: (id: string, options?: RequestOptions) =>
    requests.act<records.WebhookDelivery>(at(`${webhook}/test`, id), {}, options),
  /** The newest first, of the last 30 days, each with its attempts. */
  deliveries: (id: string, filter: records.DeliveryFilter = {}, options?: RequestOptions) =>
    requests.list<records.WebhookDelivery>(at(`${webhook}/deliveries`, id), filter, options),
  delivery: (id: string, options?: RequestOptions) =>
    requests.get<records.WebhookDelivery>(at(delivery, id), {}, options),
  /** Delivers once more, whether it succeeded before or not. */
  redeliver: (id: string, options?: RequestOptions) =>
    requests.act<records.WebhookDelivery>(at(`${delivery}/redeliver`, id), {}, options),
});
