import { dayMs } from '../time.ts';
import { sigmoid } from '../memories/log-odds.ts';
import { turnKeyOf, type RecalledMemory } from '../retrieval/recall.ts';

/** The state of a conversation when a bundle is predicted. */
export interface ConversationSituation {
  /** Memories that match the words being said, or said last; undefined once the agent has answered. */
  readonly asked: readonly RecalledMemory[] | undefined;
  /** Memories that match the turns of people before, newest turn first. */
  readonly before: readonly (readonly RecalledMemory[])[];
  readonly reply: readonly RecalledMemory[];
  /** Memories that were of use after such words, and how likely they are. */
  readonly learned: ReadonlyMap<string, number>;
  /** How many turns ago a memory was among the best matches of a turn, for each time that it was. */
  readonly ages: (id: string) => readonly number[];
  /** Days since a memory was last returned or used, and how often. */
  readonly accesses: (id: string) => { count: number; days: number } | undefined;
}

/** The matches of each list that count; those further down are no hint. */
const depth = 40;
/** The decay rate of ACT-R (Anderson et al. 2004): a trace fades with the root of its age. */
const forgetting = 0.5;

/** Within a month nothing is old. */
const shortSpanMs = 30 * dayMs;

/** 1 for the first of a list, half for the fourth. */
const nearness = (rank: number | undefined) => (rank === undefined ? 0 : 3 / (3 + rank));
/** 1 for what was said last, half for what ten turns were said after. */
const recency = (turns: number) => 10 / (10 + turns);

/**
 * Base-level activation: traces of the session by their age in turns. All accesses together, by the age of the last in
 * days, are worth at most one of them: an agent that fetches much would teach what is fetched, and not what is needed.
 */
export function baseLevelActivation(
  ages: readonly number[],
  accesses: { count: number; days: number } | undefined,
): number {
  const traces = ages.reduce((sum, age) => sum + age ** -forgetting, 0);
  const older = accesses ? (accesses.count / (1 + accesses.count)) * (1 + accesses.days) ** -forgetting : 0;
  return Math.log(1 + traces + older);
}

interface MemoryFeatures {
  readonly memory: RecalledMemory;
  readonly asked: { rank: number; score: number } | undefined;
  readonly before: readonly (number | undefined)[];
  readonly reply: { rank: number; score: number } | undefined;
  readonly beside: number;
  readonly age: number;
  /** How many of the other matching turns were said after it. */
  readonly turnsSince: number;
  readonly situation: ConversationSituation;
}

/** The features of a memory, each near 0 to 1. Their weights are written by `scripts/train-anticipation.mjs`. */
const predictionFeatures = {
  asked: ({ asked }: MemoryFeatures) => nearness(asked?.rank),
  askedOdds: ({ asked }: MemoryFeatures) => (asked ? sigmoid(asked.score) : 0),
  before: ({ before }: MemoryFeatures) => nearness(before[0]),
  /** However far back in the window that was. */
  nearest: ({ before, reply }: MemoryFeatures) => Math.max(nearness(reply?.rank), ...before.map(nearness)),
  reply: ({ reply }: MemoryFeatures) => nearness(reply?.rank),
  replyOdds: ({ reply }: MemoryFeatures) => (reply ? sigmoid(reply.score) : 0),
  /** Memories beside it in its document match: activation spreads. */
  beside: ({ beside }: MemoryFeatures) => beside,
  base: ({ memory: { id }, situation }: MemoryFeatures) =>
    baseLevelActivation(situation.ages(id), situation.accesses(id)),
  learned: ({ memory: { id }, situation }: MemoryFeatures) => situation.learned.get(id) ?? 0,
  agent: ({ memory }: MemoryFeatures) => Number(memory.role === 'assistant'),
  laterPassage: ({ memory }: MemoryFeatures) => Number(memory.type === 'episodes' && memory.passage > 0),
  typed: ({ memory }: MemoryFeatures) => Number(memory.type !== 'episodes'),
  age: ({ age }: MemoryFeatures) => age,
  recent: ({ turnsSince }: MemoryFeatures) => recency(turnsSince),
} satisfies Record<string, (reading: MemoryFeatures) => number>;

export type FeatureName = keyof typeof predictionFeatures;
export const featureNames = Object.keys(predictionFeatures) as FeatureName[];
const evaluate = Object.values(predictionFeatures);

/** The memories that match `situation`, except those that the agent has in its context window, with their features. */
export function situationFeatures(
  situation: ConversationSituation,
  extra: readonly RecalledMemory[],
  isInContext: (memory: RecalledMemory) => boolean,
): { memory: RecalledMemory; features: number[] }[] {
  const shown = (list: readonly RecalledMemory[]) => list.filter((memory) => !isInContext(memory)).slice(0, depth);
  const lists = {
    asked: shown(situation.asked ?? []),
    reply: shown(situation.reply),
    before: situation.before.map(shown),
  };
  const memories = new Map<string, RecalledMemory>();
  for (const list of [lists.asked, ...lists.before, lists.reply, shown(extra)]) {
    for (const memory of list) if (!memories.has(memory.id)) memories.set(memory.id, memory);
  }
  const [asked, reply] = [placesIn(lists.asked), placesIn(lists.reply)];
  const before = lists.before.map(placesIn);
  const warmth = warmthOfPlaces([lists.asked, ...lists.before, lists.reply]);
  const times = [...memories.values()].map(({ at }) => at.getTime());
  const newest = times.reduce((one, other) => Math.max(one, other), -Infinity);
  const oldest = times.reduce((one, other) => Math.min(one, other), newest);
  const span = Math.max(newest - oldest, shortSpanMs);
  const since = countSince([...memories.values()]);
  return [...memories.values()].map((memory) => {
    const { id, documentId, turn } = memory;
    const besideIt = [turn - 1, turn + 1].map((at) => warmth.get(turnKeyOf({ documentId, turn: at })) ?? 0);
    const reading: MemoryFeatures = {
      memory,
      asked: asked.get(id),
      before: before.map((places) => places.get(id)?.rank),
      reply: reply.get(id),
      beside: Math.max(...besideIt),
      age: (newest - memory.at.getTime()) / span,
      turnsSince: since.get(turnKeyOf(memory))!,
      situation,
    };
    return { memory, features: evaluate.map((feature) => feature(reading)) };
  });
}

const placesIn = (list: readonly RecalledMemory[]) => new Map(list.map(({ id, score }, rank) => [id, { rank, score }]));

/** Counts, for each matching turn, how many of the others were said later. */
function countSince(memories: readonly RecalledMemory[]): Map<string, number> {
  const turns = new Map(memories.map((memory) => [turnKeyOf(memory), memory]));
  const latestFirst = [...turns].toSorted(([, one], [, other]) => saidBefore(other, one));
  return new Map(latestFirst.map(([turn], count) => [turn, count]));
}

/** Below 0 where `one` was said first; documents of one moment in any order, but always the same. */
function saidBefore(one: RecalledMemory, other: RecalledMemory): number {
  const apart = one.at.getTime() - other.at.getTime();
  if (apart || one.documentId === other.documentId) return apart || one.turn - other.turn;
  return one.documentId < other.documentId ? -1 : 1;
}

/** Tells, for each matching turn, how near the top of a list its best memory stands. */
function warmthOfPlaces(lists: readonly (readonly RecalledMemory[])[]): Map<string, number> {
  const warmth = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, memory] of list.entries()) {
      const turn = turnKeyOf(memory);
      warmth.set(turn, Math.max(warmth.get(turn) ?? 0, 1 / (1 + rank)));
    }
  }
  return warmth;
}
