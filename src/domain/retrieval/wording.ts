import { isBareQuestion } from '../extraction/bare-question.ts';
import { oncePer } from '../flow/once-per.ts';

/** Properties of a text that its letters show. */
export interface TextWording {
  readonly asks: boolean;
  /** It asks in few words and says nothing. */
  readonly isBareQuestion: boolean;
  /** Letters that its stems are not told from at sight. */
  readonly isAccented: boolean;
  readonly hasThousands: boolean;
}

export const readWording = (text: string): TextWording => ({
  asks: text.includes('?'),
  isBareQuestion: isBareQuestion(text),
  isAccented: /[\u00c0-\u024f]/.test(text),
  hasThousands: /\d,\d/.test(text),
});

/** Kept as long as the rows are, which may be cached. */
export const cachedWordingOf = oncePer((row: { readonly text: string }) => readWording(row.text));
