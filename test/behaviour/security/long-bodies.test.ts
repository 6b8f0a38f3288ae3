import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readJsonBody } from '../../../src/transports/http/read-json.ts';

const read = (text: string) =>
  readJsonBody(Readable.from([Buffer.from(text)]), {
    maxBytes: 1 << 20,
    declaredBytes: text.length,
    enter: async () => undefined,
  });
const longText = (letter: string) => JSON.stringify({ document: letter.repeat(200_000) });

test('between long bodies that arrive together, others have many turns of the event loop', async () => {
  const stopping = new AbortController();
  let turn = 0;
  const count = async () => {
    for (; !stopping.signal.aborted; turn++) await setImmediate();
  };
  const counting = count();
  const turns = await Promise.all(['a', 'b', 'c'].map(async (letter) => read(longText(letter)).then(() => turn)));
  stopping.abort();
  await counting;
  const between = turns.slice(1).map((each, n) => each - turns[n]!);
  expect(Math.min(...between)).toBeGreaterThan(10);
});

test('one that cannot be parsed is refused, and holds up none behind it', async () => {
  const ended = await Promise.allSettled([read(`${longText('a')}}`), read(longText('b'))]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
