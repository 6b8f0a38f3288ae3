import { after, allowed, anew, lasting, lead, noLonger, noNeed, stop } from './imperative-phrases.ts';
import { whole, type Form } from './form.ts';

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

const ways = (name: string, values: Form['values'], forms: Readonly<Record<string, Partial<Form>>>): Form[] =>
  Object.entries(forms).map(([source, form]) => ({
    name,
    pattern: whole(source, 'iu'),
    ...(values ? { values } : {}),
    ...form,
  }));

/**
 * How the user wants to be answered: in one language, at one length, in one layout. "Answer in detail" may be for once,
 * so it counts where a rule has found it to be standing.
 */
export const answerForms: readonly Form[] = [
  ...ways('answer language', undefined, {
    [`${lead}(?:speak|talk)(?: only)? ${language}(?: (?:to|with) me)${notAnother}${after}`]: {},
    [`${lead}${reply} (?:only |always )?in ${language}${notAnother}${after}`]: {},
    [`(?:please )?${lasting} (?:please )?write(?: to me)? in ${language}${notAnother}${after}`]: {},
    [`${prefer} ${answers} in ${language}${notAnother}${after}`]: {},
    [`(?:${stop}|${noNeed}) ${reply} in ${language}${noLonger}${after}`]: { sense: 'denies' },
  }),
  ...ways('answer length', lengths, {
    [`${lead}(?:keep|make) ${answers} ${adjective}${after}`]: {},
    [`${lead}keep ${answers} (?<value>${size})${after}`]: {},
    [`${lead}${reply} ${adverb}${after}`]: { needsRule: true },
    [`(?:${lead}(?:give|send|write) (?:me )?|${prefer} )(?:your )?${adjective} (?:answers|replies|responses|explanations)${after}`]:
      {},
    [`${answers} (?:can|may|should) be ${adjective}${after}`]: {},
  }),
  ...ways('answer layout', layouts, {
    [`(?:please )?${lasting} (?:please )?${inLayout}${after}`]: {},
    [`${lead}${reply} (?:only )?(?:in|with|as|using) ${layout}${after}`]: { needsRule: true },
    [`(?:${stop}|${noNeed}) ${inLayout}${noLonger}${after}`]: { sense: 'denies' },
    [`${allowed} ${inLayout}${after}`]: { sense: 'also', said: anew },
    [`(?<value>bullet points|bullets|bullet(?:ed)? lists) are (?:fine|ok|okay|allowed|welcome)${after}`]: {
      sense: 'also',
      said: anew,
    },
  }),
  ...ways('units', undefined, {
    [`${lead}use (?:the )?(?<value>metric|imperial)(?: units| system| measurements)${after}`]: {},
  }),
];
