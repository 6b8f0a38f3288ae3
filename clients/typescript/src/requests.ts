import { Call } from './call.ts';
import { pathOf, type ApiRequest, type Connection, type RequestOptions } from './connection.ts';
import { Pages } from './pages.ts';
import type { Page } from './records.ts';

/** A path is written when the call is made, so that what is wrong with an id is told as the call's own error. */
type Path = string | (() => string);

/** `/v1/memories/{memory_id}` with the ids in their places. */
export const at =
  (template: string, ...ids: readonly string[]): Path =>
  () =>
    pathOf(template, ids);

/** The requests that the groups of methods are made of. */
export class Requests {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get<T>(path: Path, query: object = {}, options?: RequestOptions): Call<T> {
    return this.#call({ method: 'GET', query }, path, options);
  }

  /** Pages of a list, each asked for when it is needed. */
  list<T>(path: Path, query: object, options?: RequestOptions): Pages<T> {
    return new Pages((cursor) => this.get<Page<T>>(path, { ...query, cursor }, options).withResponse());
  }

  post<T>(path: Path, body: object, options?: RequestOptions): Call<T> {
    return this.#call({ method: 'POST', body, isWrite: true }, path, options);
  }

  /** A POST without a body. */
  act<T>(path: Path, query: object = {}, options?: RequestOptions): Call<T> {
    return this.#call({ method: 'POST', query, isWrite: true }, path, options);
  }

  patch<T>(path: Path, { body, query }: { body: object; query?: object }, options?: RequestOptions): Call<T> {
    return this.#call({ method: 'PATCH', body, query }, path, options);
  }

  delete<T>(path: Path, query: object = {}, options?: RequestOptions): Call<T> {
    return this.#call({ method: 'DELETE', query }, path, options);
  }

  /** The JSON values of an answer, a line each, as they come. */
  async *lines<T>(path: Path, query: object, options?: RequestOptions): AsyncGenerator<T, void, undefined> {
    let rest = '';
    for await (const part of this.#connection.read({ method: 'GET', path: written(path), query }, options)) {
      const lines = (rest + part).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line !== '') yield JSON.parse(line) as T;
    }
    if (rest !== '') yield JSON.parse(rest) as T;
  }

  #call<T>(request: Omit<ApiRequest, 'path'>, path: Path, options?: RequestOptions): Call<T> {
    const send = async () => this.#connection.send<T>({ ...request, path: written(path) }, options);
    return new Call(send());
  }
}

const written = (path: Path) => (typeof path === 'string' ? path : path());
