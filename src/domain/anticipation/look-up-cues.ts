import type { MemorySelection } from '../memories/memory.ts';
import { beginRecall, type RecallResult } from '../retrieval/recall.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import type { Access, NarrowedAccess } from '../tenancy/access.ts';
import type { ConversationWindow, ConversationCue } from './conversation-window.ts';

/** The most matches that are kept of each turn, and the most of its words by which associations are learned. */
const [recalledAtMost, contextTerms] = [40, 8];

/** The memories that match each turn of a conversation window, as it was when the look-up began. */
export interface WindowMatches {
  readonly heard: readonly ConversationCue[];
  readonly asked: RecallResult | undefined;
  readonly before: readonly RecallResult[];
  readonly reply: RecallResult | undefined;
}

const cuesOf = ({ asked, before, reply }: ConversationWindow) =>
  [asked, ...before, reply].filter((cue) => cue !== undefined);
const unknownTo = (window: ConversationWindow) => cuesOf(window).filter((cue) => !cue.recall);
const textOf = ({ text }: ConversationCue) => lastWordsOf(text);

/** Lets the model begin with what is not looked up yet, which takes longest of all and needs no reader. */
export function beginEmbeddingCues(
  { embedding }: Pick<RetrievalDependencies, 'embedding'>,
  access: Access,
  window: ConversationWindow,
) {
  embedding.begin(access, unknownTo(window).map(textOf));
}

/** A look-up under way. The words that are asked about are known before it ends. */
export interface CueLookup {
  readonly contexts: readonly bigint[];
  readonly matches: Promise<WindowMatches>;
}

/** Looks up the cues of the window that were not looked up yet. Rejects, or `matches` does, when that fails. */
export async function lookUpCues(
  deps: RetrievalDependencies,
  reader: NarrowedAccess,
  window: ConversationWindow,
  wanted: Pick<MemorySelection, 'provenance'> = {},
): Promise<CueLookup> {
  const { heard, asked, before, reply } = window;
  const recalls = new Map(cuesOf(window).flatMap((cue) => (cue.recall ? [[cue, cue.recall]] : [])));
  const unknown = unknownTo(window);
  const texts = unknown.map(textOf);
  const begun = await beginRecall(deps, reader, { texts, limit: recalledAtMost, terms: contextTerms, ...wanted });
  const remember = async (): Promise<WindowMatches> => {
    const found = await Promise.all(begun.map(({ recall }) => recall));
    for (const [n, cue] of unknown.entries()) {
      cue.recall = found[n]!;
      recalls.set(cue, cue.recall);
    }
    // Also what was looked up while it was being said.
    for (const cue of heard) if (cue.by === 'people') window.recordPresentation(cue);
    const recallOf = (cue: ConversationCue | undefined) => cue && recalls.get(cue);
    return { heard, asked: recallOf(asked), before: before.map((cue) => recalls.get(cue)!), reply: recallOf(reply) };
  };
  const last = asked ?? before[0];
  const { terms = [] } = (last && recalls.get(last)) ?? (last && begun[unknown.indexOf(last)]) ?? {};
  return { contexts: terms, matches: remember() };
}

/** The longest cue: as long as a query of a fetch may be. */
const maxTextChars = 2_000;

/** The last words of a text too long to search with: what is asked mostly comes last. */
export function lastWordsOf(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= maxTextChars) return trimmed;
  const tail = trimmed.slice(-maxTextChars);
  return tail.slice(tail.search(/\s/) + 1);
}
