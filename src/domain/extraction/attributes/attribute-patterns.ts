import { valuePatterns } from './value-patterns.ts';
import { answerStylePatterns } from './answer-style-patterns.ts';
import { endingPatterns } from './ending-patterns.ts';
import type { AttributePattern } from './attribute-pattern.ts';
import { namePatterns, instructionPatterns } from './instruction-patterns.ts';
import { relationshipPatterns } from './relationship-patterns.ts';
import { conditionPatterns } from './condition-patterns.ts';
import { otherLanguagesPatterns } from './other-languages-patterns.ts';
import { likingPatterns } from './liking-patterns.ts';
import { datePatterns } from './date-patterns.ts';

/** Every way of stating an attribute that we take for one; the first that fits decides. */
export const attributePatterns: readonly AttributePattern[] = [
  ...valuePatterns,
  ...endingPatterns,
  ...namePatterns,
  ...answerStylePatterns,
  ...instructionPatterns,
  ...relationshipPatterns,
  ...datePatterns,
  ...conditionPatterns,
  ...likingPatterns,
  ...otherLanguagesPatterns,
];
