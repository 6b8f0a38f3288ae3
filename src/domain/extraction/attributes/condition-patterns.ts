import { patternsOf, type AttributePattern } from './attribute-pattern.ts';
import { anyMoreSource } from './value-patterns.ts';

const words = String.raw`[\p{L}'-]+(?: [\p{L}'-]+){0,2}?`;
const list = /\b(?:and|or|but|to|of|in|at|if|it|that|this|them|any|many|some|few|most|certain|not)\b/iu;

// States whose bare negation is news: "I am not a smoker" is, "I am not a robot" is not.
const known = '(?:an? )?(?:vegetarian|vegan|pescatarian|c(?:o?)eliac|diabetic|smoker|student|teetotall?er)';
const one = `an? ${words}`;
const vague = /\b(?:bit|little|lot|fan|few|mess|person|member|good|great|bad|better|big|huge|new)\b/iu;

/** Allergies and other states of the speaker: to have one and not to have it are values of one attribute. */
export const conditionPatterns: readonly AttributePattern[] = [
  ...patternsOf({ name: 'allergy to $', isStemmed: true, except: list }, [
    {
      value: 'yes',
      source: `I am (?:very |also |badly |severely |deadly )?allergic to (?<of>${words})`,
      needsRule: true,
    },
    { value: 'yes', source: `I have an? (?:bad |severe )?(?<of>${words}) allergy`, needsRule: true },
    {
      value: 'no',
      source: `I am (?:not|no longer) allergic to (?<of>${words})(?:${anyMoreSource}| after all| at all)?`,
    },
    { value: 'no', source: `I do not have an? (?<of>${words}) allergy(?:${anyMoreSource}| after all)?` },
    { value: 'no', source: `I (?:have )?(?:outgrew|outgrown) my (?<of>${words}) allergy` },
  ]),
  ...patternsOf({ name: 'being $', isStemmed: true, except: new RegExp(`${list.source}|${vague.source}`, 'iu') }, [
    { value: 'yes', source: `I am (?<of>${known})` },
    { value: 'yes', source: `I am (?<of>${one})`, needsRule: true },
    { value: 'no', source: `I am (?:not|no longer) (?<of>${known})(?:${anyMoreSource}| after all)?` },
    { value: 'no', source: `I am not (?<of>${one})${anyMoreSource}` },
    { value: 'no', source: `I am no longer (?<of>${one})` },
    { value: 'yes', source: `I used to be (?<of>${known}|${one})`, sense: 'ends' },
  ]),
];
