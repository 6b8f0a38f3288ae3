import type { Extraction, Turn } from './candidate.ts';
import { draftDocument, type DraftOptions } from './draft-document.ts';
import type { DocumentDraft, StatedDraft } from './draft.ts';
import { addAskedQuestions } from './long-range.ts';
import { selectCandidates, type Classifications } from './select-candidates.ts';
import type { StatementClassifier } from './statement-classifier.ts';

export interface ExtractionOptions extends DraftOptions {
  readonly mode: 'fast' | 'long-range';
  /** Candidates less sure than this are left out and counted. */
  readonly threshold: number;
}

/** Extracts what is worth keeping of a document: its passages, verbatim, and the typed statements in them. */
export async function extract(
  turns: readonly Turn[],
  options: ExtractionOptions,
  classifier: StatementClassifier,
): Promise<Extraction> {
  const draft = draftDocument(turns, options);
  return finishExtraction(draft, await classifyDraft(draft, classifier), turns, options);
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

export function finishExtraction(
  draft: DocumentDraft,
  classifications: Classifications,
  turns: readonly Turn[],
  { mode, threshold }: Pick<ExtractionOptions, 'mode' | 'threshold'>,
): Extraction {
  const extraction = selectCandidates(draft, classifications, threshold);
  if (mode === 'fast') return extraction;
  return { ...extraction, candidates: addAskedQuestions(extraction.candidates, turns) };
}
