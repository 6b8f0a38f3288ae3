import { family, name, rx } from './rule.ts';

const subject = `(?:I|we|(?:my|our|the|this|an?|his|her|their) [^,;:]{2,60}?|${name}(?:'s [^,;:]{2,40}?)?(?: and (?:I|${name}))?|there)`;

/** Sentences that place something in time. They count only together with a date that could be resolved. */
export const datedEvents = family(
  { type: 'temporal_events', name: 'dated' },
  {
    state: {
      pattern: rx(
        `^${subject} (?:is|are|was|were|will be|falls|is due|are due|takes place|starts?|begins?|ends?|opens?|closes?|expires?|happens?|has been|got) .*\\p{L}`,
      ),
      strength: 0.84,
      except: /^(?:this|that|a|the) (?:pic|picture|photo|image)\b/u,
    },
    past: {
      pattern: rx(
        `^(?:I|we|${name}(?: and (?:I|${name}))?) (?:have |had |also |\\p{Ll}+ly )*(?:(?!need\\b)\\p{Ll}+ed|went|had|got|took|saw|met|made|gave|found|bought|sold|came|left|began|won|lost|ran|flew|drove|rode|swam|wrote|read|built|broke|fell|felt|told|taught|spent|sent|put|led|caught|held|kept|grew|ate|did|was|were|became|heard|knew|paid|sang|spoke|slept|woke|wore|hurt|cut|set|let|quit|hit|lit|stood|thought|brought|chose|drew|drank|forgot)\\b`,
      ),
      strength: 0.82,
    },
    ahead: {
      pattern: rx(
        `^(?:I|we|${name}(?: and (?:I|${name}))?) (?:will|shall|am|are|is|have (?:to|an?|our|my)|need to|plan to|hope to|want to|must|fly|leave|arrive|move|start|return|travel|meet|expect) .*\\p{L}`,
      ),
      strength: 0.8,
      except: /\b(?:not sure|want to make sure|considering (?:whether|how)|starting to feel)\b/u,
    },
    present: {
      pattern: rx(`^${subject} \\p{Ll}+(?:ed|es|s)\\b .*`),
      strength: 0.74,
      except: /^(?:I|we) needs? help\b|^(?:this|that|a|the) (?:pic|picture|photo|image)\b/u,
    },
    dateFirst: {
      pattern: rx(
        `^(?:on|in|at|last|next|this|yesterday|today|tomorrow|tonight|since|by|earlier|back in|during)\\b[^,]{0,30},? (?:I|we|my|our|the|${name}) .{4,}`,
      ),
      strength: 0.8,
    },
    elided: {
      pattern: rx(
        `^(?:had|went|met|visited|finished|started|got|took|saw|attended|booked|scheduled|signed|spoke|moved|bought|passed|completed|reached|due|deadline|met with|planned|ordered|called|submitted|filed|cancelled|renewed|paid)\\b .{4,}`,
      ),
      strength: 0.76,
    },
  },
);

/** What one may say of a time without placing anything in it. */
export const noEvent =
  /^(?:I|we) (?:am|was|were|have been) (?:asking|wondering|looking|trying|thinking)\b|\b(?:if|unless|would|could|might|may be|used to)\b|\bas of (?:today|now)\b|^(?:it|that|this) is\b/u;
