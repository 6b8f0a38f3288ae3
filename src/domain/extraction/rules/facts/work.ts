import { family, rx } from '../rule.ts';

/** What the speaker does for a living, or studies. */
export const work = family(
  { type: 'facts', name: 'work', category: 'work' },
  {
    employed: {
      pattern: rx(
        `^I (?:work|am working|worked|have worked|am employed|used to work)\\b(?: \\p{Ll}+)? (?:as|at|for|in|from|with|on)\\b`,
      ),
      strength: 0.86,
      except: /\bworking on (?:it|this|that)$/u,
    },
    occupation: {
      pattern: rx(
        `^I am (?:an? |the |head of |\\p{Ll}+ (?:head|lead) of )(?:\\p{L}+[ -]){0,3}(?:\\p{Ll}+(?:er|or|ist|ian|ant|ent|man|woman|eer)|nurse|chef|cook|nanny|student|coach|lead|CEO|CTO|CFO|founder|intern|attorney|judge|pilot|clerk|freelance\\p{Ll}*|apprentice|architect|analyst|executive|guide|monk|priest|poet|mechanic|vet)\\b`,
      ),
      strength: 0.84,
      except:
        /\b(?:never|bit|little|another|matter|fan|person|better|bigger|believer|beginner|newcomer|member|sucker)\b/u,
    },
    career: {
      pattern: rx(
        `^(?:I|we) (?:study|studied|am studying|graduated|majored|am majoring|teach|taught|manage|managed|lead|led|run|own|founded|started|launched|quit|joined|retired|got promoted|was promoted|got hired|got laid off|was laid off|got a (?:\\p{Ll}+ )*job|started a (?:\\p{Ll}+ )*(?:job|business|company|role)|accepted)\\b .{2,}`,
      ),
      strength: 0.79,
      except: /^(?:I|we) (?:run into|started (?:to|feeling|thinking)|lead to|own (?:it|that))\b/u,
    },
    about: {
      pattern: rx(
        `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:job|role|position|title|salary|company|employer|office|workplace|commute|shift|degree|major|thesis|business|startup|team|department|school|university|career)\\b.{0,12}\\b(?:is|are|was|has|pays|starts|involves|focuses)\\b`,
      ),
      strength: 0.84,
    },
  },
);
