import { family, rx, kin, name } from './rule.ts';

const feeling =
  'happy|glad|delighted|thrilled|excited|overjoyed|ecstatic|elated|proud|grateful|thankful|relieved|hopeful|optimistic|content|joyful|cheerful|inspired|motivated|moved|touched|amazed|blessed|peaceful|calm|confident|sad|unhappy|upset|heartbroken|devastated|depressed|down|miserable|lonely|homesick|disappointed|discouraged|hurt|ashamed|embarrassed|guilty|jealous|envious|angry|furious|mad|annoyed|irritated|frustrated|resentful|bitter|anxious|worried|nervous|scared|afraid|terrified|frightened|stressed|overwhelmed|exhausted|burned out|burnt out|tense|uneasy|insecure|panicked|shocked|confused|conflicted|torn|hopeless|helpless|bored|nostalgic|restless|apprehensive|fed up';
// Each word fits one alternative only: with two, a long row of adverbs would take exponential time.
const degree = String.raw`(?:(?:so|very|quite|pretty|a bit|a little|rather|super|too|more|kind of|kinda|sort of|sorta|always|also|all|both|feeling|a lot|\p{Ll}+ly) )*`;
const idle =
  /\b(?:happy to (?:help|assist|share|hear|answer)|glad (?:to (?:hear|help)|you|that helped|it helped|the (?:pic|photo))|(?:happy|proud|excited|thrilled|glad|sorry|sad) (?:for|of|with|that) you|sad to hear|excited to help|(?:calm|content|down|moved|mad|confident) (?:to|for|with the|that)|not (?:sure|afraid to))\b/u;
// Of a state without its cause, or with a cause that only a pronoun names, nothing is left to remember.
const causeless = String.raw`(?: (?:about|of|with|for|by|at|to) (?:all )?(?:it|this|that|these|those|them|him|her|you|everything)(?: all)?| too| now| lately| about how it will go)?$`;
const someone = `(?:${name}|(?:my|our) (?:\\p{Ll}+ )?(?:${kin}))`;

/** States of feeling that are said outright; none is read from a tone. */
export const emotions = family(
  { type: 'emotions', name: 'emotions' },
  {
    feels: {
      pattern: rx(
        `^(?:I|we) (?:do )?(?:feel|felt|have felt|have been feeling|am feeling|was feeling|are feeling|feels) ${degree}(?:${feeling})\\b(?!${causeless})`,
      ),
      strength: 0.9,
      except: idle,
    },
    is: {
      pattern: rx(
        `^(?:I|we) (?:am|was|are|were|have been|got|get|became|become|had been) (?:not )?${degree}(?:${feeling})\\b(?!${causeless})`,
      ),
      strength: 0.82,
      except: idle,
    },
    makesMe: {
      pattern: rx(
        `\\b(?:makes?|made|is making|has made|left|leaves) me (?:feel )?${degree}(?:${feeling}|smile|cry|laugh)\\b`,
      ),
      strength: 0.85,
      except: idle,
    },
    movesMe: {
      pattern: rx(
        `\\b(?:I|it|that|this)\\b.{0,40}\\b(?:breaks? my heart|broke my heart|brings? me (?:\\p{Ll}+ )?joy|brought me (?:\\p{Ll}+ )?(?:joy|peace)|drives? me (?:crazy|mad|nuts)|keeps? me up at night|means? (?:a lot|so much|the world|everything) to me (?:that|when|because)|scares? me|worries me|bothers me|stresses me|warms? my heart|filled me with)\\b`,
      ),
      strength: 0.78,
    },
    reacts: {
      pattern: rx(
        `^(?:I|we) (?:cried|panicked|am in tears|was in tears|am over the moon|was over the moon|am on cloud nine|miss|missed|regret|dread|worry|fear)\\b .{3,}`,
      ),
      strength: 0.76,
      except: /\bmiss(?:ed)? (?:the (?:bus|train|flight|deadline|meeting|call)|out|a (?:call|meeting|step))\b/u,
    },
    looksForward: {
      pattern: rx(`^(?:I|we) (?:cannot wait|can not wait|look forward|am looking forward|are looking forward)\\b`),
      strength: 0.74,
      except: /(?:to hear|for your|hearing from)/u,
    },
    otherFeels: {
      pattern: rx(`^${someone} (?:is|was|feels|felt|seemed|has been|got) ${degree}(?:${feeling})\\b(?!${causeless})`),
      strength: 0.76,
      except: idle,
    },
  },
);
