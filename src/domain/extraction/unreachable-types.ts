import type { Configuration } from '../configurations/configuration.ts';

type Settings = Pick<Configuration, 'confidence_threshold' | 'memory_types' | 'inference'>;

/** The statement model is hardly ever surer, even of what is worth keeping. */
const surest = 0.95;

/** Says that a threshold is so high that hardly a statement reaches it: nothing else would tell. */
export function unreachableTypeWarnings({
  confidence_threshold: threshold,
  memory_types,
  inference,
}: Settings): string[] {
  const types = memory_types.filter((type) => type !== 'episodes');
  if (threshold <= surest || types.length === 0) return [];
  const remaining =
    inference.extraction === 'none' ? 'hardly any are kept' : 'hardly any but those a language model finds are kept';
  return [
    `statements hardly ever reach the confidence_threshold ${threshold}: ` +
      `of ${new Intl.ListFormat('en').format(types)}, ${remaining}`,
  ];
}
