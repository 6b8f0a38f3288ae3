import { DomainError, fieldError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';

/**
 * Values, and names of members, of one body: each becomes something in memory, however short it is written. Twice what
 * the longest document has, and few enough that `JSON.parse` keeps the thread for some tens of milliseconds.
 */
const maxValues = limits.bodyValues.max;
/** Deeper than any body of ours; what is stored or compared by recursion must not run out of stack. */
const maxDepth = limits.bodyDepth.max;
/** Members of one object: more than the largest metadata has, and fewer than make an object slow to build. */
const maxMembers = limits.bodyMembers.max;
/** Longer names are cut in messages to the caller. */
const maxNameBytes = 80;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Measures a JSON text while it arrives, so that one that would become millions of objects is refused before it becomes
 * any. It counts brackets, commas and colons outside of strings and checks no grammar: that is the parser's part. See
 * docs/decisions/0044.
 */
export class JsonMeter {
  readonly #maxBytes: number;
  #bytes = 0;
  #values = 1;
  #isInString = false;
  #isEscaped = false;
  /** For each open bracket, innermost last: the members so far of an object, or -1 for a list. */
  readonly #members: number[] = [];
  /** The name of the outermost object's member that is being read. */
  #name: number[] = [];
  #isName = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `payload_too_large` or `invalid_input` as soon as a limit is passed. */
  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (this.#isInString) this.#takeText(byte);
      else if (byte <= closeBrace) this.#takeMark(byte);
    }
    if (this.#bytes <= this.#maxBytes) return;
    throw this.#tooLarge(`the body is longer than the ${shown(this.#maxBytes)} bytes that are taken here`);
  }

  #takeText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      this.#isName = false;
      return;
    }
    if (this.#isName && this.#name.length < maxNameBytes) this.#name.push(byte);
  }

  #takeMark(byte: number): void {
    switch (byte) {
      case quote:
        this.#isInString = true;
        return;
      case openBrace:
        return this.#open(0);
      case openBracket:
        return this.#open(-1);
      case closeBrace:
      case closeBracket:
        this.#members.pop();
        return;
      case comma:
        return this.#count();
      case colon:
        this.#isName = false;
        return this.#countMember();
      default:
    }
  }

  #open(members: number): void {
    this.#members.push(members);
    if (this.#members.length > maxDepth) {
      const message = `the body is nested too deeply: at most ${maxDepth} levels`;
      throw this.#refused('invalid_input', message);
    }
    this.#count();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > maxValues) {
      throw this.#tooLarge(`the body has more than ${shown(maxValues)} values: send it in parts`);
    }
    if (this.#members.length === 1) this.#expectName();
  }

  #countMember(): void {
    const innermost = this.#members.length - 1;
    const members = (this.#members[innermost] ?? 0) + 1;
    if (innermost >= 0) this.#members[innermost] = members;
    if (members > maxMembers) throw this.#tooLarge(`an object has more than ${shown(maxMembers)} members`);
    this.#values += 1;
  }

  #expectName(): void {
    if (this.#members[0]! < 0) return;
    this.#isName = true;
    this.#name = [];
  }

  #tooLarge(message: string): DomainError {
    return this.#refused('payload_too_large', message);
  }

  #refused(code: 'payload_too_large' | 'invalid_input', message: string): DomainError {
    const field = Buffer.from(this.#name).toString();
    if (!/^\w+$/.test(field)) return new DomainError(code, message);
    return fieldError(code, field, message);
  }
}

const shown = (count: number) => count.toLocaleString('en');
