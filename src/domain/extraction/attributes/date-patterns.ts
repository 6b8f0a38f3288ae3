import { placeNameSource } from './value-patterns.ts';
import { patternsOf, type AttributePattern } from './attribute-pattern.ts';

const kind =
  'meeting|call|interview|appointment|lesson|session|review|check-in|lunch|dinner|flight|train|surgery|operation|exam|wedding|date|class|viewing|delivery|party|trip';
const occasion = String.raw`(?:my|our|the) (?<of>(?:[\p{L}'-]+ ){0,2}?(?:${kind})(?: (?:with|to|at|about|for|from) (?:(?:my|our|the) )?[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2})?)`;
// Whoever says "my flight" has only one ahead; there may be two meetings with Lee, so it takes "moved" to replace one.
const only = String.raw`(?:my|our) (?<of>flight|surgery|operation|wedding)`;
const time = '(?:on |at |for |to )?(?<value>.{3,40})';
const moved = '(?:moved|rescheduled|shifted|changed|postponed|pushed(?: back)?|brought forward|delayed)';

const trip = '(?:trip|holiday|vacation|visit|journey|flight)';
const by = '(?:going|travell?ing|flying|heading)';
const calledOff = '(?:cancell?ed|called off|scrapped|had to cancel)';
const further = '(?:,? (?:in|on|for|with|next|this|from|at|over|by|soon)\\b.*)?';

/** When what is ahead takes place, and whether. */
export const datePatterns: readonly AttributePattern[] = [
  ...patternsOf({ name: 'day of $', isTime: true, isAhead: true, needsRule: true }, [
    `${only} is (?:(?:booked|scheduled|set) )?${time}`,
    { source: `${occasion} is (?:(?:booked|scheduled|set) )?${time}`, sense: 'yields' },
    `${occasion} (?:has been |have been |is |was |got |has )?${moved}(?: from .{3,30}?)? (?:to|until|till) (?<value>.{3,40})`,
    `(?:I|we) (?:have )?${moved} ${occasion}(?: from .{3,30}?)? to (?<value>.{3,40})`,
  ]),
  ...patternsOf({ name: 'going to $', value: 'on', isAhead: true, needsRule: true }, [
    `(?:I|we) (?:am|are) ${by} (?:back )?to (?<of>${placeNameSource})${further}`,
    `(?:I|we) (?:have )?(?:booked|planned) (?:an?|our|my|the) ${trip} to (?<of>${placeNameSource})${further}`,
  ]),
  ...patternsOf({ name: 'going to $', value: 'off', isAhead: true, isEvent: true }, [
    `(?:I|we) (?:have )?${calledOff} (?:my|our|the) ${trip} to (?<of>${placeNameSource})`,
    `(?:I|we) (?:have )?${calledOff} (?:my|our|the) (?<of>${placeNameSource}) ${trip}`,
    `(?:I|we) (?:am|are) not ${by} to (?<of>${placeNameSource}) (?:after all|any ?more|any longer)`,
    `(?:my|our|the) (?<of>${placeNameSource}) ${trip} (?:is|was|has been|got) ${calledOff}`,
    `(?:my|our|the) ${trip} to (?<of>${placeNameSource}) (?:is|was|has been|got) ${calledOff}`,
  ]),
];
