import { memoryTypes, type Configuration } from '../configurations/configuration.ts';
import { confidences } from './confidences.ts';
import { allRules } from './rules/all-rules.ts';

type Settings = Pick<Configuration, 'confidence_threshold' | 'memory_types' | 'inference'>;

/**
 * Says which types no rule finds any more at this threshold: a rule has one measured confidence, so a threshold a little
 * higher than the surest switches a whole type off, and nothing else would tell.
 */
export function outOfReach({ confidence_threshold: threshold, memory_types, inference }: Settings): string[] {
  const kinds = memoryTypes.flatMap((type) => {
    const sure = allRules.filter((rule) => rule.type === type).map(({ name }) => confidences[name] ?? 0);
    if (sure.length === 0 || !memory_types.includes(type)) return [];
    return [{ type, of: sure.length, kept: sure.filter((each) => each >= threshold).length, most: Math.max(...sure) }];
  });
  const off = kinds.filter(({ kept }) => kept === 0).map(({ type }) => type);
  if (off.length === 0) return [];
  const left = inference.extraction === 'none' ? 'none would be kept' : 'only what a model finds would be kept';
  const figures = kinds.map(({ type, kept, of, most }) => `${type} ${kept} of ${of}, the surest has ${most}`);
  return [
    `no rule for ${new Intl.ListFormat('en').format(off)} reaches the confidence_threshold ${threshold}: ${left}. ` +
      `Rules that reach it: ${figures.join('; ')}`,
  ];
}
