import type { DocumentType } from '../configurations/configuration.ts';
import type { Provenance } from '../extraction/provenance.ts';
import type { SubjectIds, Scope } from '../tenancy/access.ts';

/** `fast`: one pass, turn by turn. `long-range`: also across the turns. */
export const ingestionModes = ['fast', 'long-range'] as const;
/**
 * The way a document is read. A text that is kept `verbatim` is not read: it is one memory as it is given, found by its
 * metadata too, and never taken for another that says the same.
 */
export type IngestionMode = (typeof ingestionModes)[number] | 'verbatim';

/** The ways to treat a document whose id exists already. */
export const ifExistsChoices = ['reject', 'replace'] as const;

/** The four stages, in order, between `queued` and an end. */
export const ingestionStages = ['extracting', 'categorizing', 'resolving', 'storing'] as const;
export type IngestionStage = (typeof ingestionStages)[number];
export const ingestionStatuses = ['queued', ...ingestionStages, 'completed', 'failed'] as const;
export type IngestionStatus = (typeof ingestionStatuses)[number];

/** A turn as it is sent. */
export interface SubmittedTurn {
  readonly role: string;
  readonly content: string;
  readonly name?: string | undefined;
  readonly timestamp?: Date | undefined;
}

/** A document as a caller sends it. */
export interface Submission extends SubjectIds {
  /** One text, or the turns of a conversation. */
  readonly document: string | readonly SubmittedTurn[];
  readonly documentType: DocumentType;
  readonly mode: IngestionMode;
  readonly documentId?: string | undefined;
  /** Refuses the new document (default), or replaces the existing one of its id. */
  readonly ifExists?: (typeof ifExistsChoices)[number] | undefined;
  readonly documentCreatedAt?: Date | undefined;
  readonly conversationId?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The scope of a document that names nobody, for any configuration. Only administrators import into `WORLD`. */
  readonly scope?: 'CLIENT' | 'WORLD' | undefined;
  /**
   * The provenance of all memories of the document, in place of what the roles of its turns tell: `import` for an
   * administrator's, `assistant` for what a model chose to remember. Set by the service, never by a caller.
   */
  readonly provenance?: Provenance | undefined;
}

/** A document as it is shown: what is known of it, and not its text. */
export interface DocumentRecord {
  readonly id: string;
  /** The caller's own id, when one was given. */
  readonly externalId: string | null;
  readonly type: DocumentType;
  /** The time at which it was written, as its sender says. Default: the time of its acceptance. */
  readonly createdAt: Date;
  readonly receivedAt: Date;
  readonly scope: Scope;
  readonly userId: string | null;
  readonly customerId: string | null;
  /** The UUID of the conversation that it belongs to. */
  readonly conversationId: string | null;
}

/** One run of a document through the stages, as it is shown. */
export interface Ingestion {
  readonly id: string;
  /** The caller's own id when one was given, else ours. */
  readonly documentId: string;
  readonly status: IngestionStatus;
  readonly mode: IngestionMode;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly memoryIds: readonly string[];
  /** Candidates and turns that were not kept. */
  readonly discarded: number;
  readonly warnings: readonly string[];
  readonly error: string | null;
}

/** The result of an ingestion whose memories are visible. */
export interface IngestionResult {
  /** UUIDs. */
  readonly memoryIds: readonly string[];
  readonly discarded: number;
  /** Memories that hold no longer since these say otherwise. */
  readonly superseded: number;
  readonly warnings: readonly string[];
  readonly startedAt: Date;
  readonly at: Date;
}

/** One document of a batch. */
export interface BatchItem {
  readonly index: number;
  /** Null when it was refused, or erased since. */
  readonly ingestion: Ingestion | null;
  /** Why it was refused. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Documents that were sent together, each with what became of it. */
export interface Batch {
  readonly id: string;
  readonly total: number;
  readonly results: readonly BatchItem[];
}
