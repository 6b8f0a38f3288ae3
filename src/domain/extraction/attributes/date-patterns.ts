import { placeNameSource } from './value-patterns.ts';
import { wholeMatch, type AttributePattern } from './attribute-pattern.ts';

const kind =
  'meeting|call|interview|appointment|lesson|session|review|check-in|lunch|dinner|flight|train|surgery|operation|exam|wedding|date|class|viewing|delivery|party|trip';
const occasion = String.raw`(?:my|our|the) (?<of>(?:[\p{L}'-]+ ){0,2}?(?:${kind})(?: (?:with|to|at|about|for|from) (?:(?:my|our|the) )?[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2})?)`;
// Whoever says "my flight" has only one ahead; there may be two meetings with Lee, so it takes "moved" to replace one.
const only = String.raw`(?:my|our) (?<of>flight|surgery|operation|wedding)`;
const time = '(?:on |at |for |to )?(?<value>.{3,40})';
const moved = '(?:moved|rescheduled|shifted|changed|postponed|pushed(?: back)?|brought forward|delayed)';

const dated: readonly AttributePattern[] = [
  { pattern: wholeMatch(`${only} is (?:(?:booked|scheduled|set) )?${time}`) },
  { pattern: wholeMatch(`${occasion} is (?:(?:booked|scheduled|set) )?${time}`), sense: 'yields' as const },
  {
    pattern: wholeMatch(
      `${occasion} (?:has been |have been |is |was |got |has )?${moved}(?: from .{3,30}?)? (?:to|until|till) (?<value>.{3,40})`,
    ),
  },
  { pattern: wholeMatch(`(?:I|we) (?:have )?${moved} ${occasion}(?: from .{3,30}?)? to (?<value>.{3,40})`) },
].map((form) => ({ name: 'day of $', isTime: true, isAhead: true, needsRule: true, ...form }));

const trip = '(?:trip|holiday|vacation|visit|journey|flight)';
const by = '(?:going|travell?ing|flying|heading)';
const calledOff = '(?:cancell?ed|called off|scrapped|had to cancel)';
const further = '(?:,? (?:in|on|for|with|next|this|from|at|over|by|soon)\\b.*)?';

const trips: readonly AttributePattern[] = [
  {
    value: 'on',
    source: `(?:I|we) (?:am|are) ${by} (?:back )?to (?<of>${placeNameSource})${further}`,
    needsRule: true,
  },
  {
    value: 'on',
    source: `(?:I|we) (?:have )?(?:booked|planned) (?:an?|our|my|the) ${trip} to (?<of>${placeNameSource})${further}`,
    needsRule: true,
  },
  { value: 'off', source: `(?:I|we) (?:have )?${calledOff} (?:my|our|the) ${trip} to (?<of>${placeNameSource})` },
  { value: 'off', source: `(?:I|we) (?:have )?${calledOff} (?:my|our|the) (?<of>${placeNameSource}) ${trip}` },
  {
    value: 'off',
    source: `(?:I|we) (?:am|are) not ${by} to (?<of>${placeNameSource}) (?:after all|any ?more|any longer)`,
  },
  { value: 'off', source: `(?:my|our|the) (?<of>${placeNameSource}) ${trip} (?:is|was|has been|got) ${calledOff}` },
  { value: 'off', source: `(?:my|our|the) ${trip} to (?<of>${placeNameSource}) (?:is|was|has been|got) ${calledOff}` },
].map(({ source, ...form }) => ({
  name: 'going to $',
  isAhead: true,
  isEvent: form.value === 'off',
  pattern: wholeMatch(source),
  ...form,
}));

/** When what is ahead takes place, and whether. */
export const datePatterns: readonly AttributePattern[] = [...dated, ...trips];
