import type { Extraction, Turn } from './candidate.ts';
import type { DocumentDraft, StatedDraft } from './draft.ts';
import { addAskedQuestions } from './long-range.ts';
import { selectCandidates, type Classifications } from './select-candidates.ts';
import type { StatementClassifier } from './statement-classifier.ts';

export interface ExtractionOptions {
  readonly mode: 'fast' | 'long-range';
  /** The least confidence: candidates below it are left out and counted. */
  readonly threshold: number;
}

/** Classifies all statements of a document by a model in one batch. */
export async function classifyDraft(
  { turns }: Pick<StatedDraft, 'turns'>,
  classifier: StatementClassifier,
  isLate: () => boolean = () => false,
): Promise<Classifications> {
  const found = await classifier.classify(
    turns.flatMap(({ statements }) => statements.map(({ utterance }) => utterance)),
    { isLate },
  );
  let from = 0;
  return turns.map(({ statements }) => {
    const own = found.slice(from, from + statements.length);
    from += statements.length;
    return own;
  });
}

/** Extracts the memories of a draft: its passages, verbatim, and the typed statements that are worth keeping. */
export function finishExtraction(
  draft: DocumentDraft,
  classifications: Classifications,
  turns: readonly Turn[],
  { mode, threshold }: ExtractionOptions,
): Extraction {
  const extraction = selectCandidates(draft, classifications, threshold);
  if (mode === 'fast') return extraction;
  return { ...extraction, candidates: addAskedQuestions(extraction.candidates, turns) };
}
