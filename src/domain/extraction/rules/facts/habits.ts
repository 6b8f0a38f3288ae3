import { family, rx } from '../rule.ts';

/** What the speaker does again and again, or is at for a while. */
export const habits = family(
  { type: 'facts', name: 'habits', category: 'habits' },
  {
    frequency: {
      pattern: rx(
        `^(?:I|we) (?:usually|always|often|never|rarely|normally|typically|generally|regularly|sometimes|mostly|tend to)\\b`,
      ),
      strength: 0.8,
      except:
        /^(?:I|we) (?:always|never|often|sometimes) (?:thought|wanted|knew|wonder|feel|felt|heard|said|expected|imagined|been|got|saw)\b/u,
    },
    recurring: {
      pattern: rx(
        `^(?:I|we) (?:\\p{Ll}+ )?\\p{Ll}+ .*\\b(?:every (?:\\p{Ll}+ )?(?:\\p{L}+day|day|morning|evening|night|week|weekend|month|year|summer|winter)|on (?:\\p{Lu}\\p{Ll}+days|weekends|weekdays)|at weekends|(?:once|twice|three times|\\d times) a (?:day|week|month|year)|in the (?:mornings|evenings)|each (?:day|week|month|morning))\\b`,
      ),
      strength: 0.84,
      except: /\b(?:wonder(?:ing)?|do not|them)\b|^(?:I|we) (?:need|want|have to)\b/u,
    },
    activity: {
      pattern: rx(
        `^(?:I|we) (?:play|row|run|swim|cycle|climb|paint|draw|sing|dance|knit|garden|bake|cook|hike|ski|surf|volunteer|practi[cs]e|train|brew|sew|code|do (?:yoga|pilates|karate|judo)|collect|keep|grow|breed|coach)\\b .{3,}`,
      ),
      strength: 0.82,
      except: /\b(?:run into|cook up|keep (?:\p{Ll}+ing|in mind|it|that|getting|on))\b/u,
    },
    ongoing: {
      pattern: rx(
        `^(?:I|we) (?:am|are|have been|was) (?:learning|training|studying|taking|writing|reading|building|volunteering|practi[cs]ing|teaching|renovating|saving|rehearsing|recording|attending|researching|developing|restoring)\\b .{3,}`,
      ),
      strength: 0.82,
    },
  },
);
