import type { Attribute, Candidate } from '../extraction/candidate.ts';
import { isStorableTime } from '../language/calendar.ts';
import type { NewMemory } from '../memories/memory-store.ts';
import type { Access } from '../tenancy/access.ts';

/** What a memory states of an attribute, as it is stored: hashes that can be compared and not read. */
export type SealedStatement = Pick<NewMemory, 'attributeKey' | 'attributeValue' | 'attributeSense' | 'attributeUntil'>;

export const noAttribute: SealedStatement = {
  attributeKey: null,
  attributeValue: null,
  attributeSense: null,
  attributeUntil: null,
};

export const sealedAttribute = (
  { keys }: Access,
  { subject, name, value, sense, until }: Attribute,
): SealedStatement => ({
  attributeKey: keys.hash('attribute', `${subject}/${name}`),
  attributeValue: keys.hash('attribute-value', value),
  attributeSense: sense ?? null,
  attributeUntil: storableTime(until),
});

/** "In ten thousand years" resolves to a time that no column takes. */
export const storableTime = (time: Date | undefined): Date | null => (time && isStorableTime(time) ? time : null);

/** The event of a candidate; null also when no column takes its time. */
export const storableEvent = ({ event }: Candidate): NewMemory['event'] =>
  event && isStorableTime(event.start) ? { ...event, end: storableTime(event.end) } : null;
