import type { Answered } from './connection.ts';
import type { Page } from './records.ts';

type Read<T> = (cursor: string | undefined) => Promise<Answered<Page<T>>>;

/** A list: iterate it for all its records, or await it for its first page. A page is asked for when it is needed. */
export class Pages<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #read: Read<T>;

  constructor(read: Read<T>) {
    this.#read = read;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- the first page is awaited
  then<A = Page<T>, B = never>(
    done?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const page = this.#read(undefined).then(({ data }) => data);
    return page.then(done, failed);
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined;
    do {
      const { data: page } = await this.#read(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}
