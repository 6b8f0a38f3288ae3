import { family, name, rx, kin } from './rule.ts';

const adverb = String.raw`(?:(?:do|much|always|also|\p{Ll}+ly) )*`;
const empty =
  /^(?:I|we) (?:\p{L}+ )*?(?:like|love|enjoy|hate|appreciate|prefer) (?:to$|seeing|it|that|this|them|him|her|you|how|your|to hear|the idea|what you|seeing you|talking to you|hearing)\b/u;
const other = `(?:${name}|the (?:user|client|customer|team|boss|patient|reader|owner)|(?:my|our) (?:\\p{Ll}+ )?(?:${kin}|manager|boss|team|client|customer|dog|cat))`;

/** What somebody likes, dislikes, prefers and usually chooses. */
export const preferences = family(
  { type: 'preferences', name: 'likes' },
  {
    prefers: { pattern: rx(`^(?:I|we) ${adverb}prefer\\b`), strength: 0.93, category: 'likes' },
    otherPrefers: {
      pattern: rx(`^${other},? ${adverb}(?:prefers|would (?:much )?rather|would prefer)\\b`),
      strength: 0.9,
      category: 'likes',
    },
    otherTold: {
      pattern: rx(
        `^${other} (?:has )?(?:told|said|mentioned|asked|let|wrote|messaged|emailed|explained)\\b.{0,30}\\b(?:would (?:much )?rather|prefers?|would prefer|likes?|dislikes?|hates?|wants?|cannot stand|(?:me|us) (?:not )?to)\\b`,
      ),
      strength: 0.85,
      category: 'likes',
    },
    rather: {
      pattern: rx(`^(?:I|we) would (?:much |far )?(?:rather|sooner|prefer)\\b`),
      strength: 0.85,
      category: 'likes',
    },
    likes: {
      pattern: rx(`^(?:I|we) ${adverb}(?:like|love|enjoy|adore|fancy|favour)\\b`),
      strength: 0.85,
      category: 'likes',
      except: empty,
    },
    liked: {
      pattern: rx(`^(?:I|we) (?:have )?(?:always |\\p{Ll}+ly )?(?:loved|enjoyed|liked|preferred) \\p{L}`),
      strength: 0.72,
      category: 'likes',
      except: /\b(?:it|that|this|your|talking to you|yesterday|today)\b.{0,12}$/u,
    },
    fan: {
      pattern: rx(
        `^(?:I|we) am (?:(?:so|very|super|pretty|quite|big|huge|always|also|\\p{Ll}+ly) )*(?:a (?:\\p{Ll}+ )?fan of|into|fond of|keen on|obsessed with|passionate about|interested in|a sucker for|addicted to|partial to)\\b`,
      ),
      strength: 0.83,
      category: 'likes',
      except: /\binto (?:the|a) /u,
    },
    notFan: {
      pattern: rx(`^(?:I|we) am not (?:\\p{Ll}+ )*(?:a (?:\\p{Ll}+ )?fan of|into|fond of|keen on|interested in)\\b`),
      strength: 0.83,
      category: 'dislikes',
    },
    dislikes: {
      pattern: rx(
        `^(?:I|we) ${adverb}(?:hate|dislike|detest|loathe|despise|cannot stand|cannot bear|cannot tolerate|do not (?:\\p{Ll}+ )?(?:like|enjoy|love|care for|want)|could not stand)\\b`,
      ),
      strength: 0.87,
      category: 'dislikes',
      except:
        /\b(?:to bother|want (?:you )?to (?:be|have|go|lose|miss)|hate (?:to (?:ask|say|bother)|that|it|this)|(?:like|want) (?:it|that|this)$)\b/u,
    },
    favourite: { pattern: rx(`^(?:my|our) (?:\\p{Ll}+ )?favourite\\b`), strength: 0.93, category: 'likes' },
    isFavourite: {
      pattern: rx(`\\b(?:is|are|was) (?:one of )?(?:my|our) (?:all-time )?favourite`),
      strength: 0.88,
      category: 'likes',
    },
    preference: {
      pattern: rx(`^(?:my|our|the team's|${name}'s) (?:\\p{Ll}+ )?(?:preference|preferred \\p{Ll}+|choice|taste)\\b`),
      strength: 0.85,
      category: 'likes',
    },
    otherLikes: {
      pattern: rx(
        `^${other} ${adverb}(?:likes|loves|enjoys|adores|insists on|favou?rs|wants|is (?:\\p{Ll}+ )?(?:into|fond of|keen on|obsessed with|a (?:\\p{Ll}+ )?fan of))\\b`,
      ),
      strength: 0.8,
      category: 'likes',
    },
    otherDislikes: {
      pattern: rx(
        `^${other} ${adverb}(?:hates|dislikes|detests|loathes|cannot (?:stand|bear)|does not (?:like|enjoy|want|care for)|refuses)\\b`,
      ),
      strength: 0.82,
      category: 'dislikes',
    },
    likeOver: {
      pattern: rx(
        `^(?:prefer|like|love|hate|dislike)s? \\p{Ll}+(?:ing|s)?\\b.*\\b(?:over|to|rather than|instead of|more than)\\b`,
      ),
      strength: 0.75,
      except: /\byour\b/u,
      category: 'likes',
    },
    suits: {
      pattern: rx(
        `\\b(?:works? (?:best|better|well) for me|suits? me|is my (?:go-to|thing|passion|jam)|are my (?:go-to|thing|passion))\\b`,
      ),
      strength: 0.75,
      category: 'likes',
      except: /\b(?:if|does that|would)\b/u,
    },
    usuallyChooses: {
      pattern: rx(
        `^(?:I|we) (?:always|usually|normally|typically|generally|tend to) (?:choose|pick|go (?:for|with)|use|order|opt for|buy|drink|eat|wear|avoid|take)\\b`,
      ),
      strength: 0.8,
      category: 'habits',
    },
    neverUses: {
      pattern: rx(
        `^(?:I|we) (?:never|do not|no longer|rarely) (?:drink|eat|smoke|wear|use|buy|watch|fly|cook|touch)\\b`,
      ),
      strength: 0.82,
      category: 'dislikes',
      except: /\b(?:know|much time|yet)\b/u,
    },
  },
);
