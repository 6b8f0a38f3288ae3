import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { DomainError } from '../../domain/errors.ts';
import { JsonMeter } from './json-meter.ts';
import { limits } from '../../domain/limits.ts';

export interface BodyReadOptions {
  /** Bytes that are taken at most. */
  readonly maxBytes: number;
  /** The Content-Length, where the sender gave one. */
  readonly declaredBytes: number | undefined;
  /** Awaited before more than `smallBodyBytes` are kept. */
  readonly enter: () => Promise<void>;
  /** Told each piece of the body as it was sent. */
  readonly heard?: ((chunk: Buffer) => void) | undefined;
}

/** A body up to this size takes no place among the large ones. */
export const smallBodyBytes = limits.body.max;

/** Characters of a body that is parsed at once, which takes a millisecond or two; longer ones are parsed in turn. */
const parsedAtOnce = 128 * 1024;

const refused = (message: string) => new DomainError('invalid_input', message);

/**
 * The value of a JSON body; undefined for an empty one. The body is measured and decoded while it arrives, so that one
 * that is refused was never kept, and none is read as a whole but by `JSON.parse`. Keys named `__proto__` become ordinary
 * properties, so they reach no prototype.
 */
export async function readJsonBody(body: Readable, reading: BodyReadOptions): Promise<unknown> {
  try {
    const text = await textOf(body, reading);
    return text.length > parsedAtOnce ? await parseInTurn(text) : parse(text);
  } catch (error) {
    body.resume(); // what else is sent is passed by, so that its sender comes to read the answer
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid_input', 'the body did not arrive whole', { cause: error });
  }
}

const oneAtATime = pLimit(1);
/** The rest after parsing a long body, in which other requests get turns of the event loop. */
const restMs = 25;

/** Long bodies that arrive together are parsed one after the other with a rest between, so that others are answered then. */
function parseInTurn(text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    void oneAtATime(async () => {
      try {
        resolve(parse(text));
      } catch (error) {
        reject(error);
      }
      await pause(restMs);
    });
  });
}

async function textOf(body: Readable, { maxBytes, declaredBytes = 0, enter, heard }: BodyReadOptions): Promise<string> {
  const meter = new JsonMeter(maxBytes);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const isKept = declaredBytes <= maxBytes; // else it is read only as far as the field that makes it too long
  let hasEntered = false;
  let text = '';
  // Without `destroyOnReturn` a refusal would end the connection instead of answering on it.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    meter.take(chunk);
    if (!isKept) continue;
    if (!hasEntered && meter.bytes > smallBodyBytes) {
      await enter();
      hasEntered = true;
    }
    heard?.(chunk);
    text += decode(utf8, chunk);
  }
  return text + decode(utf8);
}

function decode(utf8: InstanceType<typeof TextDecoder>, chunk?: Buffer): string {
  try {
    return utf8.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw refused('the body is not UTF-8');
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    // Only the position: the rest of the message quotes the body.
    const position = /at position \d+/.exec((error as Error).message)?.[0];
    throw refused(`the body is not valid JSON${position ? ` (${position})` : ''}`);
  }
}
