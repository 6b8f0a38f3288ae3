import {
  requestSuffixSource,
  permissionSource,
  againPattern,
  fromNowOnSource,
  requestPrefixSource,
  noLongerSource,
  noNeedToSource,
  stopDoingSource,
} from './imperative-phrases.ts';
import { patternsOf, type AttributePattern } from './attribute-pattern.ts';
import { anyMoreSource, personNameSource } from './value-patterns.ts';

// Words that only say that something shall be there: what is forbidden with the one may be allowed with the other.
const having = '(?:(?:us(?:e|ing)|includ(?:e|ing)|add(?:ing)?|insert(?:ing)?|put(?:ting)?) )?';
const thing = `${having}(?<of>.+?)(?: in (?:all |any |your )*(?:answers|replies|responses|messages))?`;
// "Links are fine now" may tell of links; these are done by who answers.
const feature = 'bold|emojis?|exclamation marks|jokes|markdown|numbered lists|puns|sarcasm|slang|small talk|swearing';
// "You can try again" is leave for once; what a standing order is about is done to answers, or to the user.
const served =
  '(?:us(?:e|ing)|includ(?:e|ing)|add(?:ing)?|insert(?:ing)?|send(?:ing)?|call(?:ing)?|email(?:ing)?|remind(?:ing)?|suggest(?:ing)?|recommend(?:ing)?|mention(?:ing)?|mak(?:e|ing)|writ(?:e|ing)|show(?:ing)?)';
const oneThing =
  /^(?:it|that|this|the|them|these|those|him|her|\p{L}+ (?:it|that|this|the|them|these|those|him|her)\b)|\?/iu;

/** Each standing order by itself: forbidden, allowed again, ordered, or taken back. */
export const instructionPatterns: readonly AttributePattern[] = patternsOf(
  { name: 'order to $', value: 'so', isStemmed: true, except: oneThing, flags: 'iu' },
  [
    { source: `(?:please,? )?(?:${fromNowOnSource} )?always ${thing}${requestSuffixSource}`, needsRule: true },
    {
      source: `(?:please,? )?${fromNowOnSource} (?:please )?(?!never|do not|no )${thing}${requestSuffixSource}`,
      needsRule: true,
    },
    { source: `${stopDoingSource} ${thing}${noLongerSource}${requestSuffixSource}`, sense: 'denies', needsRule: true },
    { source: `(?:${noNeedToSource}) (?=${served} )${thing}${anyMoreSource}${requestSuffixSource}`, sense: 'denies' },
    { source: `you can stop (?=${served} )${thing}${requestSuffixSource}`, sense: 'denies' },
    { source: `${permissionSource} (?=${served} )${thing}${requestSuffixSource}`, sense: 'also', said: againPattern },
    {
      source: `(?<of>${feature}) (?:is|are) (?:fine|ok|okay|allowed|welcome)${requestSuffixSource}`,
      sense: 'also',
      said: againPattern,
    },
  ],
);

const called = `(?<value>${personNameSource})`;
const callMe = '(?:call(?:ing)? me|address(?:ing)? me as|refer(?:ring)? to me as)';
const notThat = String.raw`(?:,? (?:and )?(?:not|instead of|rather than) \p{Lu}[\p{L}'-]+)?`;
const noName = /^(?:\p{L}+day|Back|Later|Tomorrow|At|On|When|If|Before|After|ASAP|Crazy|Old-fashioned)\b/u;
// "My name is Max" and "My name is Max Miller" are of one person: the first name decides.
const firstName = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?(?<value>\p{Lu}[\p{L}'-]+)(?: \p{Lu}[\p{L}'.-]+){0,3}`;

/** The user's own name. */
export const namePatterns: readonly AttributePattern[] = [
  ...patternsOf({ name: 'name' }, [
    `my (?:new )?(?:first |full |legal )?name is (?:called )?${firstName}${notThat}`,
    `I (?:have )?changed my (?:first )?name to ${firstName}`,
  ]),
  ...patternsOf({ name: 'last name' }, [`my (?:new )?(?:last name|surname|family name) is ${firstName}${notThat}`]),
  ...patternsOf({ name: 'nickname', except: noName }, [
    `(?:${requestPrefixSource}|you can |everyone can )${callMe} ${called}${notThat}${requestSuffixSource}`,
    `I go by ${called}${notThat}`,
    { source: `${stopDoingSource} ${callMe} ${called}${noLongerSource}${requestSuffixSource}`, sense: 'denies' },
  ]),
];
