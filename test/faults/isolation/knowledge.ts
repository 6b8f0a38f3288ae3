import type { Isolation, SubjectIds, Scope } from '../../../src/domain/tenancy/access.ts';

/** A text that somebody sent. Its mark is a word that is in no other text. */
export interface Text {
  readonly mark: string;
  /** Which of the two instances. */
  readonly house: number;
  readonly scope: Scope;
  readonly userId: string;
  readonly customerId: string;
  readonly documentId: string;
  readonly ingestionId: string;
  readonly memoryIds: readonly string[];
  /** It was kept word for word, and its mark is in its metadata. */
  readonly isRecord: boolean;
  /** Nothing that is said later takes its place. */
  readonly lasts: boolean;
  /**
   * `reduced`: some of its memories were forgotten, so it may be in an answer and need not; `emptied`: all of them with
   * its words, so it may not, and its document is still there to be forgotten.
   */
  state: 'whole' | 'reduced' | 'archived' | 'emptied' | 'forgotten';
}

/** What the service was told, and who may read what of it: written from the table of scopes alone. */
export class Knowledge {
  readonly texts: Text[] = [];
  readonly #conversations = new Map<string, SubjectIds>();
  readonly isolations: readonly Isolation[];

  constructor(isolations: readonly Isolation[]) {
    this.isolations = isolations;
  }

  /** What a fetch, a stream or a narrowed route may show. */
  readableBy(house: number, named: SubjectIds): Text[] {
    return this.#of(house).filter((text) => this.isOf(text, house, named));
  }

  /** Whether these may read it, or might if it was still there. */
  isOf(text: Text, house: number, { userId, customerId }: SubjectIds): boolean {
    const isOpen = this.isolations[house] === 'b2c';
    if (text.house !== house) return false;
    if (text.scope === 'CLIENT') return true;
    if (text.scope === 'CUSTOMER') return text.customerId === customerId;
    if (text.userId !== userId) return false;
    if (customerId === undefined) return isOpen;
    return text.customerId === customerId || (text.customerId === '' && isOpen);
  }

  /** What a list, an export or the forgetting of these ids is about. */
  ownedBy(house: number, { userId, customerId }: SubjectIds): Text[] {
    return this.#of(house).filter(
      (text) =>
        (userId === undefined || text.userId === userId) &&
        (customerId === undefined || text.customerId === customerId),
    );
  }

  /** Whose a conversation is: of those who are first seen in it. */
  bind(house: number, conversationId: string, named: SubjectIds): void {
    const key = `${house}/${conversationId}`;
    if (!this.#conversations.has(key)) this.#conversations.set(key, named);
  }

  speakerIn(house: number, conversationId: string): SubjectIds | undefined {
    return this.#conversations.get(`${house}/${conversationId}`);
  }

  /** Owners go with all that is theirs. */
  forgetOwner(house: number, named: SubjectIds): void {
    for (const text of this.ownedBy(house, named)) text.state = 'forgotten';
    for (const [key, speaker] of this.#conversations) {
      const isTheirs =
        key.startsWith(`${house}/`) &&
        (named.userId === undefined || speaker.userId === named.userId) &&
        (named.customerId === undefined || speaker.customerId === named.customerId);
      if (isTheirs) this.#conversations.delete(key);
    }
  }

  #of(house: number): Text[] {
    return this.texts.filter(({ house: at, state }) => at === house && state !== 'emptied' && state !== 'forgotten');
  }
}

export const markPattern = /zanq[a-z]+/gi;

/** A word that is a name, has no other meaning, and whose stem is its own: the n-th of them. */
export function markOf(n: number): string {
  const letters = n
    .toString(19)
    .padStart(4, '0')
    .replace(/./g, (digit) => 'bcdfghjklmnpqrtvwxz'[Number.parseInt(digit, 19)]!);
  return `Zanq${letters}o`;
}
