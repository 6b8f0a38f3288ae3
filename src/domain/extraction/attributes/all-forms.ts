import { valueForms } from './values.ts';
import { answerForms } from './answers.ts';
import { endForms } from './ends.ts';
import type { Form } from './form.ts';
import { nameForms, orderForms } from './orders.ts';
import { peopleForms } from './people.ts';
import { stateForms } from './states.ts';
import { tasteForms } from './tastes.ts';
import { timeForms } from './times.ts';

/** Every way of stating an attribute that we take for one; the first that fits decides. */
export const allForms: readonly Form[] = [
  ...valueForms,
  ...endForms,
  ...nameForms,
  ...answerForms,
  ...orderForms,
  ...peopleForms,
  ...timeForms,
  ...stateForms,
  ...tasteForms,
];
