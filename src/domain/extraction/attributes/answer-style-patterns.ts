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

const languages =
  'Afrikaans|Albanian|Arabic|Armenian|Basque|Bengali|Bulgarian|Cantonese|Catalan|Chinese|Croatian|Czech|Danish|Dutch|English|Esperanto|Estonian|Farsi|Filipino|Finnish|French|Galician|German|Greek|Gujarati|Hebrew|Hindi|Hungarian|Icelandic|Indonesian|Irish|Italian|Japanese|Korean|Latin|Latvian|Lithuanian|Malay|Mandarin|Norwegian|Persian|Polish|Portuguese|Punjabi|Romanian|Russian|Serbian|Slovak|Slovenian|Spanish|Swahili|Swedish|Tagalog|Tamil|Telugu|Thai|Turkish|Ukrainian|Urdu|Vietnamese|Welsh';
const language = `(?<value>(?:(?:American|Brazilian|British|Canadian|Mexican|Swiss) )?(?:${languages}))`;
const notAnother = `(?: only)?(?:,? (?:and )?(?:not|instead of|rather than)(?: in)? (?:${languages}))?`;

const reply = '(?:answer|reply|respond|speak|talk)(?:ing)?(?: to me| back)?';
const answers = '(?:your |all |the |my )*(?:answers|replies|responses|explanations)';
const prefer = 'I (?:want|need|prefer|would like|would prefer)';

const size = String.raw`(?:in|to|at|under|below|within|at most|up to|no (?:longer|more) than|less than) (?:an?|one|two|three|four|five|\d+) (?:short )?(?:words?|sentences?|paragraphs?|lines?)`;
const lengths = {
  short: /^(?:short|brief|concise|terse|succinct|to the point)/iu,
  long: /^(?:long|detailed|thorough|in-depth|comprehensive|extensive|at length|in )(?!.*(?:word|sentence|paragraph|line))/iu,
};
const adjective =
  '(?:(?:very|more|much|a bit) )*(?<value>short(?:er)?|brief(?:er)?|concise|terse|succinct|to the point|long(?:er)?|detailed|thorough|in-depth|comprehensive|extensive)(?:,? (?:and )?(?:clear|simple|to the point))?';
const adverb = `(?<value>briefly|concisely|succinctly|in (?:more |full |great )?detail|at length|in depth|${size})`;

const layouts = {
  bullets: /^bullet/iu,
  prose: /^(?:prose|full|para|run)/iu,
};
const layout = '(?<value>bullet points|bullets|bullet(?:ed)? lists|prose|full sentences|paragraphs|running text)';
const inLayout = `(?:us(?:e|ing)|(?:${reply}|writ(?:e|ing)) (?:only )?(?:in|with|as|using)) ${layout}`;

/**
 * How the user wants to be answered: in one language, at one length, in one layout. "Answer in detail" may be for once,
 * so it counts where a rule has found it to be standing.
 */
export const answerStylePatterns: readonly AttributePattern[] = [
  ...patternsOf({ name: 'answer language', flags: 'iu' }, [
    `${requestPrefixSource}(?:speak|talk)(?: only)? ${language}(?: (?:to|with) me)${notAnother}${requestSuffixSource}`,
    `${requestPrefixSource}${reply} (?:only |always )?in ${language}${notAnother}${requestSuffixSource}`,
    `(?:please )?${fromNowOnSource} (?:please )?write(?: to me)? in ${language}${notAnother}${requestSuffixSource}`,
    `${prefer} ${answers} in ${language}${notAnother}${requestSuffixSource}`,
    {
      source: `(?:${stopDoingSource}|${noNeedToSource}) ${reply} in ${language}${noLongerSource}${requestSuffixSource}`,
      sense: 'denies',
    },
  ]),
  ...patternsOf({ name: 'answer length', values: lengths, flags: 'iu' }, [
    `${requestPrefixSource}(?:keep|make) ${answers} ${adjective}${requestSuffixSource}`,
    `${requestPrefixSource}keep ${answers} (?<value>${size})${requestSuffixSource}`,
    { source: `${requestPrefixSource}${reply} ${adverb}${requestSuffixSource}`, needsRule: true },
    `(?:${requestPrefixSource}(?:give|send|write) (?:me )?|${prefer} )(?:your )?${adjective} (?:answers|replies|responses|explanations)${requestSuffixSource}`,
    `${answers} (?:can|may|should) be ${adjective}${requestSuffixSource}`,
    {
      source: `${permissionSource} (?:give|send|write|use) (?:me )?(?:your )?${adjective} (?:answers|replies|responses|explanations)${requestSuffixSource}`,
      said: againPattern,
    },
    {
      source: `${adjective} (?:answers|replies|responses|explanations) are (?:fine|ok|okay|welcome)${requestSuffixSource}`,
      said: againPattern,
    },
  ]),
  ...patternsOf({ name: 'answer layout', values: layouts, flags: 'iu' }, [
    `(?:please )?${fromNowOnSource} (?:please )?${inLayout}${requestSuffixSource}`,
    {
      source: `${requestPrefixSource}${reply} (?:only )?(?:in|with|as|using) ${layout}${requestSuffixSource}`,
      needsRule: true,
    },
    {
      source: `(?:${stopDoingSource}|${noNeedToSource}) ${inLayout}${noLongerSource}${requestSuffixSource}`,
      sense: 'denies',
    },
    { source: `${permissionSource} ${inLayout}${requestSuffixSource}`, sense: 'also', said: againPattern },
    {
      source: `(?<value>bullet points|bullets|bullet(?:ed)? lists) are (?:fine|ok|okay|allowed|welcome)${requestSuffixSource}`,
      sense: 'also',
      said: againPattern,
    },
  ]),
  ...patternsOf({ name: 'units', flags: 'iu' }, [
    `${requestPrefixSource}use (?:the )?(?<value>metric|imperial)(?: units| system| measurements)${requestSuffixSource}`,
  ]),
];
