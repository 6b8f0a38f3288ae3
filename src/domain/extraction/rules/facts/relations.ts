import { family, kin, name, pet, rx } from '../rule.ts';

const circle = `(?:\\p{Ll}+(?:-\\p{Ll}+)? ){0,2}(?:${kin}|${pet}|manager|boss|supervisor|team|landlord|landlady|doctor|dentist|therapist|teacher|coach|mentor|client|lawyer|accountant)`;
// A row of names ("my family, exercise and sleep, for sure") says nothing of them.
const verb = String.raw`\b(?:is|are|was|were|has|have|had|can|will|does|do|likes?|loves?|lives?|works?|keeps?|plays?|runs?|makes?|wants?|gave|got|went|came|made|told|said|taught|met|\p{Ll}+ed|\p{Ll}{2,}[^su\W]s)\b`;

/** The people and animals around the speaker. */
export const relations = family(
  { type: 'facts', name: 'relations', category: 'relations' },
  {
    hasKin: {
      pattern: rx(
        `^(?:I|we) (?:have|had|have got|expect) (?:an? |two |three |four |five |six |\\d+ |no |twin |one |several )(?:\\p{Ll}+ ){0,2}(?:${kin}|${pet})\\b`,
      ),
      strength: 0.88,
    },
    isParent: {
      pattern: rx(
        `^I am (?:an? )?(?:(?:single|proud|new|working|full-time|\\p{Ll}+-time) )?(?:mum|mom|mother|dad|father|parent|grandmother|grandfather|grandma|grandpa|widow|widower)(?= (?:of|to|with)\\b|,|$)`,
      ),
      strength: 0.88,
    },
    circle: { pattern: rx(`^my ${circle}(?:'s)?\\b,? .*${verb}`), strength: 0.8 },
    ourCircle: {
      pattern: rx(
        `^our (?!\\p{Ll}*(?: \\p{Ll}+)* ?(?:kids|children|family|team|friends|parents)\\b)${circle}(?:'s)?\\b,? .*${verb}`,
      ),
      strength: 0.8,
    },
    namedKin: { pattern: rx(`^${name} is (?:my|our) \\p{L}+`), strength: 0.88 },
    events: {
      pattern: rx(
        `^(?:I|we) (?:got|am getting|are getting) (?:married|engaged|divorced|separated)\\b|^(?:I|we) (?:adopted (?:an?|two|three|our|my|the)|married|am dating|met my|broke up)\\b`,
      ),
      strength: 0.85,
    },
  },
);
