import { family, rx } from './rule.ts';

const notAnOrder =
  /^(?:(?:never|always) (?:give up|stop (?:dreaming|believing|trying)|forget)|never (?:mind|again|been|had|heard|saw|seen|said|thought|knew|ending|got|did|was|were|would|a|the|in)|always (?:happy|glad|good|nice|great|a|an|the|been|wanted|loved|fun|there|here|something|so|nice|great))\b/u;
const verb = String.raw`(?!sure\b|mind\b)\p{Ll}{2,}`;

/** Standing instructions: how the user wants to be served from now on. A wish for this answer alone is none. */
export const instructions = family(
  { type: 'preferences', name: 'instructions', category: 'instruction' },
  {
    alwaysNever: {
      pattern: rx(`^(?:please,? )?(?:always|never) ${verb}\\b`),
      strength: 0.9,
      except: notAnOrder,
    },
    fromNowOn: {
      pattern: rx(
        `^(?:from now on|going forward|in (?:the )?future|from here on|henceforth|as a rule|by default),? .*\\b(?:${verb})`,
      ),
      strength: 0.88,
      except: /^in (?:the )?future,? (?:I|we|my) (?:will|want|hope|would|might)/u,
    },
    endsFromNowOn: {
      pattern: rx(
        `^(?:please )?(?:\\p{Ll}+ ){1,8}.*\\b(?:from now on|going forward|from here on|in (?:all|your|any) (?:future )?(?:answers|responses|replies|messages|emails))$`,
      ),
      strength: 0.8,
      except: /^(?:I|we|they|he|she) /u,
    },
    doNot: {
      pattern: rx(
        `^(?:please )?(?:do not|stop|avoid|refrain from) (?:ever )?(?:call|send|use|using|include|including|add|adding|show|write|writing|ask|asking|suggest|suggesting|recommend|recommending|mention|mentioning|schedule|book|remind|email|sending|calling|give|giving|put|make|assume|repeat|contact)\\b`,
      ),
      strength: 0.75,
      except: /\bgive up\b|\b(?:this time|for now|today|yet|here|in (?:this|the (?:above|following)))\b/u,
    },
    whenever: {
      pattern: rx(`^(?:please )?(?:whenever|every time|each time|any time|anytime) .{3,}, ?(?:please )?${verb}`),
      strength: 0.82,
      except: /, ?(?:I|we|he|she|it|they|my)\b/u,
    },
    callMe: {
      pattern: rx(`^(?:please )?(?:call me|address me as|refer to me as) \\p{L}+`),
      strength: 0.85,
      except: /^(?:please )?call me (?:back|later|tomorrow|when|if|at|on|crazy|asap|today|tonight|in)\b/u,
    },
    wantYouTo: {
      pattern: rx(`^(?:I|we) (?:want|need|would like|expect|would prefer) you to (?:always|never|not)\\b`),
      strength: 0.9,
    },
    youShould: { pattern: rx(`^you (?:should|must|can) (?:always|never)\\b`), strength: 0.75 },
    rememberTo: { pattern: rx(`^(?:please )?remember to (?:always |never )?\\p{Ll}+`), strength: 0.72 },
    keepAnswers: {
      pattern: rx(
        `^(?:please )?(?:keep|make) (?:your|all|the) (?:answers|replies|responses|messages|emails|summaries|explanations)\\b`,
      ),
      strength: 0.8,
    },
    answerIn: {
      pattern: rx(
        `^(?:please )?(?:answer|reply|respond|write|speak|talk) (?:to me )?(?:only )?(?:in|with) (?:short|brief|bullet|plain|simple|English|French|German|Spanish|formal|metric|\\p{Lu}\\p{L}+)`,
      ),
      strength: 0.72,
      except: /\b(?:this|above|following|below)\b/u,
    },
  },
);
