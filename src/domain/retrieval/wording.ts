import type { QueryTraits } from './query.ts';

/** What the words of a memory show about it. English patterns: in other languages they are silent and decide nothing. */
export interface Wording {
  readonly asks: boolean;
  /** Begins by answering the turn before it: "Yeah", "Hmm", "Thanks". */
  readonly replies: boolean;
  /** Names a date, a weekday or a distance in time. */
  readonly dates: boolean;
  readonly numbers: boolean;
  /** Tells the assistant how to behave from now on. */
  readonly instructs: boolean;
  readonly prefers: boolean;
  readonly denies: boolean;
}

const dates =
  /\b(yesterday|today|tonight|tomorrow|ago|last|next|this (week|month|year|weekend|morning|summer|winter|spring|fall)|(mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|weekend|(19|20)\d\d|\d{1,2}(st|nd|rd|th)|recently|since|deadline)\b/i;
const replies = /^(hmm|ok|okay|yeah|thanks|thank you|sure|got it|great|cool|wow|hey|hi)\b/i;
const instructs =
  /\b(from now on|going forward|every time)\b|\bwhen(ever)? i (ask|request|mention|talk|inquire)\b|(^|[.!]\s+)(please )?(always|never|make sure|remember to|don'?t ever)\b/i;
const prefers =
  /\bi('d)? ((really|generally|usually|would|much|definitely|strongly|typically|also) )*(prefer|rather|like to|love to|favou?r|appreciate)\b|\bmy (favou?rite|preference|preferred)\b|\brather than\b|\binstead of\b|\bi('m| am) (more )?(comfortable|inclined|keen|a fan)\b|\bi (don'?t|do not) (like|want|enjoy)\b|\bi value\b/i;
const denies = /\b(never|not|haven'?t|hasn'?t|didn'?t|don'?t|doesn'?t|no longer)\b/i;

/** Reads only what the question makes matter: a pool holds hundreds of long texts. */
export function wordingOf(text: string, role: string, traits: QueryTraits): Wording {
  const own = role !== 'assistant';
  return {
    asks: text.includes('?'),
    replies: replies.test(text),
    dates: traits.asksWhen && dates.test(text),
    numbers: traits.asksHowMany && /\d/.test(text),
    instructs: own && instructs.test(text),
    prefers: own && prefers.test(text),
    denies: traits.asksWhether && denies.test(text),
  };
}
