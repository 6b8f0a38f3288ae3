import { splitSentences } from '../language/sentences.ts';
import { isSmallTalk } from './small-talk.ts';

/** More words than these tell something while they ask: "Can you plan the move to Graz that we put off in spring?". */
const mostAsked = 12;
const asks = (sentence: string): boolean => /\?["'”»)\]]*$/u.test(sentence);
/** Numbers, addresses, and signs of code: each may be what somebody looks for later. */
const tellsDetail = /[\p{N}@/\\`=_<>{}]/u;

/** Whether a text asks in few words and says nothing, small talk aside. */
export function isBareQuestion(text: string): boolean {
  if (!text.includes('?') || tellsDetail.test(text) || text.trim().split(/\s+/u).length > mostAsked) return false;
  return splitSentences(text).every((sentence) => asks(sentence.text) || isSmallTalk(sentence.text));
}
