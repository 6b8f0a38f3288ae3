import { family, rx } from '../rule.ts';

/** What the speaker owns, and how the speaker is reached. */
export const possessions = family(
  { type: 'facts', name: 'possessions', category: 'possessions' },
  {
    contactAndThings: {
      pattern: rx(
        `^(?:my|our) (?:\\p{Ll}+ ){0,3}(?:number|e-?mail|address|password|code|pin|account|username|handle|plate|size|budget|car|bike|bicycle|boat|van|truck|phone|laptop|computer|camera|guitar|piano|instrument|subscription|plan|website|blog|insurance)\\b.*\\b(?:is|are|was|has|have|changed|runs)\\b`,
      ),
      strength: 0.84,
      except: /\bplan is to\b/u,
    },
    owns: {
      pattern: rx(
        `^(?:I|we) (?:own|drive|ride|bought|have bought|sold|have sold|inherited|use an?|purchased|got an? (?:new )?|collect|have an? (?:new |old )?(?:\\p{Ll}+ )?(?:car|bike|house|boat|garden|piano|guitar|phone|laptop|camera|subscription|website))\\b`,
      ),
      strength: 0.8,
      except: /\bgot an? (?:surge|great|good|huge|idea|question|chance|bit|lot|message|call|feeling)/u,
    },
  },
);
