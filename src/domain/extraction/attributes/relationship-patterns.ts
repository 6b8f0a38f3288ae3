import { notPersonPattern, properNounSource, trailingDetailSource } from './value-patterns.ts';
import { wholeMatch, type AttributePattern } from './attribute-pattern.ts';

const named = String.raw`(?<of>\p{Lu}[\p{L}'-]+)`;
const pet =
  'dogs?|cats?|pupp(?:y|ies)|kittens?|horses?|pon(?:y|ies)|parrots?|budgies?|rabbits?|hamsters?|guinea pigs?|gerbils?|ferrets?|tortoises?|turtle|goldfish|fish|birds?|chickens?|hens|pets?|beagles?|labradors?|labradoodles?|retrievers?|terriers?|spaniels?|collies?|poodles?|cockapoos?|dachshunds?|whippets?|greyhounds?|huskies|husky|bulldogs?|pugs?|corgis?|chihuahuas?|rottweilers?|dalmatians?|shepherds|shepherd dog|tabby|ragdoll';
const partner = '(?:partner|boyfriend|girlfriend|husband|wife|fianc[ée]e?|spouse)';
const kin = `(?:${partner}|mother|father|mum|mom|dad|sister|brother|son|daughter|friend|cousin|uncle|aunt)`;
const animal = `(?:\\p{Ll}+ )?(?:${pet})`;

// By the name alone: who broke up with Tim has no less a flatmate Tom.
const couples = [
  { value: 'together', source: `(?:I|we) have an? (?:new )?${partner}(?:,| called| named) ${named}` },
  { value: 'together', source: `my (?:new )?${partner} is(?: called| named)? ${named}` },
  { value: 'together', source: `${named} is my (?:new )?${partner}` },
  {
    value: 'together',
    source: `${named} and I (?:are (?:dating|engaged|a couple|together|married)|got (?:engaged|married|back together))`,
  },
  { value: 'apart', source: `${named} and I (?:have )?(?:broke|broken|split|are splitting) up${trailingDetailSource}` },
  { value: 'apart', source: `${named} and I (?:are|got|have) (?:divorced|separated)${trailingDetailSource}` },
  { value: 'apart', source: `${named} and I are no longer (?:dating|engaged|a couple|together|married)` },
  { value: 'apart', source: `I (?:have )?(?:broke|broken|split) up with ${named}${trailingDetailSource}` },
  {
    value: 'apart',
    source: `(?:my (?:boyfriend|girlfriend|partner) )?${named} (?:broke up with|left|dumped) me${trailingDetailSource}`,
  },
].map(({ source, ...form }) => ({
  name: 'being with $',
  pattern: wholeMatch(source),
  except: notPersonPattern,
  isEvent: form.value === 'apart',
  ...form,
}));

const animals = [
  { value: 'alive', source: `(?:I|we) (?:have|got|adopted) an? ${animal}(?:,| called| named) ${named}` },
  { value: 'alive', source: `(?:my|our) ${animal} is (?:called|named) ${named}` },
  { value: 'alive', source: `(?:my|our) ${animal}'s name is ${named}` },
  {
    value: 'dead',
    source: `(?:(?:my|our) ${animal} )?${named} (?:died|passed away|has died|has passed away|was put down)${trailingDetailSource}`,
  },
  { value: 'dead', source: `(?:I|we) had to put (?:(?:my|our) ${animal} )?${named} down${trailingDetailSource}` },
].map(({ source, ...form }) => ({
  name: 'life of $',
  pattern: wholeMatch(source),
  except: notPersonPattern,
  isEvent: form.value === 'dead',
  ...form,
}));

const company = `(?<value>${properNounSource})`;
// There may be two Toms, and two jobs: it takes a "now" to replace one.
const employers = [
  { source: `my ${kin} ${named} works (?:at|for) ${company}${trailingDetailSource}`, sense: 'yields' as const },
  { source: `(?:my ${kin} )?${named} works (?:at|for) ${company}${trailingDetailSource}`, said: /\bnow\b/iu },
  {
    source: `(?:my ${kin} )?${named} (?:has )?(?:started|got) a new job (?:at|with) ${company}${trailingDetailSource}`,
  },
  {
    source: `(?:my ${kin} )?${named} (?:no longer works|does not work) (?:at|for) ${company}(?: any ?more| any longer)?`,
    sense: 'denies' as const,
  },
  {
    source: `(?:my ${kin} )?${named} (?:has )?(?:quit|left) (?:(?:his|her|their) job at )?${company}${trailingDetailSource}`,
    sense: 'ends' as const,
    isEvent: true,
    needsRule: true,
  },
].map(({ source, ...form }) => ({ name: 'employer of $', pattern: wholeMatch(source), ...form }));

/** Attributes of other people, told by name. */
export const relationshipPatterns: readonly AttributePattern[] = [...couples, ...animals, ...employers];
