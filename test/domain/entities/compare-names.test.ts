import { expect, test } from 'vitest';
import { compareNames } from '../../../src/domain/entities/compare-names.ts';
import { normalName } from '../../../src/domain/entities/normal-name.ts';

const compare = (one: string, other: string, arePeople = true) => [
  compareNames(normalName(one), normalName(other), arePeople),
  compareNames(normalName(other), normalName(one), arePeople),
];

test.each([
  {
    case: 'a title and a suffix are no part of the name',
    names: ['Dr. Odile Brandt', 'Odile Brandt'],
    is: 'same-words',
  },
  { case: 'a nickname stands for its name', names: ['Bob Ferrars', 'Robert Ferrars'], is: 'nickname-and-family' },
  { case: 'two nicknames of one name', names: ['Bob', 'Robbie'], is: 'nickname' },
  { case: 'nicknames that only share one of their names', names: ['Bert', 'Bobby'], is: undefined },
  { case: 'a first name and the full one', names: ['Odile', 'Odile Brandt'], is: 'given-of-full' },
  { case: 'a nickname and the full name', names: ['Liz', 'Elizabeth Marsh'], is: 'nickname' },
  { case: 'a cut of the first name', names: ['Odi', 'Odile Brandt'], is: 'short-form' },
  { case: 'a cut that is a name of its own', names: ['Dan', 'Danika'], is: undefined },
  { case: 'an initial', names: ['O. Brandt', 'Odile Brandt'], is: 'initial-and-family' },
  { case: 'a doctor by the family name', names: ['Dr. Chen', 'Anna Chen'], is: 'title-and-family' },
  { case: 'a family name, which others have too', names: ['Mr. Chen', 'Anna Chen'], is: 'courtesy-and-family' },
  { case: 'a family name alone', names: ['Brandt', 'Odile Brandt'], is: 'family-of-full' },
  { case: 'an aunt is called by her first name', names: ['Aunt Jorun', 'Jorun Dahl'], is: 'given-of-full' },
  { case: 'a slip of the pen', names: ['Katarina Voss', 'Katerina Voss'], is: 'spelling' },
  { case: 'a first name that has two spellings', names: ['Jon Smith', 'John Smith'], is: 'variant-and-family' },
  { case: 'of another first letter', names: ['Katherine Jones', 'Catherine Jones'], is: 'variant-and-family' },
  { case: 'of other letters for a sound', names: ['Stephen Marsh', 'Steven Marsh'], is: 'variant-and-family' },
  { case: 'of two names that people have', names: ['Gabriel Marsh', 'Gabrielle Marsh'], is: 'variant-and-family' },
  { case: 'a doubled letter that is missing', names: ['Matthew Marsh', 'Mathew Marsh'], is: 'spelling' },
  { case: 'first names with Z and S', names: ['Zara Marsh', 'Sara Marsh'], is: 'contradiction' },
  { case: 'first names with F and V', names: ['Finn Marsh', 'Vin Marsh'], is: 'contradiction' },
  { case: 'first names with "ch" and C', names: ['Charlie Marsh', 'Carly Marsh'], is: 'contradiction' },
  { case: 'first names with "ch" and K', names: ['Chris Marsh', 'Kris Marsh'], is: 'variant-and-family' },
  { case: 'two first names that sound alike in part', names: ['Jan Marsh', 'Jane Marsh'], is: 'contradiction' },
  { case: 'an e-mail address', names: ['odile.brandt@example.org', 'Odile Brandt'], is: 'handle' },
  { case: 'a handle of an initial and the family', names: ['@obrandt', 'Odile Brandt'], is: 'handle' },
  { case: 'siblings', names: ['Odile Brandt', 'Jorun Brandt'], is: 'contradiction' },
  { case: 'two who share a first name', names: ['Odile Brandt', 'Odile Marsh'], is: 'contradiction' },
  { case: 'father and son', names: ['Paul Marsh Sr.', 'Paul Marsh Jr.'], is: 'contradiction' },
  { case: 'Mr and Mrs', names: ['Mr. Marsh', 'Mrs. Marsh'], is: 'contradiction' },
  { case: 'strangers', names: ['Odile', 'Jorun'], is: undefined },
])('$case', ({ names: [one, other], is }) => expect(compare(one!, other!)).toEqual([is, is]));

test.each([
  {
    case: 'a legal form is no part of the name',
    names: ['Larkfield Motors Ltd', 'Larkfield Motors'],
    is: 'same-words',
  },
  { case: 'the words in another order', names: ['Museum of Graz', 'Graz Museum'], is: 'same-words' },
  { case: 'a part of the name', names: ['Larkfield', 'Larkfield Motors'], is: 'part-of' },
  { case: 'its initials', names: ['NRB', 'Northern River Board'], is: 'acronym' },
  { case: 'a slip of the pen', names: ['Larkfeld Motors', 'Larkfield Motors'], is: 'spelling' },
  { case: 'others of the kind', names: ['Larkfield Motors', 'Quillon Motors'], is: undefined },
])('things: $case', ({ names: [one, other], is }) => expect(compare(one!, other!, false)).toEqual([is, is]));
