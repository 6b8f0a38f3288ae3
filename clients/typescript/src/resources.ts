import { Call } from './call.ts';
import { pathOf, type ApiRequest, type Connection, type RequestOptions } from './connection.ts';
import { jsonLines } from './lines.ts';
import { Pages } from './pages.ts';
import type * as records from './records.ts';
import { readIngestion } from './remember.ts';

/** Sends one request, as all the groups below do. */
export const callOf = <T>(connection: Connection, request: ApiRequest, options: RequestOptions = {}): Call<T> =>
  new Call(connection.send<T>(request, options));

const listOf = <T>(connection: Connection, path: string, query: object, options?: RequestOptions): Pages<T> =>
  new Pages((cursor) =>
    connection.send<records.Page<T>>({ method: 'GET', path, query: { ...query, cursor } }, options),
  );

/** A path is checked when the call is made, and what is wrong with it is told as the call's own error. */
function call<T>(connection: Connection, request: () => ApiRequest, options?: RequestOptions): Call<T> {
  return new Call((async () => connection.send<T>(request(), options))());
}

/** What was remembered. */
export const memoriesOf = (connection: Connection) => ({
  get: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<records.Memory>(
      connection,
      () => ({ method: 'GET', path: pathOf('/v1/memories/{}', 'memory_id', id), query: about }),
      options,
    ),
  /** Those that every given filter fits. */
  list: (filter: records.MemoryFilter = {}, options?: RequestOptions) =>
    listOf<records.Memory>(connection, '/v1/memories', filter, options),
  /** Brings back what retention archived. */
  restore: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<records.Memory>(
      connection,
      () => ({ method: 'POST', path: pathOf('/v1/memories/{}/restore', 'memory_id', id), query: about, isWrite: true }),
      options,
    ),
  /** Takes back that a memory was replaced. */
  undoSupersede: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<records.Memory>(
      connection,
      () => ({
        method: 'POST',
        path: pathOf('/v1/memories/{}/undo-supersede', 'memory_id', id),
        query: about,
        isWrite: true,
      }),
      options,
    ),
});

/** How far documents are that were submitted. */
export const ingestionsOf = (connection: Connection) => ({
  /** `wait`: seconds, up to 30, to wait for its end. */
  get: (id: string, { wait }: { readonly wait?: number } = {}, options: RequestOptions = {}) =>
    new Call((async () => readIngestion(connection, { id, wait }, options))()),
});

export const batchesOf = (connection: Connection) => ({
  get: (id: string, options?: RequestOptions) =>
    call<records.Batch>(
      connection,
      () => ({ method: 'GET', path: pathOf('/v1/memories/batch/{}', 'batch_id', id) }),
      options,
    ),
});

export const documentsOf = (connection: Connection) => ({
  /** Forgets a document and all that was learnt from it alone. */
  forget: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<records.DocumentDeletion>(
      connection,
      () => ({ method: 'DELETE', path: pathOf('/v1/documents/{}', 'document_id', id), query: about }),
      options,
    ),
});

export const usersOf = (connection: Connection) => ({
  /** Forgets all of a user; with `customer_id`, what is within that customer. */
  forget: (id: string, within: { readonly customer_id?: string } = {}, options?: RequestOptions) =>
    call<records.UserDeletion>(
      connection,
      () => ({ method: 'DELETE', path: pathOf('/v1/users/{}', 'user_id', id), query: within }),
      options,
    ),
  /** Every memory of a user, then what was said in their conversations. */
  async *export(
    id: string,
    within: { readonly customer_id?: string } = {},
    options?: RequestOptions,
  ): AsyncGenerator<records.ExportLine, void, undefined> {
    const path = pathOf('/v1/users/{}/export', 'user_id', id);
    yield* jsonLines<records.ExportLine>(await connection.open({ method: 'GET', path, query: within }, options));
  },
});

export const customersOf = (connection: Connection) => ({
  /** Forgets a customer, and its users within it. */
  forget: (id: string, options?: RequestOptions) =>
    call<records.CustomerDeletion>(
      connection,
      () => ({ method: 'DELETE', path: pathOf('/v1/customers/{}', 'customer_id', id) }),
      options,
    ),
});

/** What is said in them becomes memories without being asked. */
export const conversationsOf = (connection: Connection) => ({
  start: (start: records.ConversationStart = {}, options?: RequestOptions) =>
    callOf<records.Conversation>(
      connection,
      { method: 'POST', path: '/v1/conversations', body: start, isWrite: true },
      options,
    ),
  /** Says something in a conversation, which begins when it is not known. */
  say: (id: string, said: records.Said, about: records.Named = {}, options?: RequestOptions) =>
    call<records.AddedMessages>(
      connection,
      () => ({
        method: 'POST',
        path: pathOf('/v1/conversations/{}/messages', 'conversation_id', id),
        body: { messages: [said].flat(), ...about },
        isWrite: true,
      }),
      options,
    ),
  /** What is not remembered yet becomes memories now. */
  end: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<records.EndedConversation>(
      connection,
      () => ({
        method: 'POST',
        path: pathOf('/v1/conversations/{}/end', 'conversation_id', id),
        query: about,
        isWrite: true,
      }),
      options,
    ),
  /** `last`: how many of its messages. */
  get: (id: string, { last, ...about }: records.Named & { readonly last?: number } = {}, options?: RequestOptions) =>
    call<records.ConversationDetail>(
      connection,
      () => ({ method: 'GET', path: pathOf('/v1/conversations/{}', 'conversation_id', id), query: { ...about, last } }),
      options,
    ),
});

/** People, places and things that memories mention. */
export const entitiesOf = (connection: Connection) => ({
  get: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<records.EntityDetail>(
      connection,
      () => ({ method: 'GET', path: pathOf('/v1/entities/{}', 'entity_id', id), query: about }),
      options,
    ),
  list: (filter: records.EntityFilter = {}, options?: RequestOptions) =>
    listOf<records.Entity>(connection, '/v1/entities', filter, options),
  merge: (body: records.MergeEntities, options?: RequestOptions) =>
    callOf<records.Merged>(connection, { method: 'POST', path: '/v1/entities/merge', body, isWrite: true }, options),
  split: (body: records.SplitEntity, options?: RequestOptions) =>
    callOf<records.Divided>(connection, { method: 'POST', path: '/v1/entities/split', body, isWrite: true }, options),
  undoMerge: (id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<records.Unmerged>(
      connection,
      () => ({ method: 'POST', path: pathOf('/v1/merges/{}/undo', 'merge_id', id), query: about, isWrite: true }),
      options,
    ),
});

const decide = (connection: Connection, decision: 'confirm' | 'reject') => {
  const template = `/v1/review-queue/{}/${decision}`;
  return <T>(id: string, about: records.Named = {}, options?: RequestOptions) =>
    call<T>(
      connection,
      () => ({ method: 'POST', path: pathOf(template, 'review_id', id), query: about, isWrite: true }),
      options,
    );
};

/** Questions whether two entities are one. */
export const reviewsOf = (connection: Connection) => ({
  list: (filter: records.ReviewFilter = {}, options?: RequestOptions) =>
    listOf<records.Review>(connection, '/v1/review-queue', filter, options),
  confirm: decide(connection, 'confirm')<records.Merged>,
  reject: decide(connection, 'reject')<records.Review>,
});

export const receiptsOf = (connection: Connection) => ({
  /** What was removed by a deletion, and what is left. */
  get: (id: string, options?: RequestOptions) =>
    call<records.Receipt>(
      connection,
      () => ({ method: 'GET', path: pathOf('/v1/receipts/{}', 'receipt_id', id) }),
      options,
    ),
});

export const tokensOf = (connection: Connection) => ({
  /** Makes a short-lived token for a browser, bound to those named. */
  create: (body: records.BrowserTokenRequest, options?: RequestOptions) =>
    callOf<records.BrowserToken>(connection, { method: 'POST', path: '/v1/tokens', body, isWrite: true }, options),
});
