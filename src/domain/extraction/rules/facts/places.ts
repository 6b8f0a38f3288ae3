import { noPlace } from '../../attributes/values.ts';
import { family, rx } from '../rule.ts';

const moved = String.raw`(?:have )?(?:moved|relocated|settled)(?= (?:.* )?(?:to|into|in|from|out|here|there|house|home|away|abroad|closer|near|back|across|down|up)\b)`;

/** Where the speaker lives. */
export const places = family(
  { type: 'facts', name: 'places', category: 'places' },
  {
    lives: {
      pattern: rx(
        `^(?:I|we) (?:live|lived|am living|reside|(?:stay|am staying|are staying)(?= (?:at|in|with|near)\\b)|am based|are based|${moved}|have lived|used to live|rent|am moving|are moving|own a (?:house|flat|cottage|home))\\b(?! (?:on|forward|past|(?:my|the|our) (?:\\p{Ll}+ )?(?:dream|life|best|true))\\b)`,
      ),
      strength: 0.88,
      except: new RegExp(
        `^(?:I|we) (?:have )?(?:moved|relocated) to (?:${noPlace.source.slice(1)})|^(?:I|we) live in (?:fear|denial|hope|peace|poverty|chaos|harmony)\\b`,
        'iu',
      ),
    },
    home: {
      pattern: rx(
        `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:home|house|flat|apartment|address|hometown|home town|neighbou?rhood|city|town|village|cottage|garden|kitchen|room|place)\\b.*\\b(?:is|are|was|has|have|overlooks|faces|sits|stands)\\b`,
      ),
      strength: 0.83,
    },
  },
);
