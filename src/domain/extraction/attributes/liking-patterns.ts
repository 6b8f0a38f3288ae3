import { patternsOf, type AttributePattern } from './attribute-pattern.ts';
import { anyMoreSource } from './value-patterns.ts';

// The whole object, in few words: coffee "from the machine" is another thing than coffee.
const object = String.raw`(?<of>[\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+){0,3}?)`;
const adverb = '(?:(?:do|also|always|truly|totally|so|very|much) )*';
// A comparison, a list, a pronoun, a reason or a denial within it says less, or more, than that it is liked.
const unclear =
  /\b(?:and|or|but|than|as|more|most|less|least|better|best|worse|too|either|only|when|while|where|if|unless|because|after|before|since|without|over|how|what|who|that|this|these|those|it|them|him|her|you|your|yours|one|ones|not|no|never|being|to|today|yesterday|tonight|again|lately|first|any|anymore|longer)\b/iu;
const fond = '(?:(?:very |really )?(?:fond of|keen on|into)|an? (?:big |huge |great )?fan of)';
// "I do not like coffee right now" is of a day.
const lasting = /^(?!.*\b(?:right now|at the moment|currently)\b)/iu;

/** Likes and dislikes of the speaker, thing by thing: both are values of one attribute. */
export const likingPatterns: readonly AttributePattern[] = patternsOf(
  { name: 'taste for $', isStemmed: true, except: unclear, said: lasting },
  [
    { value: 'likes', source: `I (?:${adverb}(?:like|love|enjoy|adore)|am ${fond}) ${object}`, needsRule: true },
    {
      value: 'dislikes',
      source: `I (?:${adverb}(?:hate|dislike|detest|loathe|despise|cannot stand|cannot bear)|do not (?:much |even )?(?:like|enjoy|care for)|am not ${fond}) ${object}(?: at all)?`,
      needsRule: true,
    },
    {
      value: 'dislikes',
      source: `I (?:do not (?:\\p{Ll}+ )?(?:like|love|enjoy|care for)|am not ${fond}) ${object}${anyMoreSource}`,
    },
    {
      value: 'dislikes',
      source: `I (?:no longer (?:like|love|enjoy|care for)|am no longer ${fond}|have gone off) ${object}`,
    },
    { value: 'likes', source: `I used to (?:${adverb}(?:like|love|enjoy|adore)|be ${fond}) ${object}`, sense: 'ends' },
  ],
);
