import type { MemoryType } from '../memory-types.ts';
import type { SpeakerRole } from './speaker-role.ts';

/** The fields of a candidate that ranking needs, opened. */
export interface CandidateRow {
  readonly id: string;
  readonly documentId: string;
  readonly turn: number;
  readonly passage: number;
  readonly role: SpeakerRole;
  readonly speaker: string | undefined;
  readonly type: MemoryType;
  readonly text: string;
  readonly at: Date;
}
