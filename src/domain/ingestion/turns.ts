import type { Turn } from '../extraction/candidate.ts';
import { documentTraits } from '../extraction/documents/document-traits.ts';
import { parseEmail } from '../extraction/documents/email.ts';
import type { DocumentPart } from '../extraction/documents/document-part.ts';
import { parseTranscript } from '../extraction/documents/transcript.ts';
import { limits } from '../limits.ts';
import type { DocumentType } from '../configurations/configuration.ts';
import type { SubmittedTurn } from './ingestion.ts';
import type { DocumentBody } from './ingestion-store.ts';

/**
 * The turns of a document as they are read: of a plain text, those that it names the speakers of, else one of the user;
 * of a mail, what its writer wrote in it. A turn without a time has the document's. The parts of one that was sent are
 * a millisecond apart where they have no time of their own: what is said later in a text replaces what was said before.
 */
export function toExtractionTurns(body: DocumentBody, createdAt: Date, type: DocumentType): Turn[] {
  const sent: readonly SubmittedTurn[] = typeof body === 'string' ? [{ role: 'user', content: body }] : body;
  const isText = typeof body === 'string';
  const timeOf = (turn: SubmittedTurn) => turn.timestamp ?? createdAt;
  const split = sent.map((turn) => piecesOf(turn.content, { at: timeOf(turn), type, isText }));
  // No person writes a mail in more parts than that: it is read as it was sent.
  const isShredded = split.flat().length > limits.turns.max + 1;
  return sent
    .flatMap((turn, place) => {
      const pieces: readonly DocumentPart[] = isShredded ? [{ content: turn.content }] : split[place]!;
      return pieces.map((piece, n) => ({
        role: piece.role ?? turn.role,
        ...((turn.name ?? piece.name) ? { name: turn.name ?? piece.name } : {}),
        content: piece.content,
        at: piece.at ?? new Date(timeOf(turn).getTime() + n),
        sent: place,
        ...(piece.heading ? { heading: piece.heading } : {}),
      }));
    })
    .map((turn, index) => ({ ...turn, index }));
}

function piecesOf(
  content: string,
  { at, type, isText }: { at: Date; type: DocumentType; isText: boolean },
): DocumentPart[] {
  const { parts } = documentTraits[type];
  if (parts === 'mail') return parseEmail(content, at);
  const spoken = isText && parts ? parseTranscript(content, at, { onlyRoles: parts === 'roles' }) : null;
  return spoken ?? [{ content }];
}
