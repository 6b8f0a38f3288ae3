/** The pronoun of somebody whom a word tells to be a man or a woman. */
export type Gender = 'he' | 'she';

type Kind = 'partner' | 'family' | 'companion' | 'post' | 'occupation';
/**
 * "single": one has at most one of it at a time. "owned": the word means somebody only behind "my" or "your", as
 * "patient" does.
 */
type Trait = Gender | 'single' | 'owned';

/** Words for somebody by their relation: the plain one first, "_" for a space, and what is true of all of them. */
const rows: readonly (readonly [words: string, kind: Kind, ...traits: Trait[]])[] = [
  ['mother mom mum mommy mummy mama', 'family', 'single', 'she'],
  ['mother ma', 'family', 'single', 'she', 'owned'],
  ['father dad daddy papa', 'family', 'single', 'he'],
  ['father pa', 'family', 'single', 'he', 'owned'],
  ['grandmother grandma granny nana', 'family', 'single', 'she'],
  ['grandfather grandpa granddad', 'family', 'single', 'he'],
  ['sister', 'family', 'single', 'she'],
  ['sister sis', 'family', 'single', 'she', 'owned'],
  ['brother', 'family', 'single', 'he'],
  ['brother bro', 'family', 'single', 'he', 'owned'],
  ['son', 'family', 'single', 'he'],
  ['daughter', 'family', 'single', 'she'],
  ['grandson', 'family', 'single', 'he'],
  ['granddaughter', 'family', 'single', 'she'],
  ['baby', 'family', 'single', 'owned'],
  ['aunt auntie', 'family', 'single', 'she'],
  ['uncle', 'family', 'single', 'he'],
  ['niece', 'family', 'single', 'she'],
  ['nephew', 'family', 'single', 'he'],
  ['mother-in-law mother_in_law', 'family', 'single', 'she'],
  ['father-in-law father_in_law', 'family', 'single', 'he'],
  ['sister-in-law sister_in_law', 'family', 'single', 'she'],
  ['brother-in-law brother_in_law', 'family', 'single', 'he'],
  ['cousin', 'family'],
  ['wife wifey', 'partner', 'single', 'she'],
  ['husband hubby', 'partner', 'single', 'he'],
  ['partner spouse', 'partner', 'single'],
  ['girlfriend', 'partner', 'single', 'she'],
  ['boyfriend', 'partner', 'single', 'he'],
  ['fiancé fiance', 'partner', 'single', 'he'],
  ['fiancée fiancee', 'partner', 'single', 'she'],
  ['best_friend', 'companion', 'single'],
  ['roommate flatmate', 'companion', 'single'],
  ['colleague coworker', 'companion'],
  ['neighbor neighbour', 'companion'],
  ['friend', 'companion'],
  ['classmate', 'companion'],
  ['buddy', 'companion', 'owned'],
  ['manager boss supervisor line_manager', 'post', 'single'],
  ['team_lead', 'post', 'single'],
  ['doctor gp GP', 'post', 'single'],
  ['dentist', 'post', 'single'],
  ['therapist', 'post', 'single'],
  ['landlord', 'post', 'single'],
  ['landlord landlady', 'post', 'single', 'she'],
  ['lawyer', 'post', 'single'],
  ['accountant', 'post', 'single'],
  ['mentor', 'post', 'single'],
  ['agent', 'post', 'single', 'owned'],
  ['coach', 'post', 'single'],
  ['assistant', 'post', 'single'],
  ['teacher', 'occupation'],
  ['professor', 'occupation'],
  ['student', 'occupation'],
  ['client', 'occupation'],
  ['patient', 'occupation', 'owned'],
];

interface PersonWord {
  readonly word: string;
  readonly plain: string;
  readonly kind: Kind;
  readonly traits: readonly Trait[];
}

const personWords: readonly PersonWord[] = rows.flatMap(([words, kind, ...traits]) => {
  const all = words.split(' ').map((word) => word.replaceAll('_', ' '));
  return all.map((word) => ({ word, plain: all[0]!, kind, traits }));
});
const byWord = new Map(personWords.toReversed().map((each) => [each.word, each]));
const wordIn = (said: string): PersonWord | undefined => byWord.get(said.toLowerCase());

/** The plain word of a role: "mother" for "Mum". */
export const plainRole = (said: string): string => wordIn(said)?.plain ?? said.toLowerCase();

/** Whether people have at most one of this role at a time, so that it is the same person wherever it is said. */
export const isSingleRole = (said: string): boolean => wordIn(said)?.traits.includes('single') ?? false;

const titles: Readonly<Record<string, Gender>> = { mr: 'he', mrs: 'she', ms: 'she', miss: 'she', lady: 'she' };

/** The gender that a title or a word of kinship, in lower case, tells. */
export const genderOfWord = (word: string): Gender | undefined =>
  titles[word] ?? wordIn(word)?.traits.find((trait) => trait === 'he' || trait === 'she');

const sourceOf = (isMeant: (word: PersonWord) => boolean): string =>
  personWords
    .filter(isMeant)
    .map(({ word }) => word)
    // The longest first: "mother-in-law" before "mother".
    .toSorted((a, b) => b.length - a.length)
    .join('|');
const ofKinds = (...kinds: readonly Kind[]) =>
  sourceOf(({ kind, traits }) => kinds.includes(kind) && !traits.includes('owned'));

/** Matches any of the words, behind "my" or "your". */
export const ownedRoleSource = sourceOf(() => true);
/** Matches relatives, partners, friends and those whom one lives or works beside. */
export const kinshipSource = ofKinds('partner', 'family', 'companion');
export const partnerSource = ofKinds('partner');
/** Matches roles that people have one of each: a manager, a dentist. */
export const postSource = ofKinds('post');
export const occupationSource = ofKinds('post', 'occupation');
