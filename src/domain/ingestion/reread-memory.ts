import type { Db } from '../../db/database.ts';
import type { Candidate, StatementSense, Turn } from '../extraction/candidate.ts';
import { statementKey } from '../extraction/content-key.ts';
import type { Memory } from '../memories/memory.ts';
import type { MemoryLocation, NewMemory } from '../memories/memory-store.ts';
import { hashContentAsValue } from '../memories/shared-attribute.ts';
import type { Indexable } from '../search-index/index-memories.ts';
import type { Access } from '../tenancy/access.ts';
import { correctedTimes, eventOf } from './corrected-event.ts';
import { readDocumentBody } from './document-store.ts';
import { attributeOf, attributesByQuote } from './draft-memories.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import type { NewMemoryWithCandidate } from './find-updates.ts';
import { noAttribute, hashAttribute, storableEvent, storableTime, type HashedAttribute } from './hashed-attribute.ts';

/** The confidence of a corrected memory: whoever corrects it says so. */
export const correctionConfidence = 1;

/** Reads the new words of a memory as if its speaker had said them when it was said. */
export async function rereadMemory(
  deps: Pick<CorrectionDependencies, 'db' | 'readDocument'>,
  access: Access,
  {
    home,
    indexed,
    before,
    content,
    correction,
  }: { home: MemoryLocation; indexed: Indexable; before: Memory; content: string; correction: Correction },
): Promise<NewMemoryWithCandidate> {
  const { keys } = access;
  const { role, speaker, passage } = indexed;
  const saidElsewhere = hasSlashDate.test(content) ? await wordsInDocument(deps.db, access, indexed) : [];
  const read = async (words: string): Promise<Candidate[]> => {
    const said = { role, content: words, timestamp: before.validFrom, name: speaker ?? undefined };
    const document = { body: [said], createdAt: before.validFrom, type: 'ai-chat-conversation' } as const;
    return (await deps.readDocument({ ...document, saidElsewhere, mode: 'fast', threshold: 0 })).candidates;
  };
  const candidates = await read(content);
  const type = correction.type ?? before.type;
  const found = candidates.find((each) => each.type === type) ?? candidates.find((each) => each.type === before.type);
  const times = found
    ? { event: storableEvent(found), dueAt: storableTime(found.dueAt) }
    : { event: eventOf(before), dueAt: before.dueAt };
  const attribute = found && attributeOf(found, attributesByQuote(candidates));
  const stated = attribute
    ? hashAttribute(access, attribute)
    : (await read(before.content)).some((each) => each.attribute)
      ? noAttribute // the former words stated it, and these do not
      : keptAttribute(access, home, content);
  const candidate: Candidate = {
    type: found?.type ?? before.type, // as it is read when it is said again
    category: found?.category ?? 'other',
    content,
    confidence: correctionConfidence,
    turns: [0],
    quote: content,
    entities: candidates.flatMap(({ entities }) => entities),
    ...(found?.event ? { event: found.event } : {}),
  };
  const turn: Turn = { index: 0, role, content, at: before.validFrom };
  const memory: NewMemory = {
    id: home.id,
    ownerNo: home.ownerNo,
    type,
    category: before.category,
    content,
    confidence: correctionConfidence,
    contentKey: keys.hash('content', statementKey(candidate, turn.at)),
    ...stated,
    attributeOnly: false,
    ...correctedTimes(times, correction),
    validFrom: before.validFrom,
    statementValidity: { validUntil: null, supersededBy: null },
    turns: [0],
    quote: content,
    passage,
    role,
    provenance: before.provenance,
    speaker,
  };
  return { memory, candidate };
}

const hasSlashDate = /\d\/\d/u;

/** Reads what the speaker of a memory said in its document: it tells whether "3/12" is in March or in December. */
async function wordsInDocument(
  db: Db,
  access: Access,
  { documentId, role, speaker }: Indexable,
): Promise<readonly string[]> {
  const body = (await readDocumentBody(db, access, documentId)) ?? [];
  if (typeof body === 'string') return [body];
  return body.flatMap((turn) => (turn.role === role && (turn.name ?? null) === speaker ? [turn.content] : []));
}

/** The attribute that a memory was given, since it replaced another or was replaced: its place there stays. */
function keptAttribute(
  access: Access,
  { attributeKey: key, attributeValue: value, attributeSense: sense }: MemoryLocation,
  content: string,
): HashedAttribute {
  if (!key || !value) return noAttribute;
  return {
    attributeKey: Buffer.from(key),
    attributeValue: sense ? Buffer.from(value) : hashContentAsValue(access, content),
    attributeSense: sense as StatementSense | null,
    attributeUntil: null,
  };
}
