import { limits } from '../../domain/limits.ts';
import { storableText } from '../../domain/plain-text.ts';

/** More text than a document may have. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

/** Puts a text together out of pieces, up to the length of a document. */
export class TextBuilder {
  readonly #pieces: string[] = [];
  #bytes = 0;

  /** Throws `TooLongError`. */
  add(piece: string): void {
    this.#bytes += Buffer.byteLength(piece);
    if (this.#bytes > limits.document.max) throw new TooLongError('a file holds too much text');
    this.#pieces.push(piece);
  }

  /** The text, with what no Unicode text can hold replaced. */
  end(): string {
    return storableText(this.#pieces.join(''));
  }
}
