import type { Scope } from '../tenancy/access.ts';
import type { Feature } from './score.ts';

/** A canonical entity, as its reader sees it: through the mentions they may read. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** The other names that it is mentioned by. */
  readonly aliases: readonly string[];
  readonly scope: Scope;
  readonly customerId: string | null;
  readonly userId: string | null;
  /** Memories that mention it. */
  readonly mentions: number;
  readonly createdAt: Date;
}

/** Filters a list of entities: all given fields must match. */
export interface EntityFilter {
  readonly customerId?: string | undefined;
  readonly userId?: string | undefined;
  readonly kind?: string | undefined;
  /** A name, compared without case. */
  readonly q?: string | undefined;
}

/** The words in which an entity is named. */
export interface MentionEvidence {
  readonly memoryId: string;
  /** The name as the memory spells it. */
  readonly name: string;
  /** The caller's own id of the document when one was given, else ours. */
  readonly documentId: string;
  readonly turns: readonly number[];
  readonly quote: string;
}

/** Why two entities became one: found by itself, answered in a review, asked for, or left together by a split. */
export const mergeReasons = ['automatic', 'confirmed', 'manual', 'split'] as const;
export type MergeReason = (typeof mergeReasons)[number];

/** An entity became part of another; it can be undone. */
export interface Merge {
  readonly id: string;
  readonly reason: MergeReason;
  /** 0 to 1; null where nobody had to guess. */
  readonly score: number | null;
  readonly features: readonly Feature[];
  readonly sourceEntityId: string;
  /** A name of the source, as a memory has it; null: it was not looked up, or there is none. */
  readonly sourceName: string | null;
  readonly targetEntityId: string;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
}

export const reviewStatuses = ['open', 'confirmed', 'rejected'] as const;
export type EntityMatchReviewStatus = (typeof reviewStatuses)[number];

/** One of the two entities of a review, with the newest of its evidence. */
export interface EntityMatchReviewSide {
  readonly entity: Entity;
  readonly evidence: readonly MentionEvidence[];
}

/** Two entities that may be one. */
export interface EntityMatchReview {
  readonly id: string;
  readonly status: EntityMatchReviewStatus;
  readonly score: number | null;
  readonly features: readonly Feature[];
  readonly left: EntityMatchReviewSide;
  readonly right: EntityMatchReviewSide;
  readonly createdAt: Date;
  /** Null: it waits. */
  readonly decidedAt: Date | null;
}
