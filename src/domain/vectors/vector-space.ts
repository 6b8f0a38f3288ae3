import { vectorRecipe } from './vector-recipe.ts';

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
