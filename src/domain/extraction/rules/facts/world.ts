import { family, name, rx } from '../rule.ts';

const stative =
  'is|are|was|were|has|have|had|costs?|takes?|runs?|contains?|includes?|starts?|ends?|opens?|closes?|lasts?|weighs?|measures?|says|requires?|supports?|uses?|belongs?|consists?|holds?|covers?|goes|go|expires?|pays?|earns?|serves?|means|allows?|needs?|sits?|stands?|dates?|averages?|supplies|owns?|leads?|manages?|lives?|works?|teaches|studies|speaks?|plays?|plans?|reaches|produces|delivers|offers|provides|handles|ships|closed|opened|moved|joined|started|bought|graduated|married|died';

/** What is so in the world around the speaker; specific only with a number or a name in it. */
export const world = family(
  { type: 'facts', name: 'world' },
  {
    withNumber: {
      pattern: rx(`^(?:the|this|that|these|an?|its|their|his|her|${name}(?:'s)?)\\b.{0,90}?\\b(?:${stative})\\b.*\\d`),
      strength: 0.78,
    },
    withName: {
      pattern: rx(`^(?:the|this|these|${name}(?:'s)?)\\b.{0,90}?\\b(?:${stative})\\b.*\\p{Ll},? \\p{Lu}\\p{Ll}`),
      strength: 0.74,
      except: /, \p{Lu}\p{Ll}+$/u, // an address, not a name told of
    },
    namedSubject: { pattern: rx(`^${name}(?:'s)?\\b,?(?: \\p{Ll}+ly)? (?:${stative})\\b .{6,}`), strength: 0.73 },
    ofOurs: {
      pattern: rx(`^the \\p{Ll}+(?: \\p{Ll}+){0,2} (?:for|of|to) (?:the|my|our) .{2,40} (?:is|are) \\S+`),
      strength: 0.78,
    },
    lookedUp: {
      pattern: rx(
        `^(?:the|our) (?:code|password|pin|address|colou?r|name|number|price|rent|deadline|budget|goal|capital|size) .{0,60}\\b(?:is|are|costs?)\\b`,
      ),
      strength: 0.8,
    },
  },
);
/** A sentence that was announced so is a fact, whatever its form. */
export const factLead =
  /\b(?:confirmed|fact|note|fyi|update|reminder|heads[- ]up|for the record|turns out|turned out|til|remember that|correction)\b/u;
