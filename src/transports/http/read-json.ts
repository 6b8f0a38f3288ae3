import { DomainError } from '../../domain/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Deeper than any body of ours; what is stored or compared by recursion must not run out of stack. */
const maxDepth = 32;

const refused = (message: string) => new DomainError('invalid_input', message);

/** The value of a JSON body. Keys named `__proto__` become ordinary properties, so they reach no prototype. */
export function readJson(bytes: Buffer): unknown {
  const value = parse(decode(bytes));
  if (isDeeperThan(maxDepth, value)) throw refused(`the body is nested too deeply: at most ${maxDepth} levels`);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refused('the body is not UTF-8');
  }
}

function parse(text: string): unknown {
  if (text === '') throw refused('the body is empty: send a JSON object');
  try {
    return JSON.parse(text);
  } catch (error) {
    // Only the position: the rest of the message quotes the body.
    const position = /at position \d+/.exec((error as Error).message)?.[0];
    throw refused(`the body is not valid JSON${position ? ` (${position})` : ''}`);
  }
}

/** Level by level instead of by recursion, which is what it protects others from. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
