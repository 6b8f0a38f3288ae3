import type { ContextMemory } from '../../domain/memories/scored-memory.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** The mark in the metadata by which a framework knows its records, and the other members that make their key. */
const keysByMark: Readonly<Record<string, readonly string[]>> = {
  lg_cp: ['thread_id', 'checkpoint_ns'],
  lg_cp_writes: ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id'],
  lg_store: ['lg_store_ns', 'lg_store_key'],
  agno_user_memory: ['memory_id'],
  verbatim: [],
};
const marks = Object.keys(keysByMark);

const markOf = (metadata: Metadata | null | undefined) => marks.find((mark) => metadata?.[mark] === true);

/**
 * Whether a framework keeps something as a record: it is one memory then, word for word, readable once it is answered.
 */
export const isFrameworkRecord = (metadata: Metadata | undefined): boolean => markOf(metadata) !== undefined;

/**
 * The memories in their order, but of records of one key the newest first: a framework that writes a record again takes
 * the first one of its key for what it wrote last.
 */
export function orderRecordsNewestFirst(memories: readonly ContextMemory[]): ContextMemory[] {
  const byKey = new Map<string, ContextMemory[]>(memories.map((memory) => [keyOf(memory), []]));
  for (const memory of memories.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime()))
    byKey.get(keyOf(memory))!.push(memory);
  return memories.map((memory) => byKey.get(keyOf(memory))!.shift()!);
}

/** The key of a record; a memory that is none has a key of its own. */
function keyOf({ uuid, metadata }: Pick<ContextMemory, 'uuid' | 'metadata'>): string {
  const mark = markOf(metadata);
  const names = mark ? keysByMark[mark]! : [];
  return names.length ? JSON.stringify([mark, ...names.map((name) => metadata?.[name])]) : uuid;
}

/**
 * By which members of its metadata the newest record like this one is found, where one of the queries names a member that
 * makes its key: such as the thread whose latest state a framework asks for.
 */
export function matchedRecordKey(memories: readonly ContextMemory[], queries: readonly string[]): Metadata | null {
  for (const { metadata } of memories) {
    const mark = markOf(metadata);
    const name = mark && keysByMark[mark]!.find((each) => isNamedBy(queries, metadata?.[each]));
    // Frameworks never read back what they wrote beside a state: they ask for the state.
    if (name) return { [mark === 'lg_cp_writes' ? 'lg_cp' : mark]: true, [name]: metadata![name] };
  }
  return null;
}

/** Whether one of the queries is this value of a key; what is no text and no number names no record. */
const isNamedBy = (queries: readonly string[], value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') && queries.includes(String(value));
