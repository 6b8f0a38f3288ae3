import { family, rx } from '../rule.ts';
import { demonyms, states } from './self-descriptions.ts';

const given = String.raw`(?:\p{Lu}['’])?\p{Lu}\p{Ll}+(?:['’-]?\p{Lu}\p{Ll}+)*`;

const endInEd = String.raw`(?:(?:Al|Wil|Man|Win|Wini)?[Ff]red|Mildred|Jared|(?:Mo|Mu)hamm?ed|Ahmed|Hamed|Mehmed|Khaled|Waled|Rashed|Majed|Javed)(?![\p{L}'’-])`;

const idle =
  /^(?:I|we) (?:am|was|have) (?:\p{Ll}+ )?(?:sure|sorry|here|there|back|done|ready|able|afraid|going|trying|looking|wondering|asking|talking|thinking|saying|having|not sure|a (?:bit|little)|so|glad|happy|curious|(?:a )?(?:few |some )?questions?|to (?:go|say)|no idea|good|fine|ok|okay|in)\b/u;

/** Who the speaker is. */
export const identity = family(
  { type: 'facts', name: 'identity', category: 'identity' },
  {
    namedOrBorn: {
      pattern: rx(
        `^(?:my (?:full |first |last |middle |user |maiden )?name is|I am called|people call me|I go by|my (?:nickname|pronouns|birthday|nationality|ethnicity|religion|zodiac sign|star sign)\\b|I was born|I identify as|I am (?:\\d{1,3}(?: years? old)?$|originally from|from \\p{Lu})|I (?:come|hail) from|I turned \\d)`,
      ),
      strength: 0.92,
    },
    named: {
      pattern: rx(
        `^I am (?:called |named )?${given}(?: ${given}){0,2}(?=$|,|\\s?[(–—]| - | from \\p{Lu}| and \\p{Ll}| here$)`,
      ),
      strength: 0.9,
      except: rx(
        `^I am (?:\\p{L}[\\p{L}'’-]* ){0,2}?(?:${demonyms}|${states})(?![\\p{L}'’-])|^I am (?!${endInEd})\\p{L}+(?:[^aeiouy\\W]ed|\\p{L}{3}ing|ful|less|ious|able|ible|ated|ized|ised)(?![\\p{L}'’-])`,
      ),
    },
    nationality: {
      pattern: rx(
        `^I am (?:(?:originally|half|part|also|a|an) |\\p{Lu}\\p{Ll}+[- ])?(?:${demonyms})(?=$|,| and | by | but | on | living | in | \\(|-)`,
      ),
      strength: 0.87,
    },
    raisedOrAble: {
      pattern: rx(
        `^I (?:grew up|was raised|speak \\p{Lu}|am (?:fluent|bilingual|left-handed|right-handed|an? (?:native|immigrant|introvert|extrovert|twin|veteran|only child)))`,
      ),
      strength: 0.88,
    },
    marital: {
      pattern: rx(`^I am (?:single|married|divorced|engaged|widowed|separated|pregnant|gay|straight|trans|adopted)\\b`),
      strength: 0.85,
    },
    can: {
      pattern: rx(
        `^(?:I|we) (?:can|cannot|know how to) (?:play|speak|swim|drive|ride|cook|code|read|sing|dance|write|juggle|ski)\\b`,
      ),
      strength: 0.78,
    },
    is: { pattern: rx(`^I (?:am|was) (?:an? |the )?\\p{L}+ .*`), strength: 0.6, except: idle },
  },
);
