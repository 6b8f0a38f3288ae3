/** One object of a JSON text: what its fields say, in words, and the object as it stands in the text. */
export interface JsonRecord {
  readonly content: string;
  readonly quote: string;
}

/** The records of a JSON text, and how many fields were left out of them as too long for a memory. */
export interface JsonRecords {
  readonly records: readonly JsonRecord[];
  readonly leftOut: number;
}

/** More records than these are no list that somebody wants remembered one by one, and deeper fields are structure. */
const max = { records: 2_000, depth: 6, characters: 2_000 } as const;

/**
 * The objects of a text that is one JSON object, or a list of them; null where it is neither, or has too many. Their
 * fields become words (`favourite_colour` is "favourite colour"), so that they are found by name and by value.
 */
export function parseJsonRecords(text: string): JsonRecords | null {
  const trimmed = text.trim();
  if (!/^(?:\{.*\}|\[\s*\{.*\}\s*\])$/su.test(trimmed)) return null;
  const parsed = parsedOrNull(trimmed);
  const values: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (!values.length || values.length > max.records || !values.every(isObject)) return null;
  const quotes = Array.isArray(parsed) ? objectsOf(trimmed) : [trimmed];
  const read = values.map((value, n) => ({ ...wordsOf(value), quote: quotes[n] ?? '' }));
  const records = read.flatMap(({ content, quote }) => (content && quote ? [{ content, quote }] : []));
  return records.length ? { records, leftOut: read.reduce((sum, { leftOut }) => sum + leftOut, 0) } : null;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a list of objects, as they are written. */
function objectsOf(list: string): string[] {
  const objects: string[] = [];
  let [depth, start, isString] = [0, 0, false];
  for (let at = 0; at < list.length; at += 1) {
    const mark = list[at];
    if (isString) {
      if (mark === '\\') at += 1;
      else if (mark === '"') isString = false;
    } else if (mark === '"') isString = true;
    else if (mark === '{' || mark === '[') {
      depth += 1;
      if (depth === 2) start = at;
    } else if (mark === '}' || mark === ']') {
      if (depth === 2) objects.push(list.slice(start, at + 1));
      depth -= 1;
    }
  }
  return objects;
}

/** "name: Priya; address city: York". A field with which it would be longer than a memory is left out whole. */
function wordsOf(record: Readonly<Record<string, unknown>>): { content: string; leftOut: number } {
  let [content, leftOut] = ['', 0];
  for (const field of fieldsOf(record, [])) {
    const next = content ? `${content}; ${field}` : field;
    if (next.length > max.characters) leftOut += 1;
    else content = next;
  }
  return { content, leftOut };
}

function* fieldsOf(value: unknown, path: readonly string[]): Generator<string> {
  if (path.length > max.depth || value === null) return;
  if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* fieldsOf(member, [...path, asWords(name)]);
  } else if (Array.isArray(value)) {
    // Only objects make the path longer, so that lists within lists are opened here: they may be nested without end.
    const members = value.flat(max.depth);
    const plain = members.filter((each) => typeof each !== 'object');
    if (plain.length) yield `${path.join(' ')}: ${plain.join(', ')}`;
    for (const each of members) if (isObject(each)) yield* fieldsOf(each, path);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    if (value !== '') yield `${path.join(' ')}: ${String(value)}`;
  }
}

const asWords = (name: string): string =>
  name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|[_.-]+/gu, ' ')
    .trim()
    .toLowerCase();
