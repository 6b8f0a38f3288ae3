import { family, rx } from '../rule.ts';

/** What the speaker wants and means to do, without a promise. */
export const plans = family(
  { type: 'facts', name: 'plans', category: 'plans' },
  {
    wants: {
      pattern: rx(
        `^(?:I|we) (?:want|plan|hope|intend|aim|aspire|dream|wish|would like|would love|am (?:planning|hoping|thinking|considering|aiming|saving|about|going)|are (?:planning|hoping|thinking|considering|going)|have been (?:thinking|planning|considering|wanting))\\b(?: to| of| on| about| for)? \\p{L}+ .{3,}`,
      ),
      strength: 0.75,
      except:
        /\b(?:you|your|yours|them|their|join in)\b|\b(?:it|this|that)(?: out| work| happen)?$|\bgoing to keep\b|\b(?:want|going|wants) to \p{Ll}+ (?:it|them|this|that)\b|\bwould like to see (?:an?|the|how)\b|\b(?:considering|thinking(?: a lot)?(?: about)?|wondering) (?:how|what|whether|if|that|this|why|my)\b|\b(?:hope|hoping) (?:they|it|that)\b|\bwish (?:I|we) (?!could\b)|\b(?:want|wants) (?:him|her|them)\b|\blove some\b|^(?:I|we) (?:want|would like|would love|need|hope|wish|am (?:going|hoping|thinking))(?: to| for)? (?:you|know|ask|hear|see (?:the|your)|say|talk|make sure|understand|thank|share|discuss|learn more|get (?:a|some|your)|know|explore|improve|use|add|implement|ensure|this|that|it)\b/u,
    },
    goal: {
      pattern: rx(
        `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:goal|dream|plan|ambition|aim|resolution|deadline|target|wish)s?\\b.*\\b(?:is|are|was)\\b`,
      ),
      strength: 0.84,
    },
  },
);
