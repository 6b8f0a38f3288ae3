import type { Db } from '../../db/database.ts';
import type { MemorySelection } from '../memories/memory.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import type { QueryVector, VectorReads } from '../search-index/vector-index.ts';
import type { VectorSpace } from '../vectors/vector-recipe.ts';
import type { CandidateReads } from './candidate-reads.ts';
import type { RowText } from './candidate.ts';
import type { ReaderCache, ScoredId } from '../reader-cache/reader-cache.ts';
import type { RelevanceModel } from './relevance-model.ts';
import type { RetrievalMode } from '../configurations/configuration.ts';

export interface RetrievalDependencies {
  readonly db: Db;
  readonly vectors: VectorReads;
  readonly candidates: CandidateReads;
  readonly embedding: EmbeddingModels;
  readonly relevance: RelevanceModel;
  readonly readers: ReaderCache;
}

export interface Search extends MemorySelection {
  readonly queries: readonly string[];
  readonly mode: RetrievalMode;
  readonly limit: number;
  /** The least relevance of a result, 0 to 1. */
  readonly minRelevance: number;
  /** Only these memories, by UUID; default: any. */
  readonly among?: readonly string[] | undefined;
}

/** A memory that answers, by its UUID. */
export interface Hit extends ScoredId {
  /** The memory's words, where finding it read them. */
  readonly row?: RowText;
}

/** A query as the index is asked for it. */
export interface PreparedQuery {
  readonly text: string;
  /** idf of its stems. */
  readonly stems: ReadonlyMap<string, number>;
  readonly space: VectorSpace;
  /** idf of its terms, which are its stems under the keyed hash of the instance. */
  readonly idf: ReadonlyMap<bigint, number>;
  /** Takes longest: what needs no meaning is read meanwhile. */
  readonly vector: Promise<QueryVector>;
}
