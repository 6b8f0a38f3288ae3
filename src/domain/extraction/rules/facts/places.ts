import { family, rx } from '../rule.ts';

/** Where the speaker lives. */
export const places = family(
  { type: 'facts', name: 'places', category: 'places' },
  {
    lives: {
      pattern: rx(
        `^(?:I|we) (?:live|lived|am living|reside|(?:stay|am staying|are staying)(?= (?:at|in|with|near)\\b)|am based|are based|moved|relocated|settled|have lived|have moved|have relocated|have settled|used to live|rent|am moving|are moving|own a (?:house|flat|cottage|home))\\b(?! (?:on|forward|past|(?:my|the|our) (?:\\p{Ll}+ )?(?:dream|life|best|true))\\b)`,
      ),
      strength: 0.88,
    },
    home: {
      pattern: rx(
        `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:home|house|flat|apartment|address|hometown|home town|neighbou?rhood|city|town|village|cottage|garden|kitchen|room|place)\\b.*\\b(?:is|are|was|has|have|overlooks|faces|sits|stands)\\b`,
      ),
      strength: 0.83,
    },
  },
);
