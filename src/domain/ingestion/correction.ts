import type { Tx } from '../../db/database.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';

/** The new content and metadata of a memory that was wrong. */
export interface Correction extends SubjectIds {
  /** The new content; omit to keep the present one. */
  readonly content?: string | undefined;
  /** The new metadata, which replaces the present one; null removes it, and omitting it keeps it. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The dependencies of correcting a memory. */
export interface CorrectionDependencies extends Omit<
  IngestionDependencies,
  'signal' | 'reportProgress' | 'languageModels' | 'metering' | 'warn'
> {
  /** Removes what these conversations were condensed to, and whatever else holds words of these memories. */
  readonly removeCompactions: (
    tx: Tx,
    access: Access,
    going: { memoryIds: readonly string[]; conversationIds: readonly string[] },
  ) => Promise<unknown>;
}
