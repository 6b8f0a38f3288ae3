import { family, name, rx } from './rule.ts';

const idle =
  /^(?:I|we) will (?:not )?(?:be (?:happy|glad|here|sure|fine|back|there|able)|see|think|try|let you|wait|have (?:to|a)|never|need|miss|keep (?:you|that|it)|do (?:that|it|so)|also|give (?:it|that)|take (?:it|that|a look)|go with that|check it|say|admit|pass|know|always|quit|give up|keep|stick|support|make (?:it|some|sure)|ask around|cherish|remember|hold|stay|love|enjoy)\b/u;
const promise = 'promised|committed|pledged|vowed|undertook|guaranteed|agreed|volunteered|offered';

/** What the speaker has bound himself to do; with a date it falls due then. */
export const commitments = family(
  { type: 'facts', name: 'commitments', category: 'plans' },
  {
    promised: {
      pattern: rx(
        `^(?:(?:I|we) (?:have )?)?(?:${promise}) (?:(?:${name}|the \\p{Ll}+|my \\p{Ll}+|him|her|them|everyone) )?(?:that )?(?:I|we|to|on|myself)\\b.{4,}`,
      ),
      strength: 0.88,
    },
    committed: {
      pattern: rx(
        `^(?:I|we) (?:am|are) (?:committing|committed|promising|pledging|obliged|responsible)\\b|^(?:I|we) can commit to\\b`,
      ),
      strength: 0.87,
    },
    will: { pattern: rx(`^(?:I|we) will (?:not )?\\p{Ll}{2,}\\b .{4,}`), strength: 0.8, except: idle },
    willElided: {
      pattern: rx(`^will (?:not )?(?:have |be )?\\p{Ll}{3,}\\b .{4,}`),
      strength: 0.8,
      except: /^will (?:you|it|this|that|there|the|my|I|we|he|she|they|be (?:fun|nice|great|good))\b/u,
    },
    hasTo: {
      pattern: rx(`^(?:I|we) (?:have to|need to|must|got to|ought to|owe)\\b .{6,}`),
      strength: 0.72,
      except:
        /\b(?:say|admit|know|understand|ask|be (?:careful|honest|able)|make sure|ensure|find out|figure|think|implement|handle|improve|consider|use|get)\b/u,
    },
    hasToElided: { pattern: rx(`^need to \\p{Ll}+ .{6,}|^(?:have|got) to \\p{Ll}{3,} .{4,}`), strength: 0.72 },
    doing: {
      pattern: rx(
        `^(?:re-?)?(?!(?:loving|appreciating|chasing|connecting|continuing|enjoying|missing|wishing|losing|sending|going to (?:be|keep)|looking|trying|thinking|hoping|wondering|being|having|getting|making|seeing|feeling|asking|talking|considering|assuming|using|given|regarding|including|according|following|during|nothing|something|everything|anything|morning|evening)\\b)\\p{Ll}+ing (?:the|all|our|my|this|that|every|entirely|a new|over|from|to|with)\\b .{3,}`,
      ),
      strength: 0.72,
      except: /\b(?:is|are|was|were|has|can|will|would|feels?|makes?|helps?|requires?|means|seems|takes)\b/u,
    },
    myNextStep: {
      pattern: rx(`^(?:my|our) (?:commitment|promise|next steps?|action items?|to-?do) (?:is|are|:)`),
      strength: 0.85,
    },
    remindMe: {
      pattern: rx(
        `^(?:please )?(?:remind me(?= (?:.* )?(?:to|about|of|that)\\b)|do not let me forget|do not forget (?:my|our|about (?:my|our)|that I)|I should not forget|I must not forget)\\b .{4,}`,
      ),
      strength: 0.82,
    },
  },
);

const decide =
  'decided|chosen|chose|agreed|opted|settled|concluded|picked|switched|resolved|voted|elected|selected|approved|scrapped|dropped|postponed|cancelled|canceled|ruled out|went with|made up our minds?';

/** What was decided, by the speaker or by a group the speaker belongs to. */
export const decisions = family(
  { type: 'facts', name: 'decisions' },
  {
    decided: {
      pattern: rx(
        `^(?:I|we|the team|the group|the board|the committee|everyone|${name}(?: and (?:I|${name}))?) (?:have |has |all |both |\\p{Ll}+ly )*(?:${decide})\\b .{4,}`,
      ),
      strength: 0.84,
      except: /\b(?:chose|chosen|picked|selected|approved|dropped) (?:them|it|this|that|him|her)\b/u,
    },
    andDecided: {
      pattern: rx(`\\b(?:and|,|we|then) (?:have )?(?:decided|agreed|settled|concluded|opted)\\b[: ].{4,}`),
      strength: 0.8,
      except: /\bif\b/u,
    },
    decidedElided: {
      pattern: rx(
        `^(?:decided|agreed|settled|opted|chose|picked|concluded|resolved) (?:on|to|for|with|over|against|that|we|upon|not|the|a|in)\\b`,
      ),
      strength: 0.86,
    },
    decision: {
      pattern: rx(
        `^(?:the |my |our |final |a |team |group )*(?:decision|verdict|conclusion|resolution|consensus|agreement|outcome|call)(?: (?:made|reached|taken))?(?: on [^:]{2,60}?)?(?: is\\b| was\\b|:| to\\b)`,
      ),
      strength: 0.86,
      except: /\bis final\b/u,
    },
    switching: {
      pattern: rx(
        `^(?:(?:I|we) (?:am|are) )?(?:going (?:with|for|ahead with)|switching|migrating|moving (?:everything |all |away |over |entirely )?(?:to|from|off)|sticking (?:with|to)|dropping|adopting|replacing|standardi[sz]ing on|phasing out|abandoning|shelving)\\b .{3,}`,
      ),
      strength: 0.78,
      except: /\b(?:dreams?|broke|it)\b|\bto (?:bed|sleep)\b/u,
    },
    letUs: {
      pattern: rx(`^let(?: us|'s) (?:go with|stick (?:with|to)|settle on|use|switch to|drop|adopt)\\b .{3,}`),
      strength: 0.74,
      except: /\b(?:this|that|these|those) \p{L}+$|\b(?:this|that|it|the following)$/u,
    },
    theyDecided: { pattern: rx(`^they (?:have )?(?:${decide})\\b .{6,}`), strength: 0.74 },
    noMore: { pattern: rx(`^(?:(?:so|and|from now on),? )?no more \\p{L}+ .{2,}`), strength: 0.75 },
    somewhereDecided: {
      pattern: rx(`\\b(?:I|we) (?:have )?(?:decided|chosen|agreed|opted) (?:to|on|that|for|not|against)\\b`),
      strength: 0.8,
      except: /\b(?:if|once|have not|until|before) (?:I|we)\b/u,
    },
  },
);
