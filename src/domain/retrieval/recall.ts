import type { CandidateRow } from '../memories/candidate-row.ts';
import type { MemorySelection } from '../memories/memory.ts';
import type { NarrowedAccess } from '../tenancy/access.ts';
import { findCandidates } from './find-candidates.ts';
import { rankCandidates } from './rank.ts';
import { logOddsByRank } from './relevance.ts';
import { prepareQueries } from './retrieve.ts';
import type { RetrievalDependencies } from './search.ts';

/** A memory that a text brings to mind: what ranking knew of it, and the log-odds that the text needs it. */
export interface RecalledMemory extends Pick<
  CandidateRow,
  'id' | 'documentId' | 'turn' | 'passage' | 'role' | 'type' | 'at'
> {
  /** The beginning of its text: enough to recognise it when it is said. */
  readonly opening: string;
  readonly score: number;
}

/** A key that is the same for all memories of one turn. */
export const turnKeyOf = ({ documentId, turn }: Pick<RecalledMemory, 'documentId' | 'turn'>) => `${documentId}/${turn}`;

const openingChars = 120;

/** The memories that match a text, best first, and its rarest terms under their keyed hashes, rarest first. */
export interface RecallResult {
  readonly found: readonly RecalledMemory[];
  readonly terms: readonly bigint[];
}

/** The terms are known before the memories are found. */
export interface PendingRecall extends Pick<RecallResult, 'terms'> {
  readonly recall: Promise<RecallResult>;
}

/**
 * Begins to recall memories for each text, ranked as an `accurate` search does, before anything is read for showing.
 */
export async function beginRecall(
  deps: RetrievalDependencies,
  access: NarrowedAccess,
  {
    texts,
    limit,
    terms: termsAtMost,
    provenance,
  }: Pick<MemorySelection, 'provenance'> & {
    texts: readonly string[];
    limit: number;
    terms: number;
  },
): Promise<PendingRecall[]> {
  if (!texts.length) return [];
  if (!access.readableOwners.length) {
    const nothing = { found: [], terms: [] };
    return texts.map(() => ({ terms: [], recall: Promise.resolve(nothing) }));
  }
  const { queries } = await prepareQueries(deps, access, texts);
  const search = { queries: texts, mode: 'accurate', limit, minRelevance: 0, provenance } as const;
  return queries.map((query) => {
    const rarest = [...query.idf].toSorted(([, one], [, other]) => other - one).slice(0, termsAtMost);
    const terms = rarest.map(([term]) => term);
    const find = async () => {
      const { candidates, lexical } = await findCandidates(deps, access, search, query);
      const ranked = rankCandidates(query.stems, candidates, lexical).slice(0, limit);
      return { terms, found: ranked.map((each) => toRecalledMemory(each.candidate.row, logOddsByRank(each))) };
    };
    return { terms, recall: find() };
  });
}

/** Sessions keep thousands of these: no more of a row than they need, and no slice that holds on to the whole. */
export function toRecalledMemory(row: CandidateRow, score: number): RecalledMemory {
  const { id, documentId, turn, passage, role, type, text, at } = row;
  const opening = Buffer.from(text.slice(0, openingChars)).toString();
  return { id, documentId, turn, passage, role, type, at, opening, score };
}
