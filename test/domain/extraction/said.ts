import { extract, type ExtractionOptions } from '../../../src/domain/extraction/extract.ts';
import type { Candidate, Extraction, Turn } from '../../../src/domain/extraction/candidate.ts';

export const monday = new Date('2026-03-09T10:00:00Z');

/** Turns a minute apart: a text of the user, or `[role, text, name]`. */
export function turnsOf(said: readonly (string | readonly [role: string, content: string, name?: string])[]): Turn[] {
  return said.map((turn, index) => {
    const [role, content, name] = typeof turn === 'string' ? ['user', turn] : turn;
    return { index, role, content, at: new Date(monday.getTime() + index * 60_000), ...(name ? { name } : {}) };
  });
}

export function extractFrom(said: Parameters<typeof turnsOf>[0], options: Partial<ExtractionOptions> = {}): Extraction {
  return extract(turnsOf(said), { mode: 'fast', documentType: 'ai-chat-conversation', threshold: 0.7, ...options });
}

/** The typed memories of what one user said. */
export const typedIn = (text: string): Candidate[] =>
  extractFrom([text]).candidates.filter(({ type }) => type !== 'episodes');
