import { negationWords, stopWords } from '../language/stop-words.ts';
import { endsWithQuestionMark, splitSentences } from '../language/sentences.ts';
import { isSmallTalk } from './small-talk.ts';

const told = 'told|mentioned|said|shared|noted|stated|explained|asked|let me know';
const recalled = 'remember|recall|know|remembered|noted|stored|saved|have';
// How an assistant announces that it repeats what it was told; the recap ends with the sentence, or goes on after a
// colon for as long as it speaks of the user.
const preamble = new RegExp(
  String.raw`^(?:(?:so|ok|okay|right|sure|well|yes|of course|just|hi|hello|again)\b[,.!]?\s+)*(?:` +
    [
      String.raw`as (?:you|we) (?:have |had |previously |already |just |once )*(?:${told}|discussed)`,
      String.raw`(?:you|you've|you have) (?:have |had |previously |already |just |once |also )*(?:told me|mentioned|let me know)\b`,
      String.raw`(?:just )?(?:to|a quick|let me|quickly) (?:quickly )?(?:recap|summari[sz]e|remind you|reminder|recall)`,
      String.raw`(?:a )?(?:quick )?recap\b`,
      String.raw`here(?:'s| is| are)? (?:\w+ ){0,3}?(?:I|we) (?:already |currently )?(?:${recalled})`,
      String.raw`(?:from|based on|according to|per|going by|looking at) (?:your|my|our|the|what) (?:\w+ )?(?:memor(?:y|ies)|notes|records|profile|history|you(?:'ve| have)? (?:told|said|shared|mentioned)|(?:past|previous|earlier|last) (?:conversations?|chats?|sessions?|messages?))`,
      String.raw`(?:I|we) (?:still |also |do )*(?:remember|recall)(?: that)?\b`,
      String.raw`(?:last time|earlier|previously|before)[^.:]{0,20} you (?:${told})`,
      String.raw`what I (?:remember|know|recall)`,
      String.raw`my (?:memory|notes|records) (?:say|says|show|shows|tell)`,
    ].join('|') +
    ')',
  'iu',
);
const aboutUser = /^["“]?(?:you|your|you're|you've|I|I'm|I've|my|our|we)\b/iu;
const listed = /^\s*(?:[-*•]|\d+[.)])\s/u;

/**
 * Whether an assistant's turn only says again what it was told: each of its sentences belongs to an announced recap,
 * is small talk, or has no content word beyond one earlier statement of the document.
 */
export function isEcho(text: string, statements: EarlierStatements): boolean {
  let [isRecap, hasEcho] = [false, false];
  const isListed = listItemsIn(text);
  for (const sentence of splitSentences(text)) {
    if (preamble.test(sentence.text)) {
      isRecap = hasEcho = true;
    } else if (isRecap && (aboutUser.test(sentence.text) || isListed(sentence.start))) {
      hasEcho = true;
    } else if (isSmallTalk(sentence.text)) {
      continue;
    } else if (isSaid(sentence.text, statements)) {
      hasEcho = true;
    } else {
      return false;
    }
  }
  return hasEcho;
}

/** Whether a place is in an item of a list. Ask from front to back, so that a long line is read once. */
function listItemsIn(text: string): (at: number) => boolean {
  let [next, isItem] = [text.indexOf('\n'), listed.test(text)];
  return (at) => {
    while (next !== -1 && next <= at) {
      const start = next + 1;
      next = text.indexOf('\n', start);
      isItem = listed.test(text.slice(start));
    }
    return isItem;
  };
}

function isSaid(sentence: string, statements: EarlierStatements): boolean {
  const opening = /^[^,]{1,30}, /u.exec(sentence)?.[0] ?? ''; // "Got it, you row on Sundays"
  const words = withoutEchoPhrases(isSmallTalk(opening) ? sentence.slice(opening.length) : sentence);
  return words.size >= 2 && statements.includeAll(words);
}

/**
 * A sentence is compared with so many of the statements that have one of its words, the latest: an echo follows what it
 * repeats.
 */
const mostCompared = 200;

/** The content words of what people said in a document, found by their rarest word. */
export class EarlierStatements {
  readonly #byWord = new Map<string, ReadonlySet<string>[]>();

  add(words: ReadonlySet<string>): void {
    for (const word of words) {
      const statements = this.#byWord.get(word);
      if (statements) statements.push(words);
      else this.#byWord.set(word, [words]);
    }
  }

  /** Whether one statement has all of the words. */
  includeAll(words: ReadonlySet<string>): boolean {
    const withWord = [...words].map((word) => this.#byWord.get(word) ?? []);
    const fewest = withWord.reduce((min, each) => (each.length < min.length ? each : min));
    return fewest.slice(-mostCompared).some((said) => [...words].every((word) => said.has(word)));
  }
}

/** The content words of a statement, cut to five letters so that endings do not count; of a question, none. */
export function withoutEchoPhrases(text: string): Set<string> {
  const content = new Set<string>();
  for (const sentence of splitSentences(text)) {
    if (endsWithQuestionMark(sentence.text)) continue;
    for (const word of sentence.text
      .toLowerCase()
      .replace(/n['’]t\b/gu, ' not')
      .match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (!stopWords.has(word) || negationWords.has(word)) content.add(/^\p{N}/u.test(word) ? word : word.slice(0, 5));
    }
  }
  return content;
}
