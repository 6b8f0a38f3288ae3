import { attributeNamed } from './attributes.ts';
import { circle, meeting } from './attribute-forms.ts';
import type { Attribute } from './candidate.ts';

/** A way to ask for an attribute: the pattern covers a whole question. `name` as in `Form`. */
interface Question {
  readonly name: string;
  readonly pattern: RegExp;
}

const who = String.raw`(?:I|we|the user|(?<who>\p{L}[\p{L}-]+))`;
const whose = String.raw`(?:my|our|the user's|(?<who>\p{L}[\p{L}-]+)'s) (?:current |new )?`;
const now = '(?:currently |now |still |actually )?';
const be = '(?:is|am|are)';
const whole = (source: string): RegExp =>
  new RegExp(`^(?:(?:so|and|remind me|tell me),? )?${source}(?: now| at the moment| these days| again)?$`, 'iu');

const questions: readonly Question[] = [
  { name: 'residence', pattern: whole(`where (?:do|does|${be}) ${who} ${now}(?:live|living|based|located|reside)`) },
  { name: 'residence', pattern: whole(`(?:what|which) (?:city|town|country|place) (?:do|does) ${who} ${now}live in`) },
  { name: 'residence', pattern: whole(`what is ${whose}(?:home )?address`) },
  { name: 'employer', pattern: whole(`where (?:do|does|${be}) ${who} ${now}(?:work|working|employed)`) },
  {
    name: 'employer',
    pattern: whole(`(?:who|which company|what company) (?:do|does) ${who} ${now}work (?:for|at)`),
  },
  { name: 'employer', pattern: whole(`(?:who|what) is ${whose}employer`) },
  {
    name: '$phone',
    pattern: whole(`what is ${whose}(?<of>work |home |office )?(?:(?:mobile|cell|phone|telephone) )?number`),
  },
  {
    name: '$email',
    pattern: whole(`what is ${whose}(?<of>work |personal |private |business |school )?e-?mail(?: address)?`),
  },
  { name: '$', pattern: whole(`who is ${whose}(?<of>${circle})`) },
  { name: '$', pattern: whole(`what is ${whose}(?<of>${circle})(?:'s name| called)`) },
  {
    name: 'favourite $',
    pattern: whole(`(?:what|who) is ${whose}(?:all-time )?favourite (?<of>(?:\\p{L}+ ){0,2}\\p{L}+)`),
  },
  { name: 'age', pattern: whole(`how old ${be} ${who}`) },
  {
    name: 'car',
    pattern: whole(`(?:what|which)(?: (?:kind|sort|make) of)? car (?:do|does) ${who} ${now}(?:drive|have|own)`),
  },
  { name: 'day of $', pattern: whole(`(?:when|(?:what|which) day) ${be} (?<of>${meeting})`) },
];

/** The attribute whose value a question asks for, and nothing else; undefined when in any doubt. */
export function askedAttribute(question: string): Pick<Attribute, 'subject' | 'name'> | undefined {
  const plain = question
    .trim()
    .replace(/[?!.\s]+$/u, '')
    .replaceAll('’', "'")
    .replace(/\b(what|who|where|when|which day)'s\b/iu, '$1 is')
    .replace(/\bfavorite\b/iu, 'favourite');
  for (const { name, pattern } of questions) {
    const groups = pattern.exec(plain)?.groups;
    if (groups) return { subject: groups['who']?.toLowerCase() ?? 'user', name: attributeNamed(name, groups['of']) };
  }
  return undefined;
}
