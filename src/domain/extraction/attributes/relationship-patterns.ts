import { kinshipSource, partnerSource } from '../../language/person-words.ts';
import { anyMoreSource, employerSource, notPersonPattern, trailingDetailSource } from './value-patterns.ts';
import { patternsOf, type AttributePattern } from './attribute-pattern.ts';

const named = String.raw`(?<of>\p{Lu}[\p{L}'-]+)`;
const pet =
  'dogs?|cats?|pupp(?:y|ies)|kittens?|horses?|pon(?:y|ies)|parrots?|budgies?|rabbits?|hamsters?|guinea pigs?|gerbils?|ferrets?|tortoises?|turtle|goldfish|fish|birds?|chickens?|hens|pets?|beagles?|labradors?|labradoodles?|retrievers?|terriers?|spaniels?|collies?|poodles?|cockapoos?|dachshunds?|whippets?|greyhounds?|huskies|husky|bulldogs?|pugs?|corgis?|chihuahuas?|rottweilers?|dalmatians?|shepherds|shepherd dog|tabby|ragdoll';
const partner = `(?:${partnerSource})`;
const animal = `(?:\\p{Ll}+ )?(?:${pet})`;

/** Attributes of other people, told by name. */
export const relationshipPatterns: readonly AttributePattern[] = [
  // By the name alone: who broke up with Tim has no less a flatmate Tom.
  ...patternsOf({ name: 'being with $', value: 'together', except: notPersonPattern }, [
    `(?:I|we) have an? (?:new )?${partner}(?:,| called| named) ${named}`,
    `my (?:new )?${partner} is(?: called| named)? ${named}`,
    `${named} is my (?:new )?${partner}`,
    `${named} and I (?:are (?:dating|engaged|a couple|together|married)|got (?:engaged|married|back together))`,
  ]),
  ...patternsOf({ name: 'being with $', value: 'apart', except: notPersonPattern, isEvent: true }, [
    `${named} and I (?:have )?(?:broke|broken|split|are splitting) up${trailingDetailSource}`,
    `${named} and I (?:are|got|have) (?:divorced|separated)${trailingDetailSource}`,
    `${named} and I are no longer (?:dating|engaged|a couple|together|married)`,
    `I (?:have )?(?:broke|broken|split) up with ${named}${trailingDetailSource}`,
    `(?:my (?:boyfriend|girlfriend|partner) )?${named} (?:broke up with|left|dumped) me${trailingDetailSource}`,
  ]),
  ...patternsOf({ name: 'life of $', value: 'alive', except: notPersonPattern }, [
    `(?:I|we) (?:have|got|adopted) an? ${animal}(?:,| called| named) ${named}`,
    `(?:my|our) ${animal} is (?:called|named) ${named}`,
    `(?:my|our) ${animal}'s name is ${named}`,
  ]),
  ...patternsOf({ name: 'life of $', value: 'dead', except: notPersonPattern, isEvent: true }, [
    `(?:(?:my|our) ${animal} )?${named} (?:died|passed away|has died|has passed away|was put down)${trailingDetailSource}`,
    `(?:I|we) had to put (?:(?:my|our) ${animal} )?${named} down${trailingDetailSource}`,
  ]),
  // There may be two Toms, and two jobs: it takes a "now" to replace one.
  ...patternsOf({ name: 'employer of $' }, [
    {
      source: `my (?:${kinshipSource}) ${named} works (?:at|for) ${employerSource}${trailingDetailSource}`,
      sense: 'yields',
    },
    {
      source: `(?:my (?:${kinshipSource}) )?${named} works (?:at|for) ${employerSource}${trailingDetailSource}`,
      said: /\bnow\b/iu,
    },
    `(?:my (?:${kinshipSource}) )?${named} (?:has )?(?:started|got) a new job (?:at|with) ${employerSource}${trailingDetailSource}`,
    {
      source: `(?:my (?:${kinshipSource}) )?${named} (?:no longer works|does not work) (?:at|for) ${employerSource}${anyMoreSource}?`,
      sense: 'denies',
    },
    {
      source: `(?:my (?:${kinshipSource}) )?${named} (?:has )?(?:quit|left) (?:(?:his|her|their) job at )?${employerSource}${trailingDetailSource}`,
      sense: 'ends',
      isEvent: true,
      needsRule: true,
    },
  ]),
];
