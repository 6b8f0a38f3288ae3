import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { unavailableError } from '../../domain/errors.ts';
import type { Classification, StatementClassifier, Utterance } from '../../domain/extraction/statement-classifier.ts';
import type { UpdateClassifier, UpdatePair } from '../../domain/memories/update-classifier.ts';
import type { RelevanceModel } from '../../domain/retrieval/relevance-model.ts';
import { ModelThread } from '../onnx-thread/model-thread.ts';
import type { ClassifierContract, ClassifierInput, ClassifierResult, ClassifierSettings } from './messages.ts';

const inPackage = (file: string) => fileURLToPath(new URL(`../../../models/${file}`, import.meta.url));
const packaged: ClassifierSettings = {
  model: inPackage('memory-classifier/model.int8.onnx'),
  confidence: inPackage('memory-classifier/confidence.json'),
  updateConfidence: inPackage('memory-classifier/update-confidence.json'),
  tokenizer: inPackage('all-minilm-l6-v2/tokenizer.json'),
};

/** So many go to the thread at once, so that a long document leaves room for short ones in between. */
const sliceLength = 16;
/** A retry, or a passage told twice, finds what was found before. */
const remembered = 4_000;
/** A request is fetched for again, and words that are typed call for the same memories: numbers take little. */
const rememberedNeeds = 20_000;

type Thread = ModelThread<ClassifierContract>;

/** The model that ships with the package, in a worker thread of its own, which is loaded when it is first wanted. */
export class OnnxClassifier implements StatementClassifier, UpdateClassifier, RelevanceModel {
  readonly #settings: ClassifierSettings;
  // Keys are hashes, so that a forgotten text is not kept here in clear.
  readonly #classified = new LRUCache<string, Classification>({ max: remembered });
  readonly #needs = new LRUCache<string, number>({ max: rememberedNeeds });
  #thread: Promise<Thread> | undefined;
  #isClosed = false;

  constructor(settings: ClassifierSettings = packaged) {
    this.#settings = settings;
  }

  /** Loads the model before it is wanted. Throws `unavailable` where it cannot be used. */
  async load(): Promise<void> {
    await this.#running();
  }

  async classify(
    utterances: readonly Utterance[],
    { isLate = () => false }: { readonly isLate?: () => boolean } = {},
  ): Promise<(Classification | undefined)[]> {
    const keys = utterances.map(({ text, before }) => hash('sha256', `${text}\0${before}`, 'base64'));
    const found = new Map(keys.flatMap((key) => entryOf(key, this.#classified.get(key))));
    const missing = new Map(keys.flatMap((key, n) => (found.has(key) ? [] : [[key, utterances[n]!] as const])));
    for (const slice of slicesOf([...missing])) {
      if (isLate()) break;
      const input = { kind: 'statements', utterances: slice.map(([, utterance]) => utterance) } as const;
      const classified = (await this.#run(input)) as readonly Classification[];
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
      const input = { kind: 'needs', request, texts: [...missing.values()] } as const;
      const judged = (await this.#run(input).catch(() => null)) as readonly number[] | null;
      if (!judged) return null;
      for (const [n, key] of [...missing.keys()].entries()) {
        found.set(key, judged[n]!);
        if (!this.#isClosed) this.#needs.set(key, judged[n]);
      }
    }
    return keys.map((key) => found.get(key)!);
  }

  async compare(pairs: readonly UpdatePair[]): Promise<number[]> {
    const found: number[] = [];
    for (const slice of slicesOf(pairs))
      found.push(...((await this.#run({ kind: 'updates', pairs: slice })) as readonly number[]));
    return found;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#classified.clear();
    this.#needs.clear();
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  /** A thread that dies meanwhile is replaced once: a document must not lose its statements by that. */
  async #run(input: ClassifierInput, isAgain = false): Promise<ClassifierResult> {
    const thread = await this.#running();
    try {
      return await thread.run(input);
    } catch (cause) {
      if (thread.hasEnded && !isAgain) return this.#run(input, true);
      throw unavailableError('the statement model could not be used', cause);
    }
  }

  /** One that has ended is replaced by another. */
  async #running(): Promise<Thread> {
    // No lack of the model: whoever meets it is to be run again by the next process.
    if (this.#isClosed) throw new Error('the statement model is closed');
    const existing = (this.#thread ??= this.#start());
    const thread = await existing.catch(() => undefined);
    if (thread && !thread.hasEnded) return thread;
    if (this.#thread === existing) this.#thread = this.#start();
    return this.#thread;
  }

  #start(): Promise<Thread> {
    const starting: Promise<Thread> = ModelThread.start(
      new URL('./classifier-worker.js', import.meta.url),
      this.#settings,
    );
    return starting.catch((cause: unknown) => {
      throw unavailableError(`the statement model ${this.#settings.model} cannot be used`, cause);
    });
  }
}

const entryOf = <Found>(key: string, found: Found | undefined): [string, Found][] =>
  found === undefined ? [] : [[key, found]];

function* slicesOf<Element>(all: readonly Element[]): Generator<Element[]> {
  for (let from = 0; from < all.length; from += sliceLength) yield all.slice(from, from + sliceLength);
}
