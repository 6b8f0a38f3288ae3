/** Numbers in a sketch. A power of two: slots are cut from the bits of a hash. */
export const sketchDimensions = 512;

/** Saturation of repeated words, as BM25's k1: the second mention says less than the first. */
const saturation = 1.2;

/** A keyed, uniformly mixed 63-bit hash of a stem (HMAC): slots and signs are its low bits, taken as they are. */
type TermHash = bigint;

/**
 * A signed-hash sketch (feature hashing, Weinberger et al. 2009; three slots a term, as in count sketches, so that one
 * collision does not cost the term). Length 1, or all zeros for no terms. The dot product of two sketches estimates the
 * cosine of their word vectors.
 *
 * @param terms how often each term occurs
 * @param weightOf idf of a term (queries only: the counts of an owner change, stored sketches must not)
 */
export function termSketchOf(
  terms: ReadonlyMap<TermHash, number>,
  weightOf: (term: TermHash) => number = () => 1,
): Float32Array {
  const sketch = new Float32Array(sketchDimensions);
  for (const [term, count] of terms) {
    const weight = ((count * (saturation + 1)) / (count + saturation)) * weightOf(term);
    const bits = Number(term & 0x3fffffffn);
    add(sketch, bits & 0x3ff, weight);
    add(sketch, (bits >>> 10) & 0x3ff, weight);
    add(sketch, bits >>> 20, weight);
  }
  return normaliseVector(sketch);
}

/** `bits`: nine of slot, one of sign. */
function add(sketch: Float32Array, bits: number, weight: number): void {
  const slot = bits & 0x1ff;
  sketch[slot] = (sketch[slot] ?? 0) + (bits & 0x200 ? weight : -weight);
}

/**
 * The recipe of stored vectors. A vector of another version cannot be compared: raise it with any change of the sketch,
 * of these weights or of how they are used. The weights were measured on talk between people and on work with an
 * assistant.
 */
export const vectorRecipe = {
  version: 1,
  sketchDimensions,
  /** The weight of assistants' texts: they are long and touch every topic, and searches are for people's own words. */
  assistantLength: 0.7,
  /** The share of the turn before and of the turn after that is added, where neighbours are given. */
  neighbourShare: 0.2,
} as const;

/** The text that is indexed of a memory, as words and as meaning: it includes the speaker, as questions name people. */
export function indexedText(text: string, speaker: string | undefined | null): string {
  return speaker && !text.toLowerCase().includes(speaker.toLowerCase()) ? `${speaker}: ${text}` : text;
}

/** Words and meaning of one text, each of length 1. A meaning of zeros: the model was not there. */
export interface TextVectors {
  readonly sketch: Float32Array;
  readonly meaning: Float32Array;
}

/**
 * A memory's stored vector: [sketch | meaning], as long as the two. `neighbours` are the passages beside it in its
 * document, none by default: what is asked about a turn is often said in the one before it.
 */
export function documentVector(
  sketch: Float32Array,
  meaning: Float32Array,
  role: string,
  neighbours: readonly TextVectors[] = [],
): Float32Array {
  const length = role === 'assistant' ? vectorRecipe.assistantLength : 1;
  const vector = new Float32Array(vectorRecipe.sketchDimensions + meaning.length);
  addScaled(vector, { sketch, meaning }, length);
  for (const neighbour of neighbours) addScaled(vector, neighbour, length * vectorRecipe.neighbourShare);
  return vector;
}

/** The share of words beside meaning in a query. Stored vectors do not depend on it. */
const queryWordShare = 0.5;

/**
 * Makes the vector of a query, of length 1, of the sketch of its words, which must be made with idf weights, and its
 * meaning. Where the meaning is all zeros, it has the words alone.
 */
export function queryVector(sketch: Float32Array, meaning: Float32Array): Float32Array {
  const vector = new Float32Array(vectorRecipe.sketchDimensions + meaning.length);
  vector.set(normaliseVector(sketch.slice()).map((value) => value * queryWordShare));
  vector.set(normaliseVector(meaning.slice()), vectorRecipe.sketchDimensions);
  return normaliseVector(vector);
}

function addScaled(vector: Float32Array, { sketch, meaning }: TextVectors, scale: number): void {
  for (const [at, value] of normaliseVector(sketch.slice()).entries()) vector[at] = (vector[at] ?? 0) + scale * value;
  for (const [n, value] of normaliseVector(meaning.slice()).entries()) {
    const at = vectorRecipe.sketchDimensions + n;
    vector[at] = (vector[at] ?? 0) + scale * value;
  }
}

/** A space of comparable vectors: those that one model and one recipe made. */
export interface VectorSpace {
  readonly model: string;
  /** Numbers of meaning; those of words are the recipe's. */
  readonly dimensions: number;
  readonly recipe: number;
}

/** Words and no meaning. */
export const lexicalOnlySpace: VectorSpace = { model: 'none', dimensions: 0, recipe: vectorRecipe.version };

export const vectorSpaceOf = ({ model, dimensions }: { model: string; dimensions: number }): VectorSpace => ({
  model,
  dimensions,
  recipe: vectorRecipe.version,
});

/** The name that is stored with every vector. */
export const formatSpaceName = ({ model, dimensions, recipe: version }: VectorSpace) =>
  `${model}:${dimensions}/${version}`;

/** The space of a stored name. */
export function parseSpaceName(name: string): VectorSpace {
  const [, model, dimensions, version] = /^(.*):(\d+)\/(\d+)$/su.exec(name)!;
  return { model: model!, dimensions: Number(dimensions), recipe: Number(version) };
}

export const isSameSpace = (one: VectorSpace, other: VectorSpace) => formatSpaceName(one) === formatSpaceName(other);

/** Scales to length 1 in place; all zeros stay. */
export function normaliseVector(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const factor = 1 / Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * factor;
  return vector;
}
