import type { Db } from '../../db/database.ts';
import type { Extraction, Turn } from '../extraction/candidate.ts';
import type { ExtractionOptions } from '../extraction/extract.ts';
import type { Embedder } from '../language/embedder.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { resolveEntities } from './resolve.ts';

/** What a run of the stages needs. */
export interface Ingesting {
  readonly db: Db;
  readonly vectors: VectorIndex;
  /** Null where the runtime or the model is missing: words alone are indexed. */
  readonly embedder: Embedder | null;
  readonly now: () => Date;
  /** The rules, wherever they run. */
  readonly extract: (turns: readonly Turn[], options: ExtractionOptions) => Promise<Extraction>;
  readonly resolve: typeof resolveEntities;
  /** Told whenever an ingestion comes to a new stage. */
  readonly progress: (ingestionId: string) => void;
  readonly warn: (message: string, error: unknown) => void;
}
