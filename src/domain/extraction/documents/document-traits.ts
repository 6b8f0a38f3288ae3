import type { DocumentType } from '../../configurations/configuration.ts';

/** How a document of a type is read. */
interface DocumentTraits {
  /** A text of it is taken apart: as a mail, or at the names, or only the roles, that lines begin with. */
  readonly parts?: 'mail' | 'speakers' | 'roles';
  /** The document is written text and no talk: it is cut finer, since it holds more to a line. */
  readonly isWriting?: true;
  /** Its headings stand above what they cut. */
  readonly hasHeadings?: true;
  /** An "I" without a name may be anybody's, so it states no attribute of the user. */
  readonly hasAmbiguousFirstPerson?: true;
  /** The document was handed over: its words are a document's, whoever sends it. */
  readonly isHandedOver?: true;
}

export const documentTraits: Readonly<Record<DocumentType, DocumentTraits>> = {
  'ai-chat-conversation': { parts: 'roles' },
  'meeting-transcript': { parts: 'speakers', hasAmbiguousFirstPerson: true },
  'support-ticket': { parts: 'speakers' },
  email: { parts: 'mail', isWriting: true, hasAmbiguousFirstPerson: true, isHandedOver: true },
  note: { isWriting: true, hasHeadings: true },
  document: { isWriting: true, hasHeadings: true, hasAmbiguousFirstPerson: true, isHandedOver: true },
  markdown: { isWriting: true, hasHeadings: true, hasAmbiguousFirstPerson: true, isHandedOver: true },
};
