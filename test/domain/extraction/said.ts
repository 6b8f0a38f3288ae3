import { OnnxClassifier } from '../../../src/adapters/onnx-classifier/onnx-classifier.ts';
import { draftDocument, type DraftOptions } from '../../../src/domain/extraction/draft-document.ts';
import { classifyDraft, finishExtraction, type ExtractionOptions } from '../../../src/domain/extraction/extract.ts';
import type { Candidate, Extraction, Turn } from '../../../src/domain/extraction/candidate.ts';

export const monday = new Date('2026-03-09T10:00:00Z');

/** Turns a minute apart: a text of the user, or `[role, text, name]`. */
export function turnsOf(said: readonly (string | readonly [role: string, content: string, name?: string])[]): Turn[] {
  return said.map((turn, index) => {
    const [role, content, name] = typeof turn === 'string' ? ['user', turn] : turn;
    return { index, role, content, at: new Date(monday.getTime() + index * 60_000), ...(name ? { name } : {}) };
  });
}

const classifier = new OnnxClassifier();

export const extractFrom = (
  said: Parameters<typeof turnsOf>[0],
  options: Partial<ExtractionOptions & DraftOptions> = {},
): Promise<Extraction> => extract(turnsOf(said), { documentType: 'ai-chat-conversation', ...options });

/** Drafts, classifies and selects as an ingestion does, in this thread. */
export async function extract(
  turns: readonly Turn[],
  { mode = 'fast', threshold = 0.7, ...options }: Partial<ExtractionOptions> & DraftOptions,
): Promise<Extraction> {
  const draft = draftDocument(turns, options);
  return finishExtraction(draft, await classifyDraft(draft, classifier), turns, { mode, threshold });
}

/** The typed memories of what was said, by one user where nobody is named. */
export async function typedIn(...said: Parameters<typeof turnsOf>[0][number][]): Promise<Candidate[]> {
  const { candidates } = await extractFrom(said);
  return candidates.filter(({ type }) => type !== 'episodes');
}
