import { family, rx } from './rule.ts';

const hedge = String.raw`(?:do |still |\p{Ll}+ly )*`;

/** What somebody holds of a thing, with no liking named: "I think", "my take on it is". */
export const opinions = family(
  { type: 'preferences', name: 'opinions', category: 'other' },
  {
    thinks: {
      pattern: rx(
        `^(?:I|we) ${hedge}(?:think|believe|feel|find|reckon|consider|suspect|doubt|suppose|disagree|maintain|argue)\\b(?: that)? .{8,}`,
      ),
      strength: 0.76,
      except:
        /^(?:I|we) (?:\p{L}+ )*?(?:think|believe|feel|find|suppose|consider)(?: that)? (?:(?:it|that|this|these|those|they|we|he|she)\b|in your|so|not|you|it is (?:ok|okay|fine)|I (?:will|would|should|can|might|need|have|am|was)|about|of|like (?:I|a|we)|out|my|the (?:same|time)|(?:very |so |a bit |really |quite )?(?:\p{Ll}+ed|bad|sad|good|better|happy|sick|guilty|sorry|proud|lonely|anxious|nervous)\b)/u,
    },
    doesNotThink: {
      pattern: rx(`^(?:I|we) (?:do not|never) (?:think|believe|find|trust|buy|see the point)\\b`),
      strength: 0.75,
      except: /\b(?:so|I can|I could|I will|you)$/u,
    },
    myTake: {
      pattern: rx(
        `^(?:my|our) (?:honest |personal |own |first |general )?(?:take|view|opinion|read|sense|hunch|impression|stance|position|feeling|thoughts?|verdict|concern|worry|guess|bet)(?: (?:on|about|of|is|that)\\b|:)`,
      ),
      strength: 0.82,
    },
    inMyView: {
      pattern: rx(
        `^(?:in my (?:view|opinion|experience|book)|to (?:my mind|me),|(?:strong|unpopular|honest|personal|hot) (?:opinion|take|view)|from my (?:perspective|point of view)|as far as I am concerned|if you ask me|imo|imho),? `,
      ),
      strength: 0.82,
    },
    sceptical: {
      pattern: rx(
        `^(?:I|we) am (?:\\p{Ll}+ )?(?:sceptical|skeptical|convinced|sold|unconvinced|doubtful|wary|bullish|bearish|leaning|of the opinion|against|in favour|not (?:convinced|sure|sold))\\b`,
      ),
      strength: 0.8,
      except: /\bnot sure (?:if|what|how|why|where|when|I|about it)/u,
    },
    judged: {
      pattern: rx(
        `\\b(?:is|are|was|feels?|seems?|looks?) (?:\\p{Ll}+ )?(?:overrated|underrated|overhyped|underappreciated|overkill|a mistake|the right (?:\\p{Ll}+ )?(?:call|choice|abstraction|approach|move|tool|fit)|the wrong (?:\\p{Ll}+ )?(?:call|choice|approach|move|tool)|a (?:better|bad|poor|good|great) (?:fit|idea|choice)|worth (?:it|pushing|the)|not worth)\\b`,
      ),
      strength: 0.72,
      except:
        /^(?:it|that|this|here) |\b(?:wonder(?:ing)?|not sure|unsure|you)\b|(?:^| )(?:that|it)'?s? (?:is )?(?:a|such|all|so|totally|definitely)\b/u,
    },
  },
);
/** A sentence that was opened so is an opinion, whatever follows. */
export const opinionLead = /\b(?:honestly|frankly|personally|to be honest|in my (?:view|opinion))\b/u;
