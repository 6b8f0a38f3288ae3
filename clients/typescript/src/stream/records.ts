import type { AnticipatedMemory } from '../records.ts';

/** A memory as the stream sends it, in the words of the REST interface. */
export type StreamMemory = Pick<
  AnticipatedMemory,
  | 'id'
  | 'type'
  | 'category'
  | 'content'
  | 'confidence'
  | 'provenance'
  | 'score'
  | 'scope'
  | 'entities'
  | 'event_start'
  | 'event_end'
  | 'event_precision'
  | 'evidence'
  | 'possibly_outdated_by'
> & {
  /** Why it is here; `fetched`: the stream was away, and a fetch found it. */
  readonly reason: AnticipatedMemory['reason'] | 'fetched';
};

/** What changed since the update before. Updates that nobody took meanwhile are told as one. */
export interface StreamUpdate {
  /** The whole current set: standing memories first, then the others, best first. */
  readonly memories: readonly StreamMemory[];
  /** Memories that must not be used any more. */
  readonly withdrawn: readonly string[];
  /** Rises with every update. */
  readonly sequence: number;
}

export interface StreamOptions {
  /** `host:port`. Default: the environment's `PRESAGE_GRPC`, else port 50051 of the client's host. */
  readonly address?: string;
  readonly user_id?: string;
  readonly customer_id?: string;
  /** Required with `remember`. */
  readonly conversation_id?: string;
  /** Tokens that the contents of one set may have together. Default: 2,000. */
  readonly token_budget?: number;
  /** What is said becomes memories: it is also sent to the conversation, again where needed, and kept once. */
  readonly remember?: boolean;
  /** Certificates of authorities in PEM, where the service has one that the system does not know. */
  readonly rootCertificates?: Uint8Array;
}
