import type { DocumentType } from '../configurations/configuration.ts';
import { machineOfRole } from '../language/speaker.ts';
import { documentTraits } from './documents/document-traits.ts';

/**
 * The speaker of the words that a memory rests on. `user`: a person, in a conversation or a note. `assistant`, `tool`:
 * a machine that took part in it. `document`: a text that was handed over, or the instructions of an application.
 * `import`: an administrator.
 */
export const provenances = ['user', 'assistant', 'tool', 'document', 'import'] as const;
export type Provenance = (typeof provenances)[number];

/** The source of a text: the type of its document, and the role of its speaker. */
export interface ProvenanceSource {
  readonly documentType: DocumentType;
  /** The provenance of the whole document, where whoever handed it over counts and not its turns. */
  readonly provenance: Provenance | null;
}

/** The provenance of a turn. The name of its speaker tells nothing: an assistant may have one. */
export function provenanceOf({ documentType, provenance }: ProvenanceSource, role: string): Provenance {
  if (provenance) return provenance;
  const machine = machineOfRole(role);
  return documentTraits[documentType].isHandedOver || machine === 'system' ? 'document' : (machine ?? 'user');
}

/** People and administrators answer for what they say; what machines and documents say may be anybody's words. */
export const trustedProvenances = ['user', 'import'] as const satisfies readonly Provenance[];

export const isTrustedProvenance = (provenance: Provenance): boolean =>
  (trustedProvenances as readonly Provenance[]).includes(provenance);
