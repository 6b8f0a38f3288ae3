import { wholeMatch, type AttributePattern } from './attribute-pattern.ts';

const words = String.raw`[\p{L}'-]+(?: [\p{L}'-]+){0,2}?`;
const noLonger = '(?: any ?more| any longer)';
const list = /\b(?:and|or|but|to|of|in|at|if|it|that|this|them|any|many|some|few|most|certain|not)\b/iu;

/** Allergies, one by one: to have one and not to have it are two values of one attribute. */
const allergies = [
  {
    value: 'yes',
    source: `I am (?:very |also |badly |severely |deadly )?allergic to (?<of>${words})`,
    needsRule: true,
  },
  { value: 'yes', source: `I have an? (?:bad |severe )?(?<of>${words}) allergy`, needsRule: true },
  { value: 'no', source: `I am (?:not|no longer) allergic to (?<of>${words})(?:${noLonger}| after all| at all)?` },
  { value: 'no', source: `I do not have an? (?<of>${words}) allergy(?:${noLonger}| after all)?` },
  { value: 'no', source: `I (?:have )?(?:outgrew|outgrown) my (?<of>${words}) allergy` },
].map(({ source, ...form }) => ({
  name: 'allergy to $',
  pattern: wholeMatch(source),
  isStemmed: true,
  except: list,
  ...form,
}));

// States whose bare negation is news: "I am not a smoker" is, "I am not a robot" is not.
const known = '(?:an? )?(?:vegetarian|vegan|pescatarian|c(?:o?)eliac|diabetic|smoker|student|teetotall?er)';
const one = `an? ${words}`;
const vague = /\b(?:bit|little|lot|fan|few|mess|person|member|good|great|bad|better|big|huge|new)\b/iu;

/** States of the speaker, one by one. */
const being = [
  { value: 'yes', source: `I am (?<of>${known})` },
  { value: 'yes', source: `I am (?<of>${one})`, needsRule: true },
  { value: 'no', source: `I am (?:not|no longer) (?<of>${known})(?:${noLonger}| after all)?` },
  { value: 'no', source: `I am not (?<of>${one})${noLonger}` },
  { value: 'no', source: `I am no longer (?<of>${one})` },
  { value: 'yes', source: `I used to be (?<of>${known}|${one})`, sense: 'ends' as const },
].map(({ source, ...form }) => ({
  name: 'being $',
  pattern: wholeMatch(source),
  isStemmed: true,
  except: new RegExp(`${list.source}|${vague.source}`, 'iu'),
  ...form,
}));

/** Allergies and other states of the speaker, each by itself. */
export const conditionPatterns: readonly AttributePattern[] = [...allergies, ...being];
