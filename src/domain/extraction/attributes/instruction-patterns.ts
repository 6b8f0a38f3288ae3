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
import { wholeMatch, type AttributePattern } from './attribute-pattern.ts';

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
export const instructionPatterns: readonly AttributePattern[] = [
  {
    pattern: wholeMatch(`(?:please,? )?(?:${fromNowOnSource} )?always ${thing}${requestSuffixSource}`, 'iu'),
    needsRule: true,
  },
  {
    pattern: wholeMatch(
      `(?:please,? )?${fromNowOnSource} (?:please )?(?!never|do not|no )${thing}${requestSuffixSource}`,
      'iu',
    ),
    needsRule: true,
  },
  {
    pattern: wholeMatch(`${stopDoingSource} ${thing}${noLongerSource}${requestSuffixSource}`, 'iu'),
    sense: 'denies' as const,
    needsRule: true,
  },
  {
    pattern: wholeMatch(
      `(?:${noNeedToSource}) (?=${served} )${thing}(?: any ?more| any longer)${requestSuffixSource}`,
      'iu',
    ),
    sense: 'denies' as const,
  },
  { pattern: wholeMatch(`you can stop (?=${served} )${thing}${requestSuffixSource}`, 'iu'), sense: 'denies' as const },
  {
    pattern: wholeMatch(`${permissionSource} (?=${served} )${thing}${requestSuffixSource}`, 'iu'),
    sense: 'also' as const,
    said: againPattern,
  },
  {
    pattern: wholeMatch(`(?<of>${feature}) (?:is|are) (?:fine|ok|okay|allowed|welcome)${requestSuffixSource}`, 'iu'),
    sense: 'also' as const,
    said: againPattern,
  },
].map((form) => ({ name: 'order to $', value: 'so', isStemmed: true, except: oneThing, ...form }));

const called = String.raw`(?<value>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2})`;
const callMe = '(?:call(?:ing)? me|address(?:ing)? me as|refer(?:ring)? to me as)';
const notThat = String.raw`(?:,? (?:and )?(?:not|instead of|rather than) \p{Lu}[\p{L}'-]+)?`;
const noName = /^(?:\p{L}+day|Back|Later|Tomorrow|At|On|When|If|Before|After|ASAP|Crazy|Old-fashioned)\b/u;
// "My name is Max" and "My name is Max Miller" are of one person: the first name decides.
const firstName = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?(?<value>\p{Lu}[\p{L}'-]+)(?: \p{Lu}[\p{L}'.-]+){0,3}`;

/** The user's own name. */
export const namePatterns: readonly AttributePattern[] = [
  {
    name: 'name',
    pattern: wholeMatch(`my (?:new )?(?:first |full |legal )?name is (?:called )?${firstName}${notThat}`),
  },
  { name: 'name', pattern: wholeMatch(`I (?:have )?changed my (?:first )?name to ${firstName}`) },
  { name: 'last name', pattern: wholeMatch(`my (?:new )?(?:last name|surname|family name) is ${firstName}${notThat}`) },
  {
    name: 'nickname',
    pattern: wholeMatch(
      `(?:${requestPrefixSource}|you can |everyone can )${callMe} ${called}${notThat}${requestSuffixSource}`,
    ),
    except: noName,
  },
  { name: 'nickname', pattern: wholeMatch(`I go by ${called}${notThat}`), except: noName },
  {
    name: 'nickname',
    pattern: wholeMatch(`${stopDoingSource} ${callMe} ${called}${noLongerSource}${requestSuffixSource}`),
    except: noName,
    sense: 'denies',
  },
];
