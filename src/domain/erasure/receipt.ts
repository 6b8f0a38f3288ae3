/**
 * The result of a deletion: what each store removed, and what was found there afterwards. Ids and counts, never text.
 */
export interface Receipt {
  readonly id: string;
  readonly deletedAt: Date;
  /** The memories that are gone. Of a user they are their own: what they said in a document of their customer stays. */
  readonly memoryIds: readonly string[];
  /** The documents that are gone; a memory's own deletion removes none, but that of a record. */
  readonly documentIds: readonly string[];
  readonly removed: {
    readonly rows: number;
    readonly vectors: number;
    readonly terms: number;
    readonly graphLinks: number;
    /** Prefetched contexts that could hold what is gone. */
    readonly prefetchedContexts: number;
    /** Versions of compactions that could hold words of what is gone. */
    readonly compactions: number;
    /** Turns blanked in documents that stay, because nothing else cites them. */
    readonly turns: number;
  };
  /** Rows of the deleted memories that were still in each store when it was read back, 0 until then: all zero. */
  readonly remaining: {
    readonly rows: number;
    readonly vectors: number;
    readonly terms: number;
    readonly graphLinks: number;
  };
  /** Other memories that still cite the turns of the forgotten one, and the documents that hold those turns. */
  readonly alsoStatedIn: { readonly memoryIds: readonly string[]; readonly documentIds: readonly string[] };
  /** Stores that were down, or that nobody has read back yet; empty when all is done. */
  readonly pending: readonly string[];
}

/** The stores that a receipt tells of, as `pending` names them. */
export const receiptStores = ['rows', 'vectors', 'terms', 'graph_links'] as const;

/** Whether no store was read back yet. */
export const isUnverified = ({ pending }: Receipt): boolean => pending.length === receiptStores.length;
