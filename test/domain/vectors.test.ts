import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { embeddingDimensions } from '../../src/adapters/onnx-embedder/messages.ts';
import {
  termSketchOf,
  sketchDimensions,
  documentVector,
  indexedText,
  queryVector,
} from '../../src/domain/vectors/vector-recipe.ts';
import { countStems, stemsOf } from '../../src/domain/language/stems.ts';

const hash = (stem: string): bigint => createHash('sha256').update(stem).digest().readBigUInt64BE() >> 1n;
const terms = (text: string) => new Map([...countStems(stemsOf(text))].map(([stem, count]) => [hash(stem), count]));
const sketch = (text: string) => termSketchOf(terms(text));
const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
const nothing = new Float32Array(embeddingDimensions);
const meaning = Float32Array.from({ length: embeddingDimensions }, (_, at) => (at === 0 ? 1 : 0));

describe('a sketch', () => {
  test('has length 1, and none when nothing is said', () => {
    expect(dot(sketch('blue canoe'), sketch('blue canoe'))).toBeCloseTo(1);
    expect(sketch('').every((value) => value === 0)).toBe(true);
    expect(sketch('blue canoe')).toHaveLength(sketchDimensions);
  });

  test('is nearer to a text that shares more of its words', () => {
    const asked = sketch('blue canoe by the jetty');
    const [both, one, none] = ['a blue canoe', 'a blue tent', 'a green tent'].map((text) => dot(asked, sketch(text)));
    expect(both).toBeGreaterThan(one!);
    expect(one).toBeGreaterThan(none!);
  });

  test('gains less from each repetition', () => {
    const [once, often] = ['canoe trip', `${'canoe '.repeat(30)} trip`].map((text) =>
      dot(sketch('trip'), sketch(text)),
    );
    expect(often! / once!).toBeGreaterThan(0.3);
  });

  test('of a query follows the weights of its words', () => {
    const rare = hash(stemsOf('canoe')[0]!);
    const asked = termSketchOf(terms('blue canoe'), (term) => (term === rare ? 5 : 0.5));
    expect(dot(asked, sketch('canoe'))).toBeGreaterThan(2 * dot(asked, sketch('blue')));
  });
});

describe('a stored vector', () => {
  test('scores words and meaning together, and meaning twice as much', () => {
    const asked = queryVector(sketch('canoe'), meaning);
    const [both, words, meant] = [
      [sketch('canoe'), meaning],
      [sketch('canoe'), nothing],
      [sketch(''), meaning],
    ].map(([of, what]) => dot(asked, documentVector(of!, what!, 'user')));
    expect(meant).toBeCloseTo(2 * words!);
    expect(both).toBeCloseTo(words! + meant!);
  });

  test('without a model is found by its words alone', () => {
    const asked = queryVector(sketch('canoe'), nothing);
    expect(dot(asked, documentVector(sketch('canoe'), nothing, 'user'))).toBeCloseTo(1);
  });

  test('of an assistant stands behind the same words of a person', () => {
    const asked = queryVector(sketch('canoe'), meaning);
    const [person, assistant] = ['user', 'assistant'].map((role) =>
      dot(asked, documentVector(sketch('canoe'), meaning, role)),
    );
    expect(person).toBeGreaterThan(assistant!);
  });

  test('with neighbours is found by what they say, but less than by its own words', () => {
    const beside = { sketch: sketch('which boat did you take'), meaning };
    const answer = documentVector(sketch('the red canoe'), meaning, 'user', [beside]);
    const [own, theirs] = ['canoe', 'boat'].map((text) => dot(queryVector(sketch(text), nothing), answer));
    expect(theirs).toBeGreaterThan(0.05);
    expect(own).toBeGreaterThan(theirs!);
  });
});

test.each([
  {
    case: 'the speaker is indexed with the words',
    text: 'I sold the canoe',
    speaker: 'Ines',
    indexed: 'Ines: I sold the canoe',
  },
  { case: 'but not twice', text: 'Ines sold the canoe', speaker: 'Ines', indexed: 'Ines sold the canoe' },
  { case: 'and not when nobody is named', text: 'I sold it', speaker: null, indexed: 'I sold it' },
])('$case', ({ text, speaker, indexed }) => expect(indexedText(text, speaker)).toBe(indexed));
