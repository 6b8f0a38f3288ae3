import { resolveSubject } from '../conversations/resolve-subject.ts';
import type { ReadVersions } from '../invalidation/invalidation.ts';
import { uuidOf } from '../ids.ts';
import { dayMs } from '../language/calendar.ts';
import { countTokens, tokensIn } from '../language/count-tokens.ts';
import { placeOutdatedBehind } from '../memories/order-outdated.ts';
import { readStandingMemories } from '../memories/standing-store.ts';
import type { Reader } from '../reader-cache/reader-cache.ts';
import { leadWithSuccessors, readAhead, withoutRepetitions, type WordedHit } from '../retrieval/order-hits.ts';
import { recalled, type Recalled } from '../retrieval/recall.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import type { VectorSpace } from '../search-index/vector-space.ts';
import { readVersionsOf, scopes, versionVectorOf, type Access, type OwnedAccess } from '../tenancy/access.ts';
import { activate } from './activation.ts';
import type { AnticipatedMemory, Session } from './anticipation.ts';
import type { Attention } from './attention.ts';
import type { Situation } from './features.ts';
import { gate } from './gate.ts';
import { presenceIn } from './presence.ts';
import { beginRecollecting, recollect, type Mind } from './recollect.ts';
import { readTransitions } from './transition-store.ts';
import { likelihoods } from './transitions.ts';
import { chooseStanding, dueWindow, standingAtMost, type Standing } from './triggers.ts';

/** The dependencies of a prediction. */
export interface Predicting extends RetrievalDependencies {
  readonly now: () => Date;
}

/** For whom, what they have on their mind, and what they were sent. */
export interface Circumstances {
  readonly session: Session;
  readonly attention: Attention;
  /** The memories of the bundle that stands, as printed. */
  readonly held: readonly string[];
  /**
   * Lets the stream hear of every change of what this reader reads. True when it did not before: what changed until
   * now is to be read anew.
   */
  readonly watch: (reader: OwnedAccess) => Promise<boolean>;
}

export interface Prediction {
  /** The standing ones, then the others, best first; what may be outdated stands behind what may have replaced it. */
  readonly memories: readonly AnticipatedMemory[];
  readonly totalTokens: number;
  /** Memories that the session holds and that hold no more, or may not be read any more; as printed. */
  readonly gone: readonly string[];
  /** All of it was read after these revisions. */
  readonly asOf: ReadVersions;
}

/** Beside the standing ones. */
const memoriesAtMost = 10;
const defaultTokenBudget = 2_000;
/** The share of the budget that standing memories may take. */
const standingShare = 0.5;
/** How long the standing memories that were read are used. Due dates count a week ahead, so minutes do not matter. */
const standingForMs = 10 * 60_000;

/**
 * who is meant -> what the last turns bring to mind, what was of use after the like -> what of it is likely to be
 * needed -> what always holds, and of the others what is worth its tokens
 */
export async function predict(deps: Predicting, access: Access, circumstances: Circumstances): Promise<Prediction> {
  const { session, attention } = circumstances;
  beginRecollecting(deps, access, attention);
  const read = await watchedReaderOf(deps, access, circumstances);
  const { access: reader } = read;
  const { space } = await deps.embedding.serving(reader);
  const { contexts, mind: recollected } = await recollect(deps, reader, attention, session);
  const [mind, standing, transitions] = await Promise.all([
    recollected,
    readStanding(deps, reader, circumstances),
    readTransitions(deps.db, reader, contexts),
  ]);
  const learned = likelihoods(transitions, mostSpecificFirst(reader), contexts);
  const { situation, extra } = await situationOf(deps, { reader, space, circumstances, mind, learned });
  const lists = [situation.asked ?? [], situation.reply, ...situation.before, extra];
  const likely = activate(situation, extra, presenceIn(mind.heard, lists));
  const hits = likely
    .slice(0, memoriesAtMost * readAhead)
    .map(({ memory, probability }) => ({ id: memory.id, score: probability, parts: {} }));
  const ids = hits.map(({ id }) => id);
  const led = leadWithSuccessors(
    hits,
    await deps.candidates.findSuccessors(reader, space, { ids, provenance: session.provenance }),
  );
  const always = new Map(standing.map(({ id, reason }) => [id, reason]));
  const wanted = [
    ...standing.map(({ id }) => ({ id, score: 1, parts: {} })),
    ...led.filter(({ id }) => !always.has(id)),
  ];
  const offered = await withoutRepetitions(deps, { access: reader, space }, wanted, { provenance: session.provenance });
  const packed = pack(offered, session.tokenBudget ?? defaultTokenBudget, always);
  const broughtUp = new Set(lists.slice(0, -1).flatMap((list) => list.map(({ id }) => id)));
  const shown = await deps.readers.hydrate(deps.db, read, packed, { explain: false });
  const memories = placeOutdatedBehind(shown).map((memory) => ({
    ...memory,
    reason: always.get(memory.uuid) ?? (broughtUp.has(memory.uuid) ? ('context' as const) : ('learned' as const)),
  }));
  const gone = await findGone(deps, { reader, space }, { held: circumstances.held, shown: memories });
  return { memories, totalTokens: tokensIn(memories), gone, asOf: readVersionsOf(reader) };
}

/** Resolves the reader after the stream was subscribed to every change of what they read, so that no revision is missed. */
async function watchedReaderOf(deps: Predicting, access: Access, { session, watch }: Circumstances): Promise<Reader> {
  let read = await readerOf(deps, access, session);
  while (await watch(read.access)) read = await readerOf(deps, access, session);
  return read;
}

/** Resolves the reader of a session anew each time, since a configuration or an owner may have changed since it began. */
export async function readerOf(
  { db, readers }: Pick<RetrievalDependencies, 'db' | 'readers'>,
  access: Access,
  session: Session,
): Promise<Reader> {
  const { named } = await resolveSubject(db, access, session);
  return readers.reader(access, named);
}

/**
 * Reads the state of the conversation; `extra`: memories that were of use after such words (`learned`), though no text
 * matches them.
 */
async function situationOf(
  deps: Predicting,
  {
    reader,
    space,
    circumstances: { session, attention },
    mind: { asked, before, reply },
    learned,
  }: {
    reader: OwnedAccess;
    space: VectorSpace;
    circumstances: Pick<Circumstances, 'session' | 'attention'>;
    mind: Mind;
    learned: ReadonlyMap<string, number>;
  },
): Promise<{ situation: Situation; extra: Recalled[] }> {
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
  const situation: Situation = {
    asked: asked?.found,
    before: before.map((each) => each.found),
    reply: reply?.found ?? [],
    learned,
    ages: (id) => attention.ages(id),
    accesses: (id) => {
      const access = accesses.get(id);
      return access && { count: access.count, days: Math.max(0, now - access.lastAt.getTime()) / dayMs };
    },
  };
  return { situation, extra: rows.map((row) => recalled(row, 0)) };
}

/** Read anew when an owner changed, and from time to time: time alone makes things fall due, and counts make them strong. */
async function readStanding(
  deps: Predicting,
  reader: OwnedAccess,
  { session: { provenance }, attention }: Pick<Circumstances, 'session' | 'attention'>,
): Promise<readonly Standing[]> {
  const of = versionVectorOf(reader.reads);
  const now = deps.now();
  const known = attention.standing;
  if (known?.of === of && Math.abs(now.getTime() - known.at.getTime()) < standingForMs) return known.chosen;
  const wanted = { ...dueWindow(now), limit: standingAtMost, provenance };
  const chosen = chooseStanding(await readStandingMemories(deps.db, reader, wanted));
  attention.standing = { of, at: now, chosen };
  return chosen;
}

/** Finds memories that were sent and are not current any more; those that were just read are current. */
async function findGone(
  deps: Predicting,
  { reader, space }: { reader: OwnedAccess; space: VectorSpace },
  { held, shown }: { held: readonly string[]; shown: readonly AnticipatedMemory[] },
): Promise<string[]> {
  const known = new Set(shown.map(({ id }) => id));
  const asked = held.filter((id) => !known.has(id)).map((id) => ({ id, uuid: uuidOf('memory', id)! }));
  if (!asked.length) return [];
  const ids = asked.map(({ uuid }) => uuid);
  const rows = await deps.candidates.readCandidates(reader, space, { ids, expanded: [], reach: 0 });
  const left = new Set(rows.map((row) => row.id));
  return asked.flatMap(({ id, uuid }) => (left.has(uuid) ? [] : id));
}

/** The standing ones in their share of the budget, then the others in what is left of it. */
function pack(
  hits: readonly WordedHit[],
  budget: number,
  always: ReadonlyMap<string, unknown>,
): (WordedHit & { readonly tokens: number })[] {
  const isStanding = ({ id }: WordedHit) => always.has(id);
  const limits = { memories: Infinity, tokens: budget * standingShare };
  const standing = gate(hits.filter(isStanding), limits, countTokens);
  const others = gate(
    hits.filter((hit) => !isStanding(hit)),
    { memories: memoriesAtMost, tokens: budget - standing.tokens },
    countTokens,
  );
  return [...standing.sent, ...others.sent];
}

const mostSpecificFirst = ({ reads }: OwnedAccess) =>
  reads.toSorted((one, other) => scopes.indexOf(one.level) - scopes.indexOf(other.level)).map(({ ownerNo }) => ownerNo);
