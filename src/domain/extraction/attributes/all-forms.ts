import { valueForms } from './values.ts';
import { answerForms } from './answers.ts';
import { endingForms } from './ending-patterns.ts';
import type { Form } from './form.ts';
import { nameForms, orderForms } from './orders.ts';
import { peopleForms } from './people.ts';
import { conditionForms } from './condition-patterns.ts';
import { tasteForms } from './tastes.ts';
import { timeForms } from './times.ts';

/** Every way of stating an attribute that we take for one; the first that fits decides. */
export const allForms: readonly Form[] = [
  ...valueForms,
  ...endingForms,
  ...nameForms,
  ...answerForms,
  ...orderForms,
  ...peopleForms,
  ...timeForms,
  ...conditionForms,
  ...tasteForms,
];
