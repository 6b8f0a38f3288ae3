import { postSource } from '../../language/person-words.ts';
import { attributeName } from './stated-attributes.ts';
import { meetingSource } from './value-patterns.ts';
import type { Attribute } from '../candidate.ts';
import { wholeMatch } from './attribute-pattern.ts';

/** A way to ask for an attribute: the pattern covers a whole question. `name` as in `AttributePattern`. */
interface Question {
  readonly name: string;
  /** The form in which the user tells it of somebody else; `$` stands for that person's name. */
  readonly ofOthers?: string;
  readonly pattern: RegExp;
}

/** The subject and name of an attribute that is asked for. */
export type AskedAttribute = Pick<Attribute, 'subject' | 'name'>;

const who = String.raw`(?:I|we|the user|(?<who>\p{L}[\p{L}-]+))`;
const whose = String.raw`(?:my|our|the user's|(?<who>\p{L}[\p{L}-]+)'s) (?:current |new )?`;
const now = '(?:currently |now |still |actually )?';
const be = '(?:is|am|are)';
const question = (source: string): RegExp =>
  wholeMatch(`(?:(?:so|and|remind me|tell me),? )?${source}(?: now| at the moment| these days| again)?`, 'iu');

const questions: readonly Question[] = [
  { name: 'residence', pattern: question(`where (?:do|does|${be}) ${who} ${now}(?:live|living|based|located|reside)`) },
  {
    name: 'residence',
    pattern: question(`(?:what|which) (?:city|town|country|place) (?:do|does) ${who} ${now}live in`),
  },
  { name: 'residence', pattern: question(`what is ${whose}(?:home )?address`) },
  {
    name: 'employer',
    ofOthers: 'employer of $',
    pattern: question(`where (?:do|does|${be}) ${who} ${now}(?:work|working|employed)`),
  },
  {
    name: 'employer',
    ofOthers: 'employer of $',
    pattern: question(`(?:who|which company|what company) (?:do|does) ${who} ${now}work (?:for|at)`),
  },
  { name: 'employer', ofOthers: 'employer of $', pattern: question(`(?:who|what) is ${whose}employer`) },
  {
    name: '$phone',
    pattern: question(`what is ${whose}(?<of>work |home |office )?(?:(?:mobile|cell|phone|telephone) )?number`),
  },
  {
    name: '$email',
    pattern: question(`what is ${whose}(?<of>work |personal |private |business |school )?e-?mail(?: address)?`),
  },
  { name: 'name', pattern: question(`what is ${whose}(?:first |full )?name`) },
  { name: '$', pattern: question(`who is ${whose}(?<of>${postSource})`) },
  { name: '$', pattern: question(`what is ${whose}(?<of>${postSource})(?:'s name| called)`) },
  {
    name: 'favourite $',
    pattern: question(`(?:what|who) is ${whose}(?:all-time )?favourite (?<of>(?:\\p{L}+ ){0,2}\\p{L}+)`),
  },
  { name: 'age', pattern: question(`how old ${be} ${who}`) },
  {
    name: 'car',
    pattern: question(`(?:what|which)(?: (?:kind|sort|make) of)? car (?:do|does) ${who} ${now}(?:drive|have|own)`),
  },
  { name: 'day of $', pattern: question(`(?:when|(?:what|which) day) ${be} (?<of>${meetingSource})`) },
];

/** The attributes that a question asks for, if it asks for nothing else; none when in any doubt. */
export function askedAttributes(text: string): AskedAttribute[] {
  const plain = text
    .trim()
    .replace(/[?!.\s]+$/u, '')
    .replaceAll('’', "'")
    .replace(/\b(what|who|where|when|which day)'s\b/iu, '$1 is')
    .replace(/\bfavorite\b/iu, 'favourite');
  for (const { name, ofOthers, pattern } of questions) {
    const groups = pattern.exec(plain)?.groups;
    if (!groups) continue;
    const named = groups['who']?.toLowerCase();
    const own = { subject: named ?? 'user', name: attributeName(name, groups['of']) };
    return named && ofOthers ? [own, { subject: 'user', name: attributeName(ofOthers, named) }] : [own];
  }
  return [];
}
