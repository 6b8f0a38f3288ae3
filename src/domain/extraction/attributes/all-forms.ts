import { valueForms } from '../attribute-forms.ts';
import { endForms } from './ends.ts';
import type { Form } from './form.ts';

/** Every way of stating an attribute that we take for one; the first that fits decides. */
export const allForms: readonly Form[] = [...valueForms, ...endForms];
