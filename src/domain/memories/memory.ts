import type { MemoryType } from '../memory-types.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { Scope } from '../tenancy/access.ts';

/** Only an `active` memory holds now; a fetch never finds an `archived` one. */
export const memoryStatuses = ['active', 'superseded', 'archived'] as const;
export type MemoryStatus = (typeof memoryStatuses)[number];

/** The words that a memory rests on, and their place. */
export interface Evidence {
  /** The caller's own id of the document when one was given, else ours. */
  readonly documentId: string;
  /** Turns of the document as it was sent, from 0; a plain string is turn 0. */
  readonly turns: readonly number[];
  /** Words of those turns. */
  readonly quote: string;
}

/** An entity that a memory mentions. */
export interface EntityReference {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

/** A memory as it is shown: with its text decrypted and with public ids. */
export interface Memory {
  readonly id: string;
  readonly type: MemoryType;
  readonly category: string;
  readonly content: string;
  /** 0 to 1: how often the rule that found it is right, at least; more when several documents say it. */
  readonly confidence: number;
  readonly provenance: Provenance;
  readonly scope: Scope;
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly entities: readonly EntityReference[];
  readonly eventStart: Date | null;
  readonly eventEnd: Date | null;
  readonly eventPrecision: string | null;
  /** The due date of what it promises or tells of. */
  readonly dueAt: Date | null;
  readonly validFrom: Date;
  readonly validUntil: Date | null;
  readonly supersededBy: string | null;
  readonly supersededReason: string | null;
  /** Why it was corrected last, as whoever corrected it said. */
  readonly correctionReason: string | null;
  /**
   * The newer memory that may have replaced it, though not surely; null: none, or it was decided. In a context a
   * passage also names what superseded a statement in it.
   */
  readonly possiblyOutdatedBy: string | null;
  /** The probability, 0 to 1, that it replaced or ended this one or a part of it; null with it. */
  readonly possiblyOutdatedConfidence: number | null;
  readonly evidence: readonly Evidence[];
  readonly createdAt: Date;
  readonly lastAccessedAt: Date | null;
  readonly accessCount: number;
  readonly expiresAt: Date | null;
  readonly status: MemoryStatus;
  readonly configurationVersion: number;
  /** The UUID of the conversation in which it was said. */
  readonly conversationId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** A memory, with the words of one document that state it. */
export interface StatedMemory {
  /** UUID. */
  readonly id: string;
  readonly type: MemoryType;
  readonly category: string;
  readonly content: string;
  readonly status: MemoryStatus;
  /** UUID of the memory that replaced it. */
  readonly supersededBy: string | null;
  /** It is due, or takes place, at a known time. */
  readonly isScheduled: boolean;
  /** The calibrated probability that it is worth keeping. */
  readonly confidence: number;
  /** The number of corrections of its content, type or times. */
  readonly contentVersion: number;
  /** The content was corrected: its documents still say the former words. */
  readonly isReworded: boolean;
  readonly ownerNo: number;
  readonly documentId: string;
  /** The turns in the document, from 0. */
  readonly turns: readonly number[];
  readonly quote: string;
}

/** Selects the memories of a search. */
export interface MemorySelection {
  /** Only memories of these types; default: of any. */
  readonly types?: readonly MemoryType[] | undefined;
  /** Only memories of these provenances; default: any. */
  readonly provenance?: readonly Provenance[] | undefined;
  /** Memories that held at this time; default: those that hold now. */
  readonly asOf?: Date | undefined;
}

/** Whether a memory holds at this time, by default now, so that a search may find it. */
export function isValidAt(status: MemoryStatus, from: Date, until: Date | null, asOf: Date | undefined): boolean {
  if (!asOf) return status === 'active';
  return status !== 'archived' && containsTime({ from, until }, asOf);
}

/** Whether the half-open interval contains the time; without an end, it never ends. */
export const containsTime = (
  { from, until }: { readonly from: Date; readonly until: Date | null },
  time: Date,
): boolean => from <= time && (until === null || until > time);

/** Whether a cached memory matches the selection of a search; `memorySelectionSql` is the same filter on rows. */
export function matchesSelection(
  {
    status,
    type,
    provenance,
    at,
    until,
  }: {
    readonly status: MemoryStatus;
    readonly type: MemoryType;
    readonly provenance: Provenance;
    readonly at: Date;
    readonly until: Date | null;
  },
  wanted: MemorySelection,
): boolean {
  return matchesTypeAndProvenance({ type, provenance }, wanted) && isValidAt(status, at, until, wanted.asOf);
}

/** Whether the type and the provenance of a memory match the selection. */
export const matchesTypeAndProvenance = (
  { type, provenance }: { readonly type: MemoryType; readonly provenance: Provenance },
  wanted: Pick<MemorySelection, 'types' | 'provenance'>,
): boolean =>
  (!wanted.types || wanted.types.includes(type)) && (!wanted.provenance || wanted.provenance.includes(provenance));

/** Filters a list of memories: all given fields must match. */
export interface MemoryFilter {
  readonly userId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly type?: MemoryType | undefined;
  /** Only memories of any of these types. */
  readonly types?: readonly MemoryType[] | undefined;
  readonly entityId?: string | undefined;
  readonly documentId?: string | undefined;
  readonly category?: string | undefined;
  readonly status?: MemoryStatus | undefined;
  /** Said by this one. */
  readonly provenance?: Provenance | undefined;
  readonly statuses?: readonly MemoryStatus[] | undefined;
  /** True: only those that a newer memory may have replaced; false: only the others. */
  readonly possiblyOutdated?: boolean | undefined;
  /** Stored then or later. */
  readonly createdFrom?: Date | undefined;
  /** Stored before then. */
  readonly createdUntil?: Date | undefined;
  /** Words that a memory must all have, compared by their stems. */
  readonly q?: string | undefined;
  /** Records that have each of these members in their metadata. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Memories by where they are in their life. */
export type MemoryCounts = Readonly<Record<MemoryStatus, number>>;
