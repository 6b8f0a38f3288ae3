import { resolveSubject } from '../conversations/resolve-subject.ts';
import type { ReadVersions } from '../invalidation/invalidation.ts';
import { fromPublicId } from '../ids.ts';
import { dayMs } from '../time.ts';
import { sumTokens } from '../language/count-tokens.ts';
import { placeSuccessorsBefore } from '../memories/order-outdated.ts';
import { dueWindow, readStandingMemories, type StandingMemory } from '../memories/standing-memories.ts';
import type { MemoryReader } from '../reader-cache/reader-cache.ts';
import { promoteSuccessors, overfetchFactor, removeRepetitions } from '../retrieval/order-hits.ts';
import { toRecalledMemory, type RecalledMemory } from '../retrieval/recall.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import type { VectorSpace } from '../vectors/vector-recipe.ts';
import { readVersionsOf, scopes, versionVectorOf, type Access, type NarrowedAccess } from '../tenancy/access.ts';
import { rankByNeedProbability } from './need-probability.ts';
import type { AnticipatedMemory, AnticipationReason, StreamSettings } from './stream-messages.ts';
import type { ConversationWindow } from './conversation-window.ts';
import type { ConversationSituation } from './features.ts';
import { othersAtMost, selectWorthSending } from './select-worth-sending.ts';
import { createInContextFilter } from './in-context-filter.ts';
import { beginEmbeddingCues, lookUpCues, type WindowMatches } from './look-up-cues.ts';
import { readAssociations } from './learned-association-store.ts';
import { associationLikelihoods } from './learned-associations.ts';

export interface PredictionDependencies extends RetrievalDependencies {
  readonly now: () => Date;
}

/** The input of a prediction: the reader, the conversation so far, and the memories that were sent already. */
export interface PredictionInput {
  readonly session: StreamSettings;
  readonly window: ConversationWindow;
  /** The public ids of the memories of the current bundle. */
  readonly held: readonly string[];
  /** Subscribes the stream to what its reader reads. True when that is new: earlier changes must be read anew. */
  readonly watch: (reader: NarrowedAccess) => Promise<boolean>;
}

export interface Prediction {
  /** The standing ones, then the others, best first; what may be outdated stands behind what may have replaced it. */
  readonly memories: readonly AnticipatedMemory[];
  readonly totalTokens: number;
  /** The public ids of memories that the session holds and that ended, or that it may not read any more. */
  readonly gone: readonly string[];
  /** The revisions after which all of the bundle was read. */
  readonly asOf: ReadVersions;
}

const defaultTokenBudget = 2_000;
/** Standing memories are read again after this. Due dates count a week ahead, so minutes do not matter. */
const standingForMs = 10 * 60_000;

/**
 * Predicts a bundle: resolve the reader, retrieve memories for the last turns, add memories used after similar words,
 * rank by the probability of being needed, then fit standing memories and the best others into the token budget.
 */
export async function predictBundle(
  deps: PredictionDependencies,
  access: Access,
  circumstances: PredictionInput,
): Promise<Prediction> {
  const { session, window } = circumstances;
  beginEmbeddingCues(deps, access, window);
  const read = await watchedReaderOf(deps, access, circumstances);
  const { access: reader } = read;
  const { space } = await deps.embedding.serving(reader);
  const { contexts, matches: lookingUp } = await lookUpCues(deps, reader, window, session);
  const [matches, standing, associations] = await Promise.all([
    lookingUp,
    readStanding(deps, reader, circumstances),
    readAssociations(deps.db, reader, contexts),
  ]);
  const learned = associationLikelihoods(associations, mostSpecificFirst(reader), contexts);
  const { situation, extra } = await situationOf(deps, { reader, space, circumstances, matches, learned });
  const lists = [situation.asked ?? [], situation.reply, ...situation.before, extra];
  const likely = rankByNeedProbability(situation, extra, createInContextFilter(matches.heard, lists));
  const hits = likely
    .slice(0, othersAtMost * overfetchFactor)
    .map(({ memory, probability }) => ({ id: memory.id, score: probability, parts: {} }));
  const ids = hits.map(({ id }) => id);
  const led = promoteSuccessors(
    hits,
    await deps.candidates.findSuccessors(reader, space, { ids, provenance: session.provenance }),
  );
  const standingKinds = new Map(standing.map(({ id, kind }) => [id, kind]));
  const wanted = [
    ...standing.map(({ id }) => ({ id, score: 1, parts: {} })),
    ...led.filter(({ id }) => !standingKinds.has(id)),
  ];
  const offered = await removeRepetitions(deps, { access: reader, space }, wanted, { provenance: session.provenance });
  const broughtUp = new Set(lists.slice(0, -1).flatMap((list) => list.map(({ id }) => id)));
  // Read before they are selected: the rows tell what may have replaced what.
  const shown = await deps.readers.hydrate(deps.db, read, offered, { explain: false });
  const memories = selectWorthSending(placeSuccessorsBefore(shown), {
    tokenBudget: session.tokenBudget ?? defaultTokenBudget,
    isStanding: ({ uuid }) => standingKinds.has(uuid),
  }).map((memory) => ({
    ...memory,
    reason: reasonOf(standingKinds.get(memory.uuid), { isInContext: broughtUp.has(memory.uuid) }),
  }));
  const gone = await findGone(deps, { reader, space }, { held: circumstances.held, shown: memories });
  return { memories, totalTokens: sumTokens(memories), gone, asOf: readVersionsOf(reader) };
}

/**
 * Resolves the reader after the stream was subscribed to every change of what they read, so that no revision is missed.
 */
async function watchedReaderOf(
  deps: PredictionDependencies,
  access: Access,
  { session, watch }: PredictionInput,
): Promise<MemoryReader> {
  let read = await resolveReader(deps, access, session);
  while (await watch(read.access)) read = await resolveReader(deps, access, session);
  return read;
}

/**
 * Resolves the reader of a session anew each time, since a configuration or an owner may have changed since it began.
 */
export async function resolveReader(
  { db, readers }: Pick<RetrievalDependencies, 'db' | 'readers'>,
  access: Access,
  session: StreamSettings,
): Promise<MemoryReader> {
  const { named } = await resolveSubject(db, access, session);
  return readers.reader(access, named);
}

/** Reads the conversation's state; `extra`: memories of use after such words (`learned`) that no text matches. */
async function situationOf(
  deps: PredictionDependencies,
  {
    reader,
    space,
    circumstances: { session, window },
    matches: { asked, before, reply },
    learned,
  }: {
    reader: NarrowedAccess;
    space: VectorSpace;
    circumstances: Pick<PredictionInput, 'session' | 'window'>;
    matches: WindowMatches;
    learned: ReadonlyMap<string, number>;
  },
): Promise<{ situation: ConversationSituation; extra: RecalledMemory[] }> {
  const found = new Set([asked, ...before, reply].flatMap((each) => each?.found.map(({ id }) => id) ?? []));
  const others = [...learned.keys()].filter((id) => !found.has(id));
  const [accesses, rows] = await Promise.all([
    deps.readers.accessCounts.read(deps.db, reader, [...found, ...others]),
    deps.candidates.readCandidates(reader, space, {
      provenance: session.provenance,
      ids: others,
      expanded: [],
      reach: 0,
    }),
  ]);
  const now = deps.now().getTime();
  const situation: ConversationSituation = {
    asked: asked?.found,
    before: before.map((each) => each.found),
    reply: reply?.found ?? [],
    learned,
    ages: (id) => window.presentationAges(id),
    accesses: (id) => {
      const access = accesses.get(id);
      return access && { count: access.count, days: Math.max(0, now - access.lastAt.getTime()) / dayMs };
    },
  };
  return { situation, extra: rows.map((row) => toRecalledMemory(row, 0)) };
}

/** Read anew when an owner changed, and from time to time: time makes things fall due, and counts make them strong. */
async function readStanding(
  deps: PredictionDependencies,
  reader: NarrowedAccess,
  { session: { provenance }, window }: Pick<PredictionInput, 'session' | 'window'>,
): Promise<readonly StandingMemory[]> {
  const of = versionVectorOf(reader.readableOwners);
  const now = deps.now();
  const existing = window.standing;
  if (existing?.of === of && Math.abs(now.getTime() - existing.at.getTime()) < standingForMs) return existing.chosen;
  const chosen = await readStandingMemories(deps.db, reader, { due: dueWindow(now), provenance });
  window.standing = { of, at: now, chosen };
  return chosen;
}

/** Finds memories that were sent and are not current any more; those that were just read are current. */
async function findGone(
  deps: PredictionDependencies,
  { reader, space }: { reader: NarrowedAccess; space: VectorSpace },
  { held, shown }: { held: readonly string[]; shown: readonly AnticipatedMemory[] },
): Promise<string[]> {
  const existing = new Set(shown.map(({ id }) => id));
  const asked = held.filter((id) => !existing.has(id)).map((id) => ({ id, uuid: fromPublicId('memory', id)! }));
  if (!asked.length) return [];
  const ids = asked.map(({ uuid }) => uuid);
  const rows = await deps.candidates.readCandidates(reader, space, { ids, expanded: [], reach: 0 });
  const remaining = new Set(rows.map((row) => row.id));
  return asked.flatMap(({ id, uuid }) => (remaining.has(uuid) ? [] : id));
}

const mostSpecificFirst = ({ readableOwners }: NarrowedAccess) =>
  readableOwners
    .toSorted((one, other) => scopes.indexOf(one.scope) - scopes.indexOf(other.scope))
    .map(({ ownerNo }) => ownerNo);

/** Why a memory is in the bundle. `kind`: that of a standing one. */
function reasonOf(
  kind: StandingMemory['kind'] | undefined,
  { isInContext }: { isInContext: boolean },
): AnticipationReason {
  if (kind) return kind === 'due' ? 'due' : 'standing';
  return isInContext ? 'context' : 'learned';
}
