const dates =
  /\b(yesterday|today|tonight|tomorrow|ago|last|next|this (week|month|year|weekend|morning|summer|winter|spring|fall)|(mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|weekend|(19|20)\d\d|\d{1,2}(st|nd|rd|th)|recently|since|deadline)\b/i;
const replies = /^(hmm|ok|okay|yeah|thanks|thank you|sure|got it|great|cool|wow|hey|hi)\b/i;
const instructs =
  /\b(from now on|going forward|every time)\b|\bwhen(ever)? i (ask|request|mention|talk|inquire)\b|(^|[.!]\s+)(please )?(always|never|make sure|remember to|don'?t ever)\b/i;
const prefers =
  /\bi('d)? ((really|generally|usually|would|much|definitely|strongly|typically|also) )*(prefer|rather|like to|love to|favou?r|appreciate)\b|\bmy (favou?rite|preference|preferred)\b|\brather than\b|\binstead of\b|\bi('m| am) (more )?(comfortable|inclined|keen|a fan)\b|\bi (don'?t|do not) (like|want|enjoy)\b|\bi value\b/i;
const denies = /\b(never|not|haven'?t|hasn'?t|didn'?t|don'?t|doesn'?t|no longer)\b/i;
const asks = /\?/;
const numbers = /\d/;
const accents = /[\u00c0-\u024f]/;
const thousands = /\d,\d/;

/** A text, and who said it: `user`, `assistant` or another. */
interface Said {
  readonly text: string;
  readonly role: string;
}

/** In the order of their bits. */
const patterns = [asks, replies, dates, numbers, instructs, prefers, denies, accents, thousands];

/**
 * What the words of a memory show about it. English patterns: in other languages they are silent and decide nothing. Each
 * is looked for when it is first asked for: a pool holds hundreds of long texts, and few questions make all of it matter.
 */
export class Wording {
  readonly #text: string;
  readonly #isOwn: boolean;
  /** Which patterns were looked for, and which of them were found, a bit each. */
  #looked = 0;
  #found = 0;

  constructor({ text, role }: Said) {
    this.#text = text;
    this.#isOwn = role !== 'assistant';
  }

  get asks(): boolean {
    return this.#has(asks);
  }

  /** Begins by answering the turn before it: "Yeah", "Hmm", "Thanks". */
  get replies(): boolean {
    return this.#has(replies);
  }

  /** Names a date, a weekday or a distance in time. */
  get dates(): boolean {
    return this.#has(dates);
  }

  get numbers(): boolean {
    return this.#has(numbers);
  }

  /** Tells the assistant how to behave from now on. */
  get instructs(): boolean {
    return this.#isOwn && this.#has(instructs);
  }

  get prefers(): boolean {
    return this.#isOwn && this.#has(prefers);
  }

  get denies(): boolean {
    return this.#has(denies);
  }

  /** Letters that its stems are not told from at sight. */
  get isAccented(): boolean {
    return this.#has(accents);
  }

  get hasThousands(): boolean {
    return this.#has(thousands);
  }

  #has(pattern: RegExp): boolean {
    const bit = 1 << patterns.indexOf(pattern);
    if ((this.#looked & bit) === 0) {
      this.#looked |= bit;
      if (pattern.test(this.#text)) this.#found |= bit;
    }
    return (this.#found & bit) !== 0;
  }
}

/** Kept as long as the rows are, which may be cached. */
const known = new WeakMap<Said, Wording>();

export function wordingOf(row: Said): Wording {
  let wording = known.get(row);
  if (!wording) known.set(row, (wording = new Wording(row)));
  return wording;
}
