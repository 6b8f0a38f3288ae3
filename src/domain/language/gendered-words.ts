import { wordSet } from './word-set.ts';

/** The pronoun of somebody whom a word tells to be a man or a woman. */
export type Gender = 'he' | 'she';

const men = wordSet('mr father grandpa brother son husband boyfriend fiancé grandfather uncle nephew');
const women = wordSet(
  'mrs ms miss lady auntie grandma granny nana mother sister daughter wife girlfriend fiancée grandmother aunt niece landlady',
);

/** What a title or a word of kinship, in lower case, tells of whom it is for. */
export function genderOfWord(word: string): Gender | undefined {
  if (women.has(word)) return 'she';
  return men.has(word) ? 'he' : undefined;
}
