import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { DomainError, unavailableError } from '../errors.ts';
import type { Embedder, EmbedderSource } from '../vectors/embedder.ts';
import { vectorRecipe, vectorSpaceOf, lexicalOnlySpace, type VectorSpace } from '../vectors/vector-recipe.ts';
import type { TokenPurpose, TokenCharge } from '../metering/purposes.ts';
import type { Access } from '../tenancy/access.ts';
import { enqueueReembedding, enqueueReembeddingOfOtherModels, readSpaces, registerSpace } from './space-store.ts';

/** The embedder of one vector space. */
export interface SpaceEmbedder {
  readonly space: VectorSpace;
  /** One a text, in order; null when the model is not there now: words go on alone. Throws only when aborted. */
  meanings(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[] | null>;
}

export interface EmbedOptions {
  /** Ends the wait, at the latest with the process. */
  readonly signal?: AbortSignal;
  /** A person waits for these, and not for long, to compare them with the meanings of what may answer them. */
  readonly areRequests?: boolean;
}

export interface EmbeddingDependencies {
  readonly db: Db;
  /** Embedders, by the name that configurations use. */
  readonly sources: ReadonlyMap<string, EmbedderSource>;
  /** Told of the tokens that a provider charges. */
  readonly used: (instanceNumber: bigint, tokens: TokenCharge) => void;
  readonly warn: (message: string, error: unknown) => void;
}

/** Another process learns of a switch within this time; the vectors of before stay longer than that. */
const knownForMs = 1_000;

/** The models that embed, and which of them each instance's searches compare by. */
export class EmbeddingModels {
  readonly #deps: EmbeddingDependencies;
  readonly #serving = new LRUCache<bigint, VectorSpace>({ max: 10_000, ttl: knownForMs });

  constructor(deps: EmbeddingDependencies) {
    this.#deps = deps;
  }

  /** The model whose space the instance's searches compare now: queries and new memories are embedded with it. */
  async serving(access: Access): Promise<SpaceEmbedder> {
    const space = await this.#servingSpace(access);
    if (space.dimensions > 0) return this.#modelOf(access, space);
    const { inference } = await currentConfiguration(this.#deps.db, access);
    return inference.embedding === 'none' ? this.#modelOf(access, space) : { space, meanings: async () => null };
  }

  /**
   * Lets the model begin with texts that a person waits for: whoever asks for them next finds them under way or done,
   * or is told what is wrong. An instance without any vector has nothing to compare them with.
   */
  begin(access: Access, texts: readonly string[]): void {
    const embed = async () => {
      const space = await this.#knownSpace(access);
      if (!space?.dimensions) return;
      const { embedder, provider } = await this.#embedderOf(space);
      const used = this.#telling(access.instanceNumber, { provider, purpose: 'search' });
      await embedder.embed(texts, { isUrgent: true, used });
    };
    if (texts.length) embed().catch(() => undefined);
  }

  /** The model that the configuration names. Throws `unavailable` when it cannot be reached, or does not exist. */
  async wanted(access: Access, { inference }: Configuration): Promise<SpaceEmbedder> {
    if (inference.embedding === 'none') return this.#modelOf(access, lexicalOnlySpace);
    const source = this.#deps.sources.get(inference.embedding);
    if (!source) throw unavailableError(`there is no embedding model named ${inference.embedding}`);
    return this.#modelOf(access, vectorSpaceOf(await source.open()), 're-embedding');
  }

  /** The names of embedding models that a configuration may name. */
  names(): string[] {
    return [...this.#deps.sources.keys()];
  }

  /** Asks for the jobs of the instances that are not, or may not be, served by the deployment's model. */
  async askToReembed(): Promise<void> {
    const usual = this.#deps.sources.get('default')!;
    await enqueueReembeddingOfOtherModels(this.#deps.db, { model: usual.model, recipe: vectorRecipe.version });
  }

  /** Forgets the spaces of an instance. Call it when another space came to serve. */
  forget({ instanceNumber }: Access): void {
    this.#serving.delete(instanceNumber);
  }

  async #servingSpace(access: Access): Promise<VectorSpace> {
    const existing = await this.#knownSpace(access);
    if (existing) return existing;
    const { serving } = await this.#begin(access);
    this.#serving.set(access.instanceNumber, serving);
    return serving;
  }

  /** Undefined before the instance's first vector. */
  async #knownSpace({ instanceNumber }: Access): Promise<VectorSpace | undefined> {
    const existing = this.#serving.get(instanceNumber);
    if (existing) return existing;
    const read = await readSpaces(this.#deps.db, { instanceNumber });
    if (read) this.#serving.set(instanceNumber, read.serving);
    return read?.serving;
  }

  /** An instance's first vectors: with its model when that is there, else in words alone until it is. */
  async #begin(access: Access) {
    const { db, warn } = this.#deps;
    try {
      const configuration = await currentConfiguration(db, access);
      return await registerSpace(db, access, (await this.wanted(access, configuration)).space);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      warn('no embedding model: memories are found by their words alone', error);
      const spaces = await registerSpace(db, access, lexicalOnlySpace);
      await enqueueReembedding(db, access);
      return spaces;
    }
  }

  /** `purpose`: of the texts that nobody waits for. */
  #modelOf({ instanceNumber }: Access, space: VectorSpace, purpose: TokenPurpose = 'indexing'): SpaceEmbedder {
    return {
      space,
      meanings: async (texts, { signal, areRequests = false } = {}) => {
        if (space.dimensions === 0) return texts.map(() => new Float32Array(0));
        try {
          const { embedder, provider } = await this.#embedderOf(space);
          const used = this.#telling(instanceNumber, { provider, purpose: areRequests ? 'search' : purpose });
          const vectors = await embedder.embed(texts, { signal, isUrgent: areRequests, used });
          return areRequests ? vectors.map((vector) => embedder.toAnswer?.(vector) ?? vector) : vectors;
        } catch (error) {
          signal?.throwIfAborted();
          this.#deps.warn('the embedding model did not answer: words alone', error);
          return null;
        }
      },
    };
  }

  readonly #telling =
    (instanceNumber: bigint, of: Pick<TokenCharge, 'provider' | 'purpose'>) =>
    (input: number): void =>
      this.#deps.used(instanceNumber, { ...of, input });

  async #embedderOf(space: VectorSpace): Promise<{ embedder: Embedder; provider: string }> {
    const sources = [...this.#deps.sources].filter(([, { model, formerModels = [] }]) =>
      [model, ...formerModels].includes(space.model),
    );
    if (space.recipe === vectorRecipe.version) {
      for (const [provider, source] of sources) {
        const embedder = await source.open();
        if (embedder.dimensions === space.dimensions) return { embedder, provider };
      }
    }
    throw unavailableError(`no model makes vectors of ${space.model} any more`);
  }
}
