import type { Configuration } from '../configurations/configuration.ts';
import type { Candidate } from '../extraction/candidate.ts';
import { categoryFitterOf, isExcluded } from '../extraction/fit-category.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';
import type { DocumentReadResult } from './read-document.ts';
import type { IngestionWork } from './ingestion-store.ts';

/** A record cites itself by its beginning. */
const quotedCharacters = 2_000;

/** The words that a record cites as its evidence. */
export const quoteOfRecord = (content: string): string => content.slice(0, quotedCharacters);

/**
 * A record as one memory, in the words in which it was given; none where the configuration excludes what it holds. It
 * has the type and category of what it states, so that an instruction among the records stands as any other does; one
 * that states nothing, or several kinds of things, is a fact.
 */
export async function extractVerbatimRecord(
  { readDocument }: Pick<IngestionDependencies, 'readDocument'>,
  { body, createdAt, type }: Pick<IngestionWork, 'body' | 'createdAt' | 'type'>,
  configuration: Configuration,
): Promise<DocumentReadResult> {
  const content = typeof body === 'string' ? body : body.map((turn) => turn.content).join('\n');
  const turns = [{ index: 0, role: 'user', content, at: createdAt }];
  if (isExcluded(configuration, content))
    return { turns, candidates: [], discarded: [{ turn: 0, reason: 'excluded' }], warnings: [excluded] };
  const quote = quoteOfRecord(content);
  const record: Candidate = { ...aFact, content, confidence: 1, turns: [0], quote, entities: [] };
  // A text that is longer than its quote has no kind that a statement in it could tell.
  if (quote !== content) return { turns, candidates: [record], discarded: [], warnings: [] };
  const threshold = configuration.confidence_threshold;
  const { candidates } = await readDocument({ body: content, createdAt, type, mode: 'fast', threshold });
  const typed = { ...record, ...kindOf(candidates.filter((each) => each.type !== 'episodes')) };
  const isRemembered = categoryFitterOf(configuration)(typed) !== null;
  return { turns, candidates: [isRemembered ? typed : record], discarded: [], warnings: [] };
}

type Kind = Pick<Candidate, 'type' | 'category' | 'event' | 'dueAt'>;

const aFact = { type: 'facts', category: 'other' } as const satisfies Kind;

/** The type that all of these statements have, and the times of the only one. */
function kindOf([first, ...others]: readonly Candidate[]): Kind {
  if (!first || others.some(({ type, category }) => type !== first.type || category !== first.category)) return aFact;
  const { type, category, event, dueAt } = first;
  return { type, category, ...(others.length ? {} : { ...(event && { event }), ...(dueAt && { dueAt }) }) };
}

const excluded = 'the text holds what `excluded` of the configuration names: nothing of it is remembered';
