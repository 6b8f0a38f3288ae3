import type { Turn } from '../extraction/candidate.ts';
import type { DocumentBody } from './store.ts';

/** The turns of a document: a plain text is one turn of the user. A turn without a time has the document's. */
export function turnsOf(body: DocumentBody, createdAt: Date): Turn[] {
  if (typeof body === 'string') return [{ index: 0, role: 'user', content: body, at: createdAt }];
  return body.map((turn, index) => ({
    index,
    role: turn.role,
    ...(turn.name ? { name: turn.name } : {}),
    content: turn.content,
    at: turn.timestamp ?? createdAt,
  }));
}
