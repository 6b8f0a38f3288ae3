import { family, rx } from '../rule.ts';

/** What the speaker did, at a time that nobody named. */
export const events = family(
  { type: 'facts', name: 'events', category: 'other' },
  {
    did: {
      pattern: rx(
        `^(?:I|we) (?:have )?(?:(?:also|even|both) )?(?:started|began|finished|completed|got|won|passed|failed|lost|published|signed up|opened|closed|built|wrote|made|painted|visited|went|took|attended|met|ran|hosted|organi[sz]ed|volunteered|performed|competed|applied|enrolled|donated|planted|booked|received|earned|created|learned|learnt|tried|joined|gave|read|watched|saw|found|bought|grew|travel+ed|hiked|camped)\\b .{6,}`,
      ),
      strength: 0.72,
      except:
        /^(?:I|we) (?:have )?(?:got (?:it|that|to|this|you|(?:some |\p{Ll}+ )*news)|went (?:to bed|through|over|ahead|back and)|made (?:sure|it|that|a mistake)|took (?:a look|it|your)|gave (?:it|that|up)|found (?:it|that|out)|tried (?:to|it|that|properly|a few|(?:using|running|setting|installing|adding|changing|updating|restarting)\b)|got (?:your|a lot)|made something|saw (?:that|your|it)|read (?:that|it|your)|lost (?:track|me)|met you)\b/u,
    },
  },
);
