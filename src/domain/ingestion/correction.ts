import type { Tx } from '../../db/database.ts';
import type { MemoryType } from '../memory-types.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import type { CorrectedTimes } from './corrected-event.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';

/** The fields of a memory to correct. Omitted ones stay, or are read from the new content. */
export interface Correction extends SubjectIds, CorrectedTimes {
  /** The new content; omit to keep the present one. */
  readonly content?: string | undefined;
  /** The content that it must have by now, where the new one was made of that. */
  readonly expectedContent?: string | undefined;
  /** The new type. An episode is what was said, and stays one. */
  readonly type?: Exclude<MemoryType, 'episodes'> | undefined;
  /** The new metadata, which replaces the present one; null removes it, and omitting it keeps it. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  /** Why it is corrected. */
  readonly reason?: string | undefined;
}

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
  readonly saveAudit: (
    tx: Tx,
    access: Access,
    entry: { action: string; target: string; at: Date; after: unknown },
  ) => Promise<void>;
}
