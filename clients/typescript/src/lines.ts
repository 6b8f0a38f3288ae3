import { ConnectionFailedError } from './errors.ts';

/** The JSON values of an answer, a line each, as they come. */
export async function* jsonLines<T>(response: Response): AsyncGenerator<T, void, undefined> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new ConnectionFailedError('the connection was lost before the end', { cause });
      });
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line !== '') yield JSON.parse(line) as T;
    }
    if (rest !== '') yield JSON.parse(rest) as T;
  } finally {
    await reader.cancel().catch(() => undefined); // whoever stops reading does not pay for the rest
  }
}
