import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { Classification, StatementClassifier, Utterance } from '../../domain/extraction/statement-classifier.ts';
import { chunksOf } from '../../domain/flow/chunks-of.ts';
import type { UpdateClassifier, UpdateLikelihood, UpdatePair } from '../../domain/memories/update-classifier.ts';
import type { RelevanceModel } from '../../domain/retrieval/relevance-model.ts';
import { ClassifierThread } from './classifier-thread.ts';
import type { ClassifierInput, ClassifierResult, ClassifierSettings } from './messages.ts';

const inPackage = (file: string) => fileURLToPath(new URL(`../../../models/${file}`, import.meta.url));
const packaged: ClassifierSettings = {
  model: inPackage('memory-classifier/model.int8.onnx'),
  confidence: inPackage('memory-classifier/confidence.json'),
  updateConfidence: inPackage('memory-classifier/update-confidence.json'),
  tokenizer: inPackage('all-minilm-l6-v2/tokenizer.json'),
};

/** Threads share the elements: a second thread of the runtime speeds up no run. Each holds a copy of the model. */
const threadCount = Math.min(2, availableParallelism());
/** So many go to the threads at once, so that a long document leaves room for short ones in between. */
const sliceLength = 16;
/** A retry, or a passage told twice, finds what was found before. */
const remembered = 4_000;
/** A request is fetched for again, and words that are typed call for the same memories: numbers take little. */
const rememberedNeeds = 20_000;

/** The model that ships with the package, in worker threads of its own, which load it when it is first wanted. */
export class OnnxClassifier implements StatementClassifier, UpdateClassifier, RelevanceModel {
  readonly #threads: readonly ClassifierThread[];
  // Keys are hashes, so that a forgotten text is not kept here in clear.
  readonly #classified = new LRUCache<string, Classification>({ max: remembered });
  readonly #needs = new LRUCache<string, number>({ max: rememberedNeeds });
  /** The calls of threads so far: they take turns. */
  #runs = 0;
  #isClosed = false;

  constructor(settings: ClassifierSettings = packaged) {
    this.#threads = Array.from({ length: threadCount }, () => new ClassifierThread(settings));
  }

  /** Loads the model before it is wanted. Throws `unavailable` where it cannot be used. */
  async load(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.load()));
  }

  async classify(
    utterances: readonly Utterance[],
    { isLate = () => false }: { readonly isLate?: () => boolean } = {},
  ): Promise<(Classification | undefined)[]> {
    const keys = utterances.map(({ text, before }) => hash('sha256', `${text}\0${before}`, 'base64'));
    const found = new Map(keys.flatMap((key) => entryOf(key, this.#classified.get(key))));
    const missing = new Map(keys.flatMap((key, n) => (found.has(key) ? [] : [[key, utterances[n]!] as const])));
    for (const slice of chunksOf([...missing], sliceLength)) {
      if (isLate()) break;
      const classified = await this.#share<Utterance, Classification>(
        slice.map(([, utterance]) => utterance),
        (part) => ({ kind: 'statements', utterances: part }),
      );
      for (const [n, [key]] of slice.entries()) {
        const own = classified[n]!;
        found.set(key, own);
        if (!this.#isClosed) this.#classified.set(key, own);
      }
    }
    return keys.map((key) => found.get(key));
  }

  async needs(request: string, texts: readonly string[]): Promise<readonly number[] | null> {
    const keys = texts.map((text) => hash('sha256', `${request}\0${text}`, 'base64'));
    const missing = new Map(keys.flatMap((key, n) => (this.#needs.has(key) ? [] : [[key, texts[n]!] as const])));
    const found = new Map(keys.flatMap((key) => entryOf(key, this.#needs.get(key))));
    if (missing.size) {
      const judged = await this.#share<string, number>([...missing.values()], (part) => ({
        kind: 'needs',
        request,
        texts: part,
      })).catch(() => null);
      if (!judged) return null;
      for (const [n, key] of [...missing.keys()].entries()) {
        found.set(key, judged[n]!);
        if (!this.#isClosed) this.#needs.set(key, judged[n]);
      }
    }
    return keys.map((key) => found.get(key)!);
  }

  async compare(pairs: readonly UpdatePair[]): Promise<UpdateLikelihood[]> {
    const found: UpdateLikelihood[] = [];
    for (const slice of chunksOf(pairs, sliceLength))
      found.push(
        ...(await this.#share<UpdatePair, UpdateLikelihood>(slice, (part) => ({ kind: 'updates', pairs: part }))),
      );
    return found;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#classified.clear();
    this.#needs.clear();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** Divides the elements among the threads. Returns a result for each, in their order. */
  async #share<Element, Found extends ClassifierResult[number]>(
    elements: readonly Element[],
    inputOf: (part: readonly Element[]) => ClassifierInput,
  ): Promise<Found[]> {
    const parts = [...chunksOf(elements, Math.ceil(elements.length / this.#threads.length))];
    const found = await Promise.all(parts.map((part) => this.#nextThread().run(inputOf(part))));
    return found.flat() as Found[];
  }

  #nextThread(): ClassifierThread {
    this.#runs += 1;
    return this.#threads[this.#runs % this.#threads.length]!;
  }
}

const entryOf = <Found>(key: string, found: Found | undefined): [string, Found][] =>
  found === undefined ? [] : [[key, found]];
