import { rx, type Rule } from './rule.ts';

const notAnOrder =
  /^(?:never (?:mind|again|been|had|heard|saw|seen|said|thought|knew|ending|got|did|was|were|would|a|the|in)|always (?:happy|glad|good|nice|great|a|an|the|been|wanted|loved|fun|there|here|something|so|nice|great))\b/u;
const verb = String.raw`(?!sure\b|mind\b)\p{Ll}{2,}`;

/** Standing instructions: how the user wants to be served from now on. A wish for this answer alone is none. */
export const instructions: readonly Rule[] = [
  {
    pattern: rx(`^(?:please,? )?(?:always|never) ${verb}\\b`),
    confidence: 0.9,
    except: notAnOrder,
    category: 'instruction',
  },
  {
    pattern: rx(
      `^(?:from now on|going forward|in (?:the )?future|from here on|henceforth|as a rule|by default),? .*\\b(?:${verb})`,
    ),
    confidence: 0.88,
    category: 'instruction',
    except: /^in (?:the )?future,? (?:I|we|my) (?:will|want|hope|would|might)/u,
  },
  {
    pattern: rx(
      `^(?:please )?(?:\\p{Ll}+ ){1,8}.*\\b(?:from now on|going forward|from here on|in (?:all|your|any) (?:future )?(?:answers|responses|replies|messages|emails))$`,
    ),
    confidence: 0.8,
    category: 'instruction',
    except: /^(?:I|we|they|he|she) /u,
  },
  {
    pattern: rx(
      `^(?:please )?(?:do not|stop|avoid|refrain from) (?:ever )?(?:call|send|use|using|include|including|add|adding|show|write|writing|ask|asking|suggest|suggesting|recommend|recommending|mention|mentioning|schedule|book|remind|email|sending|calling|give|giving|put|make|assume|repeat|contact)\\b`,
    ),
    confidence: 0.75,
    category: 'instruction',
    except: /\b(?:this time|for now|today|yet|here|in (?:this|the (?:above|following)))\b/u,
  },
  {
    pattern: rx(`^(?:please )?(?:whenever|every time|each time|any time|anytime) .{3,}, ?(?:please )?${verb}`),
    confidence: 0.82,
    category: 'instruction',
    except: /, ?(?:I|we|he|she|it|they|my)\b/u,
  },
  {
    pattern: rx(`^(?:please )?(?:call me|address me as|refer to me as) \\p{L}+`),
    confidence: 0.85,
    category: 'instruction',
    except: /^(?:please )?call me (?:back|later|tomorrow|when|if|at|on|crazy|asap|today|tonight|in)\b/u,
  },
  {
    pattern: rx(`^(?:I|we) (?:want|need|would like|expect|would prefer) you to (?:always|never|not)\\b`),
    confidence: 0.9,
    category: 'instruction',
  },
  { pattern: rx(`^you (?:should|must|can) (?:always|never)\\b`), confidence: 0.75, category: 'instruction' },
  { pattern: rx(`^(?:please )?remember to (?:always |never )?\\p{Ll}+`), confidence: 0.72, category: 'instruction' },
  {
    pattern: rx(
      `^(?:please )?(?:keep|make) (?:your|all|the) (?:answers|replies|responses|messages|emails|summaries|explanations)\\b`,
    ),
    confidence: 0.8,
    category: 'instruction',
  },
  {
    pattern: rx(
      `^(?:please )?(?:answer|reply|respond|write|speak|talk) (?:to me )?(?:only )?(?:in|with) (?:short|brief|bullet|plain|simple|English|French|German|Spanish|formal|metric|\\p{Lu}\\p{L}+)`,
    ),
    confidence: 0.72,
    category: 'instruction',
    except: /\b(?:this|above|following|below)\b/u,
  },
];
