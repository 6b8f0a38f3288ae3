import {
  BaseStore,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import { NotFoundError, type Memory, type Presage } from '@presage-memory/client';
import { ownerOf, type Owner } from './owner.ts';
import { matchesFilter } from './store-filter.ts';

/** Whose the items of a namespace are: of one owner, or as their namespace tells. */
export type StoreOwner = Owner | ((namespace: readonly string[]) => Owner);

/** A fetch answers no more memories, of no more tokens. */
const [mostResults, mostTokens] = [100, 1_000_000];
/** Words of an item that it is found by stand before its JSON, of which only the beginning is indexed. */
const indexedCharacters = 1_500;
const kind = 'langgraph-item';

/**
 * A LangGraph store whose items are kept in Presage word for word, one memory each, sealed and forgotten like all others.
 * A search with a query finds items by their meaning, among the 1,000 newest below its prefix. An item has 256 KiB of JSON
 * at most.
 *
 * Items belong to the given owner; pass a function where a namespace names the user, such as
 * `([, user_id]) => ({ user_id })` for `['memories', user_id]`. A search below a prefix asks for the owner of the prefix.
 */
export class PresageStore extends BaseStore {
  readonly #memory: Presage;
  readonly #ownerOf: (namespace: readonly string[]) => Owner;

  constructor(memory: Presage, owner: StoreOwner) {
    super();
    this.#memory = memory;
    this.#ownerOf = (namespace) => named(typeof owner === 'function' ? owner(namespace) : owner, namespace);
  }

  /** Reads see the state before the batch, and of several writes to one key the last one counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    const puts = new Map(operations.filter(isPut).map((put) => [JSON.stringify([put.namespace, put.key]), put]));
    await Promise.all(Array.from(puts.values(), (put) => this.#write(put)));
    return results as OperationResults<Op>;
  }

  async #read(operation: Operation): Promise<Item | null | SearchItem[] | string[][] | undefined> {
    if (isPut(operation)) return undefined;
    if ('key' in operation) return this.#get(operation);
    return 'namespacePrefix' in operation ? this.#search(operation) : this.#namespaces(operation);
  }

  async #get(place: Place): Promise<Item | null> {
    const owner = this.#ownerOf(place.namespace);
    const document_id = await documentIdOf(place, owner);
    const { data } = await this.#memory.memories.list({ ...owner, document_id, status: 'active' });
    return data.flatMap((memory) => itemsOf(memory, owner))[0] ?? null;
  }

  async #write({ namespace, key, value, index }: PutOperation): Promise<void> {
    const owner = this.#ownerOf(namespace);
    const document_id = await documentIdOf({ namespace, key }, owner);
    if (value === null) {
      await this.#memory.documents.forget(document_id, owner).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
      });
      return;
    }
    const former = await this.#get({ namespace, key });
    const text = index === false ? '' : wordsOf(value).join('\n').slice(0, indexedCharacters);
    const created_at = (former?.createdAt ?? new Date()).toISOString();
    await this.#memory.remember(JSON.stringify(value), {
      ...owner,
      document_id,
      document_type: 'document',
      verbatim: true,
      if_exists: 'replace',
      metadata: {
        kind,
        namespace,
        key,
        created_at,
        ...(text === '' ? {} : { text }),
        is_indexed: index !== false,
        ...within(namespace),
      },
    });
  }

  async #search({ namespacePrefix, filter, limit = 10, offset = 0, query }: SearchOperation): Promise<SearchItem[]> {
    const isWanted = (item: SearchItem) =>
      startsWith(item.namespace, namespacePrefix) && (!filter || matchesFilter(item.value, filter));
    const owner = this.#ownerOf(namespacePrefix);
    const items = query ? await this.#found(query, namespacePrefix, owner) : await this.#all(owner);
    return items.filter(isWanted).slice(offset, offset + limit);
  }

  async #found(query: string, prefix: readonly string[], owner: Owner): Promise<SearchItem[]> {
    const { memories } = await this.#memory.recall(query, {
      ...owner,
      metadata: { kind, is_indexed: true, ...within(prefix) },
      max_results: mostResults,
      context_budget: mostTokens,
    });
    return memories.flatMap((memory) =>
      itemsOf(memory, owner).map((item) => Object.assign(item, { score: memory.relevance })),
    );
  }

  async #all(owner: Owner): Promise<Item[]> {
    const items: Item[] = [];
    const metadata = JSON.stringify({ kind });
    const stored = this.#memory.memories.list({ ...owner, metadata, status: 'active', limit: mostResults });
    for await (const memory of stored) items.push(...itemsOf(memory, owner));
    return items;
  }

  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation): Promise<string[][]> {
    const prefix = matchConditions.find(({ matchType }) => matchType === 'prefix')?.path ?? [];
    const known = prefix.indexOf('*') < 0 ? prefix : prefix.slice(0, prefix.indexOf('*'));
    const items = await this.#all(this.#ownerOf(known));
    const matching = items
      .map(({ namespace }) => namespace)
      .filter((namespace) => matchConditions.every((condition) => fits(namespace, condition)))
      .map((namespace) => JSON.stringify(namespace.slice(0, maxDepth)));
    const namespaces = [...new Set(matching)].toSorted().map((text) => JSON.parse(text) as string[]);
    return namespaces.slice(offset, offset + limit);
  }
}

type Place = Pick<Item, 'namespace' | 'key'>;

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation;

/**
 * The id of an item's document, which the store for Python makes alike: a digest, since a place may be of any length, with
 * the owner in it, since a customer's documents and those of its users are forgotten by the same ids.
 */
async function documentIdOf({ namespace, key }: Place, { user_id, customer_id }: Owner): Promise<string> {
  const place = new TextEncoder().encode(JSON.stringify([customer_id ?? null, user_id ?? null, namespace, key]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', place));
  return `langgraph/${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** A namespace as members of metadata that a search of a prefix asks for; true, since a text would be found by its words. */
const within = (namespace: readonly string[]) =>
  Object.fromEntries(namespace.map((label, n) => [`namespace[${n}] ${label}`, true]));

type StoredMemory = Pick<Memory, 'content' | 'metadata' | 'created_at' | 'user_id' | 'customer_id'>;

/** The item that a memory is; none where it is no item, or of a wider owner whose memories this one may read too. */
function itemsOf({ content, metadata, created_at, user_id, customer_id }: StoredMemory, owner: Owner): Item[] {
  const isOfOwner = user_id === (owner.user_id ?? null) && customer_id === (owner.customer_id ?? null);
  if (!isOfOwner || metadata?.['kind'] !== kind) return [];
  const { namespace, key, created_at: first } = metadata as { namespace: string[]; key: string; created_at: string };
  const value = JSON.parse(content) as Record<string, unknown>;
  return [{ namespace, key, value, createdAt: new Date(first), updatedAt: new Date(created_at) }];
}

/** Throws where nobody is named: such items would be everybody's, and a search would find everybody's. */
function named(owner: Owner, namespace: readonly string[]): Owner {
  if (owner.user_id === undefined && owner.customer_id === undefined)
    throw new Error(`the namespace ${JSON.stringify(namespace)} names no owner: a user_id or customer_id is required`);
  return ownerOf(owner);
}

/** The texts within a value, which say what it is about. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}

const startsWith = (namespace: readonly string[], prefix: readonly string[]) =>
  prefix.every((label, n) => namespace[n] === label);

function fits(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (namespace.length < path.length) return false;
  const part = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length || Infinity);
  return path.every((label, n) => label === '*' || part[n] === label);
}
