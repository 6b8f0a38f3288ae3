/** An event as a browser would see it; `name` is empty for the comments that it does not show. */
export interface SeenEvent {
  readonly name: string;
  readonly id: string;
  readonly data: any;
}

/** A connection to server-sent events, read as they come. */
export interface Watcher {
  readonly status: number;
  readonly headers: Headers;
  /** The next event of this name, or undefined when the stream has ended; others are passed over. */
  next(name: string): Promise<SeenEvent | undefined>;
  /** The body of an answer that is no stream. */
  json(): Promise<any>;
  leave(): void;
}

export async function watch(url: string, headers: Record<string, string> = {}): Promise<Watcher> {
  const left = new AbortController();
  const response = await fetch(url, { headers, signal: left.signal });
  const events = eventsOf(response);
  return {
    status: response.status,
    headers: response.headers,
    async next(name) {
      while (true) {
        const { done, value } = await events.next();
        if (done) return undefined;
        if (value.name === name) return value;
      }
    },
    json: () => response.json(),
    leave: () => left.abort(),
  };
}

async function* eventsOf(response: Response): AsyncGenerator<SeenEvent, undefined> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    while (text.includes('\n\n')) {
      const frame = text.slice(0, text.indexOf('\n\n'));
      text = text.slice(frame.length + 2);
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? '';
      yield { name: field('event'), id: field('id'), data: field('data') && JSON.parse(field('data')) };
    }
  }
  return undefined;
}
