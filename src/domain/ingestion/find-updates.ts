import pLimit from 'p-limit';
import type { Db } from '../../db/database.ts';
import type { MemoryType } from '../memory-types.ts';
import { DomainError } from '../errors.ts';
import { contentKey } from '../extraction/content-key.ts';
import { isTrustedProvenance } from '../extraction/provenance.ts';
import type { Candidate } from '../extraction/candidate.ts';
import { queryStemsOf } from '../language/stems.ts';
import { cosineSimilarity } from '../vectors/similarity.ts';
import { sketchDimensions, indexedText, queryVector, type VectorSpace } from '../vectors/vector-recipe.ts';
import type { NewMemory } from '../memories/memory-store.ts';
import type { UpdateClassifier, UpdatePair } from '../memories/update-classifier.ts';
import { findUpdatableMemories, type UpdatableMemory } from '../memories/updatable-store.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/owner-store.ts';

export interface UpdateDependencies {
  readonly db: Db;
  readonly vectors: Pick<VectorIndex, 'nearest'>;
  readonly embedding: Pick<EmbeddingModels, 'serving'>;
  readonly updateClassifier: UpdateClassifier;
  readonly warn: (message: string, error: unknown) => void;
}

/** A memory about to be stored. */
export interface NewMemoryWithCandidate {
  readonly memory: NewMemory;
  readonly candidate: Candidate;
}

/** A memory, and the later statement because of which it does not hold any more. */
export interface MemoryUpdate {
  readonly old: UpdatableMemory;
  readonly by: NewMemory;
}

/** An update of which somebody may be asked, unless the older memory is superseded anyhow. */
export interface PossibleMemoryUpdate extends MemoryUpdate {
  readonly probability: number;
}

/** The earlier statements that later ones replace, for sure or possibly. */
export interface MemoryUpdates {
  readonly sure: readonly MemoryUpdate[];
  /**
   * Also where only a part of the memory holds no more, since superseding it would retire the rest; and the sure ones,
   * in case the form of a statement forbids that they supersede.
   */
  readonly possible: readonly PossibleMemoryUpdate[];
}

const noUpdates: MemoryUpdates = { sure: [], possible: [] };

const typed: readonly MemoryType[] = ['facts', 'preferences', 'emotions', 'temporal_events'];
/** So many of the owner's memories are looked at, the nearest in meaning: some of them hold no more. */
const nearest = 6;
/** So many of the statements right before it in its document are looked at too. */
const justBefore = 20;
/** So many memories are compared with a statement, the nearest of both: who announces a change hardly means another. */
const mostCompared = 4;
/** Memories less alike than this say nothing of one another, whatever the model makes of them. */
const leastCosine = 0.15;
/** So many statements of one document are compared: a longer one is no talk that corrects what was said. */
const mostStatements = 200;
/** So many searches of one document run at once, so that others find a connection of the database too. */
const searchedAtOnce = 4;
/** Matches a statement about the moment, which ends nothing that lasts. */
const momentary = /\bright now\b/iu;
/**
 * From this probability on a memory is superseded, where nothing of it holds. In talk that goes over one theme again
 * and again fewer are rightly so, so that below it is better to ask.
 */
const surely = 0.65;
/**
 * Minimum probability to supersede an attribute's value, such as a home or an employer: rules catch most real ends,
 * and a wrong one costs more. Leaving home for a weekend scores high too.
 */
const surelyOfValue = 0.9;
/**
 * A memory is superseded if the probability that nothing of it holds is at least this; else it stays, possibly
 * outdated, beside what replaced a part of it: to retire what still holds is worse than to ask.
 */
const mostlyWhole = 0.4;
/** The least probability at which a memory is possibly outdated. */
const possibly = 0.2;
/** The probability that a memory is outdated whose value the later statement names as the former one. */
const likelyByName = 0.9;

/**
 * The memories, stored or of the same document, that one of the added statements replaces or ends, surely or possibly.
 * Where the model, or the index, is not there, none: what an attribute's form says is superseded all the same. What an
 * assistant, a tool or a document says replaces nothing.
 */
export async function findUpdates(
  deps: UpdateDependencies,
  access: Access,
  ownerNo: number,
  added: readonly NewMemoryWithCandidate[],
): Promise<MemoryUpdates> {
  const statements = added
    .filter(
      ({ memory }) =>
        memory.type !== 'episodes' && isTrustedProvenance(memory.provenance) && !momentary.test(memory.content),
    )
    .slice(0, mostStatements);
  if (!statements.length) return noUpdates;
  try {
    const compared = await pairsOf(deps, access, ownerNo, statements);
    const likelihoods = await deps.updateClassifier.compare(compared.map(({ pair }) => pair));
    const likely = compared.filter(({ old }, n) => {
      const { update, whole } = likelihoods[n]!;
      return (
        update >= (old.attributeKey ? surelyOfValue : surely) && whole >= mostlyWhole && !tellsName.test(old.content)
      );
    });
    const sure = await excludePartialUpdates(deps.updateClassifier, likely);
    const possible = compared.flatMap(({ old, by, pair }, n) => {
      const named = namesFormerValue(pair) ? likelyByName : 0;
      const probability = Math.max(likelihoods[n]!.update, named);
      return probability >= possibly && mayBeOutdated(old, by) ? [{ old, by, probability }] : [];
    });
    return { sure, possible };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    deps.warn('later statements could not be compared with memories', error);
    return noUpdates;
  }
}

/**
 * Matches the words between two things that a memory says: "I have a peanut allergy and take warfarin", "I live at the
 * mill with my cat", "My son lives in Toronto, he calls every Sunday".
 */
const boundary =
  /[,;]?\s+(?:and|but|y|pero|und|aber|et)\s+|;\s+|\s+(?=(?:with|mit|con|avec)\s)|,\s+(?=(?:I|we|he|she|they|it|ich|wir|er|sie|él|ella|ellos|je|nous|il|elle|ils|elles)\s)/u;
/** "Ich bin Katrin, Lehrerin in Kassel": beside whatever holds no more it tells the name, which does. */
const tellsName =
  /(?<!\p{L})(?:(?:[Ii]['’]?m|[Ii] am|[Ii]ch bin|[Ss]oy|[Jj]e suis) \p{Lu}\p{Ll}+,|(?:[Nn]ame(?:['’]?s| is| ist)|[Ii]ch heiße|[Mm]e llamo|[Jj]e m['’]appelle) \p{Lu}\p{L}+[^\p{L}]+\p{L})/u;
/** The fewest words of a statement that can be compared by itself: a shorter one is one more of a list. */
const shortestPart = 3;

/** Keeps updates about all that the older memory says: of a part, the rest would be retired with it. */
async function excludePartialUpdates(
  updates: UpdateClassifier,
  likely: readonly ComparedUpdate[],
): Promise<ComparedUpdate[]> {
  const parts = likely.flatMap((update) => partsOf(update.pair.memory).map((memory) => ({ update, memory })));
  const likelihoods = await updates.compare(parts.map(({ update, memory }) => ({ ...update.pair, memory })));
  return likely.filter((update) => {
    const own = parts.flatMap(({ update: of, memory }, n) => (of === update ? [{ memory, ...likelihoods[n]! }] : []));
    const isList = own.some(({ memory }) => wordsOf(memory).length < shortestPart);
    const named = new Set(queryStemsOf(update.pair.statement));
    const concerned = isList
      ? own.filter(({ memory }, place) => itemTerms(memory, place).some((term) => named.has(term)))
      : own.filter((each) => each.update >= possibly);
    return concerned.length === 0 || concerned.length === own.length;
  });
}

/** The things that a memory says, where it says several; the question that it answers is none of them. */
function partsOf(memory: string): string[] {
  const parts = memory.slice(memory.lastIndexOf('?') + 1).split(boundary);
  return parts.length < 2 ? [] : parts;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}'’]+/gu) ?? [];
/** The terms of a list's item: "I speak Spanish and German" begins with what is said of all, so its last word. */
const itemTerms = (item: string, place: number): string[] =>
  place === 0 ? queryStemsOf(item).slice(-1) : queryStemsOf(item);

const formerValue =
  /(?:\b(?:instead of|rather than|not|statt|en lugar de|au lieu de))\s+(?:on |at |the |in |to )?(?<value>.{2,40}?)\s*(?:[,;!?]\s|[.,;!?]*$|\.\s)/giu;

/** Whether a statement names a memory's value as the former one: "£1,010, not £1,020", "Leeds instead of Bristol". */
const namesFormerValue = ({ memory, statement }: UpdatePair): boolean =>
  [...statement.matchAll(formerValue)].some(({ groups }) => {
    const value = groups!['value']!;
    return /\d|^\p{Lu}/u.test(value) && spaced(memory).includes(spaced(value));
  });

/** The words alone, each between spaces. */
const spaced = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;

type ComparedUpdate = MemoryUpdate & { readonly pair: UpdatePair };
type Near = { readonly old: UpdatableMemory; readonly cosine: number };

async function pairsOf(
  deps: UpdateDependencies,
  access: Access,
  ownerNo: number,
  statements: readonly NewMemoryWithCandidate[],
): Promise<ComparedUpdate[]> {
  const model = await deps.embedding.serving(access);
  const texts = statements.map(({ memory, candidate }) => indexedText(candidate.content, memory.speaker));
  const meanings = await model.meanings(texts); // storage asks for the same and finds them done
  if (!meanings?.[0]?.length) return [];
  const stored = await findStored(deps, access, ownerNo, { space: model.space, meanings });
  return statements.flatMap((statement, n) => {
    const from = Math.max(0, n - justBefore);
    const before = statements.slice(from, n).map((earlier, at) => ({
      old: { ...earlier.memory, eventStart: earlier.memory.event?.start ?? null },
      cosine: cosineSimilarity(meanings[from + at]!, meanings[n]!),
    }));
    return comparedWith(statement, [...stored[n]!, ...before]);
  });
}

/** Finds, for each vector, the owner's nearest statements that hold now. */
async function findStored(
  { db, vectors }: UpdateDependencies,
  access: Access,
  ownerNo: number,
  { space, meanings }: { readonly space: VectorSpace; readonly meanings: readonly Float32Array[] },
): Promise<Near[][]> {
  const readableOwners = await findOwners(db, access.instanceNumber, [ownerNo]);
  const near = await pLimit(searchedAtOnce).map(meanings, (meaning) => {
    const values = queryVector(new Float32Array(sketchDimensions), meaning);
    const search = { vector: { space, values }, limit: nearest, types: typed, doesNotFillCache: true };
    return vectors.nearest({ ...access, readableOwners }, search);
  });
  const ids = new Set(near.flat().flatMap(({ memoryId, cosine }) => (cosine >= leastCosine ? [memoryId] : [])));
  const byId = new Map((await findUpdatableMemories(db, access, ownerNo, [...ids])).map((each) => [each.id, each]));
  return near.map((found) =>
    found.flatMap(({ memoryId, cosine }) => {
      const old = byId.get(memoryId);
      return old ? [{ old, cosine }] : [];
    }),
  );
}

/** A statement with those that it may replace: the nearest said before it, in another turn and in other words. */
function comparedWith({ memory, candidate }: NewMemoryWithCandidate, near: readonly Near[]): ComparedUpdate[] {
  // As it was said: the model is shown what was said before, and a name that both have makes them likelier to be of one
  // thing: "Leo broke his ankle" would end that Leo plays football.
  const { asSaid: statement = candidate.content, before = '' } = candidate;
  const ranked = near
    .filter(({ old }) => mayEnd(old, { memory, candidate }))
    .toSorted((one, other) => other.cosine - one.cosine);
  return ranked.slice(0, mostCompared).flatMap(({ old, cosine }, place) => {
    if (cosine < leastCosine) return [];
    // A person of whom little is known has no memory that leads by much.
    const lead = cosine - Math.max(leastCosine, ranked[place === 0 ? 1 : 0]?.cosine ?? 0);
    return [{ old, by: memory, pair: { memory: old.content, statement, before, cosine, lead } }];
  });
}

/** The fewest words that two statements of one form share at their ends. */
const leastShared = 2;

/** Whether two statements say one thing of different people: "I met Odile at the fair", "I met Jorun at the fair". */
function areParallel(one: string, { content: other, entities }: Candidate): boolean {
  const [ones, others] = [wordsOf(one), wordsOf(other)];
  const start = commonStart(ones, others);
  const end = commonStart(ones.slice(start).toReversed(), others.slice(start).toReversed());
  const [before, after] = [ones, others].map((words) => words.slice(start, words.length - end));
  const isPerson = entities.some(({ name, kind }) => kind === 'person' && name.split(/\s+/u).includes(after![0] ?? ''));
  // "My dentist is Dr. Lowe" and "My dentist is Dr. Khan" are of one thing.
  const isNamed = end === 0 && /^(?:is|are|was|ist|sind|es|son|est|sont)$|['’]s$/iu.test(ones[start - 1] ?? '');
  return start + end >= leastShared && isPerson && before!.length > 0 && !isNamed;
}

function commonStart(ones: readonly string[], others: readonly string[]): number {
  const place = ones.findIndex((word, n) => word !== others[n]);
  return place < 0 ? ones.length : place;
}

/**
 * Whether somebody may be asked if it replaces the other. Two with an attribute each are exact already, and of two that
 * were said at one time in different documents none is later.
 */
function mayBeOutdated(old: UpdatableMemory & Partial<Pick<NewMemory, 'turns'>>, by: NewMemory): boolean {
  const isExact = old.attributeKey !== null && by.attributeKey !== null;
  return !isExact && (old.turns !== undefined || old.validFrom < by.validFrom);
}

function mayEnd(
  old: UpdatableMemory & Partial<Pick<NewMemory, 'turns'>>,
  { memory, candidate }: NewMemoryWithCandidate,
): boolean {
  // Two statements of one turn are said together. A pasted chat is sent as one turn: its parts differ in their times.
  const isSameTurn = old.turns?.[0] === memory.turns[0] && old.validFrom.getTime() === memory.validFrom.getTime();
  const isOther = contentKey(old.content) !== contentKey(memory.content) && !areParallel(old.content, candidate);
  return !isSameTurn && isOther && old.validFrom <= memory.validFrom;
}
