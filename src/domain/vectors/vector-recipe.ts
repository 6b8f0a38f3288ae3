import { normaliseVector, sketchDimensions } from './sketch.ts';

/** Numbers in a meaning vector of the shipped model. */
const meaningDimensions = 384;

/**
 * How stored vectors are made. A vector of another version cannot be compared: raise it with any change here. The
 * weights were measured on talk between people and on work with an assistant.
 */
export const vectorRecipe = {
  version: 1,
  sketchDimensions,
  /** The dimensions of the shipped model; other models bring their own. */
  meaningDimensions,
  /** Query-side weights of words and of meaning in the score of `fast`. */
  sketchWeight: 1,
  meaningWeight: 1,
  /**
   * The weight of assistants' texts: they are long and touch every topic, while people's own words are what is searched
   * for.
   */
  assistantLength: 0.7,
  /** How much of the turn before and of the turn after is added, where neighbours are given. */
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

/** `sketch` must be made with idf weights. */
export function queryVector(sketch: Float32Array, meaning: Float32Array): Float32Array {
  const vector = new Float32Array(vectorRecipe.sketchDimensions + meaning.length);
  vector.set(
    normaliseVector(sketch.slice()).map((value) => value * vectorRecipe.sketchWeight),
    0,
  );
  vector.set(
    normaliseVector(meaning.slice()).map((value) => value * vectorRecipe.meaningWeight),
    vectorRecipe.sketchDimensions,
  );
  return vector;
}

function addScaled(vector: Float32Array, { sketch, meaning }: TextVectors, scale: number): void {
  for (const [at, value] of normaliseVector(sketch.slice()).entries()) vector[at] = (vector[at] ?? 0) + scale * value;
  for (const [n, value] of normaliseVector(meaning.slice()).entries()) {
    const at = vectorRecipe.sketchDimensions + n;
    vector[at] = (vector[at] ?? 0) + scale * value;
  }
}
