import { splitSentences } from '../language/sentences.ts';
import { isSmallTalk } from './small-talk.ts';

/** More words than these tell something while they ask: "Can you plan the move to Graz that we put off in spring?". */
const mostAsked = 12;
/** Matches a question that states what it asks to confirm: "My wife is Ana, right?". */
const tag =
  /(?:[,;–—]|\s-)\s*¿?(?:right|correct|ok(?:ay)?|remember|you know|yeah|no|(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|wo|ca|should)n['’]t (?:I|you|he|she|it|we|they)|oder(?: nicht)?|nicht(?: wahr)?|gell|ne|verdad|vale|non|hein|n['’]est-ce pas)[^\p{L}\p{N}]*$/iu;
/** Matches a statement that only its mark makes a question: "I live in York?". */
const tells =
  /^["'“«(–—-]*\s*(?:(?:I|we|my|our|ich|wir|(?:mein|unser)(?:e[mnrs]?)?|yo|mis?|nuestr[oa]s?|je|mon|ma|mes|notre)(?!\p{L})|j['’])/iu;
const asks = (sentence: string): boolean =>
  /\?["'”»)\]]*$/u.test(sentence) && !tag.test(sentence) && !tells.test(sentence);
/** Numbers, addresses, and signs of code: each may be what somebody looks for later. */
const tellsDetail = /[\p{N}@/\\`=_<>{}]/u;

/** Whether a text asks in few words and says nothing, small talk aside. */
export function isBareQuestion(text: string): boolean {
  if (!text.includes('?') || tellsDetail.test(text) || text.trim().split(/\s+/u).length > mostAsked) return false;
  return splitSentences(text).every((sentence) => asks(sentence.text) || isSmallTalk(sentence.text));
}
