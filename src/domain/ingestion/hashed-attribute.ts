import type { Attribute, Candidate } from '../extraction/candidate.ts';
import { isTrustedProvenance } from '../extraction/provenance.ts';
import { isStorableTime } from '../time.ts';
import type { AttributeStatement, StatementSource } from '../memories/attribute-timeline.ts';
import type { Citation } from '../memories/evidence-store.ts';
import type { NewMemory } from '../memories/memory-store.ts';
import type { Access } from '../tenancy/access.ts';

/** The attribute columns of a memory. The key and the value are HMAC hashes, which can be compared but not read. */
export type HashedAttribute = Pick<NewMemory, 'attributeKey' | 'attributeValue' | 'attributeSense' | 'attributeUntil'>;

export const noAttribute: HashedAttribute = {
  attributeKey: null,
  attributeValue: null,
  attributeSense: null,
  attributeUntil: null,
};

/** Hashes an attribute with the keys of the instance, into the columns of the memory that states it. */
export const hashAttribute = (
  { keys }: Access,
  { subject, name, value, sense, until }: Attribute,
): HashedAttribute => ({
  attributeKey: keys.hash('attribute', `${subject}/${name}`),
  attributeValue: keys.hash('attribute-value', value),
  attributeSense: sense ?? null,
  attributeUntil: storableTime(until),
});

/** The sources of cited words: one for each turn. */
export const statementSourcesOf = ({
  saidAt: at,
  documentId,
  turns,
  provenance,
}: Pick<Citation, 'saidAt' | 'documentId' | 'turns' | 'provenance'>): StatementSource[] =>
  turns.map((turn) => ({ at, documentId, turn, isTrusted: isTrustedProvenance(provenance) }));

/** A memory among the statements of its attribute; one without an attribute is alone with its own. */
export const attributeStatementOf = (
  { id, attributeKey, attributeValue, attributeSense: sense, attributeUntil: until }: NewMemory,
  more: Pick<AttributeStatement, 'said' | 'isPassage' | 'neverReplacedBy'>,
): AttributeStatement => ({
  id,
  attributeKey: attributeKey?.toString('hex') ?? 'none',
  value: attributeValue?.toString('hex') ?? 'none',
  sense,
  until,
  ...more,
});

/** "In ten thousand years" resolves to a time that no column takes. */
export const storableTime = (time: Date | undefined): Date | null => (time && isStorableTime(time) ? time : null);

/** The event of a candidate; null also when no column takes its time. */
export const storableEvent = ({ event }: Candidate): NewMemory['event'] =>
  event && isStorableTime(event.start) ? { ...event, end: storableTime(event.end) } : null;
