import { compareNames, type Comparison, type NameRelation } from './compare-names.ts';
import { bandOf, relationWeights, scoreOf, weights, type Bands, type Feature } from './score.ts';

/** A name that the document mentions, or one that is known and like it. */
export interface NameNode {
  readonly id: string;
  /** What it is merged into; itself when it is not. */
  readonly rootId: string;
  /** Its normal form. */
  readonly normal: string;
  readonly isRole: boolean;
  readonly kind: string;
  /** In this document. */
  readonly isMentioned: boolean;
  /** Talks in this document. */
  readonly isParticipant: boolean;
  /** Named by the owner of this document, now or before. */
  readonly isInCircle: boolean;
  /** Of its memories the newest, and whose they are. */
  readonly memoryIds: readonly string[];
  readonly ownerNos: readonly number[];
}

/** Two names of which a memory says that they are one: "my sister Dana". */
export interface StatedLink {
  readonly ids: readonly [string, string];
  readonly memoryIds: readonly string[];
}

/** Two names that may be one, and why. */
export interface Pair {
  readonly left: NameNode;
  readonly right: NameNode;
  readonly features: readonly Feature[];
  /** The memories that state it; none when the names tell. */
  readonly evidence: readonly string[];
}

export type ScoredPair = Pair & { readonly score: number };

/** What people decided of pairs of names before: no, yes, or not yet. */
export interface Decided {
  readonly left: string;
  readonly right: string;
  readonly status: 'open' | 'confirmed' | 'rejected';
}

type Group = readonly NameNode[];

function groupsOf(nodes: readonly NameNode[]): Group[] {
  const groups = new Map<string, NameNode[]>();
  for (const node of nodes) groups.set(node.rootId, [...(groups.get(node.rootId) ?? []), node]);
  return [...groups.values()];
}

/** What a document repeats of two names that are one already: the merge stands on these memories too. */
export const restated = (nodes: readonly NameNode[], stated: readonly StatedLink[]): StatedLink[] =>
  stated.filter(({ ids }) => {
    const [one, other] = ids.map((id) => nodes.find((node) => node.id === id)?.rootId);
    return one !== undefined && one === other;
  });

/** Each mentioned name with each other entity that it may be, as far as names and circumstances tell. */
export function comparePairs(nodes: readonly NameNode[], stated: readonly StatedLink[]): Pair[] {
  const groups = groupsOf(nodes);
  const groupOf = new Map(groups.flatMap((group) => group.map((node) => [node.id, group] as const)));
  const pairs = new Map<string, Pair>();
  const add = (pair: Pair) => {
    const key = [pair.left.rootId, pair.right.rootId].toSorted().join('/');
    const known = pairs.get(key);
    if (!known || scoreOf(known.features) < scoreOf(pair.features)) pairs.set(key, pair);
  };
  for (const link of stated) {
    const [left, right] = link.ids.map((id) => nodes.find((node) => node.id === id));
    if (!left || !right || left.rootId === right.rootId) continue;
    if (areNamedApart(groupOf.get(left.id)!, groupOf.get(right.id)!)) continue;
    add({ left, right, features: [feature('stated', 1, weights.stated)], evidence: link.memoryIds });
  }
  for (const left of nodes.filter((node) => node.isMentioned && !node.isRole)) {
    for (const group of groups) {
      if (group === groupOf.get(left.id)) continue;
      const found = bestRelation(left, group);
      if (!found || areAtOdds(groupOf.get(left.id)!, group)) continue;
      add({ left, right: found.node, features: featuresOf(left, found, { groups, groupOf }), evidence: [] });
    }
  }
  return [...pairs.values()];
}

interface Related {
  readonly node: NameNode;
  readonly relation: NameRelation;
}

function bestRelation(name: NameNode, group: Group): Related | undefined {
  let best: Related | undefined;
  for (const node of group) {
    const relation = compare(name, node);
    if (!relation || relation === 'contradiction') continue;
    if (!best || relationWeights[relation] > relationWeights[best.relation]) best = { node, relation };
  }
  return best;
}

function compare(one: NameNode, other: NameNode): Comparison {
  if (one.isRole || other.isRole) return undefined;
  // Namesakes of two kinds were registered apart: Jordan the cousin, Jordan the country.
  if (one.normal === other.normal && ((isThing(one) && isBeing(other)) || (isBeing(one) && isThing(other))))
    return undefined;
  return compareNames(one.normal, other.normal, !isThing(one) && !isThing(other));
}

/** Two entities of which a name of one excludes a name of the other. */
const areAtOdds = (one: Group, other: Group): boolean =>
  one.some((left) => other.some((right) => compare(left, right) === 'contradiction'));

/** "My sister Dana" and "my sister Emma" are two sisters: each has a name, and none of them goes with the other's. */
function areNamedApart(one: Group, other: Group): boolean {
  if (areAtOdds(one, other)) return true;
  const [names, others] = [one, other].map((group) => group.filter((node) => !node.isRole));
  if (!names!.length || !others!.length) return false;
  return !names!.some((name) => others!.some((another) => compare(name, another)));
}

const isThing = ({ kind }: NameNode) =>
  kind === 'organization' || kind === 'place' || kind === 'project' || kind === 'product';
const isBeing = ({ kind }: NameNode) => kind === 'person' || kind === 'animal';

const feature = (name: string, value: number, weight: number): Feature => ({
  name,
  value: Math.round(value * 1_000) / 1_000,
  weight: Math.round(value * weight * 1_000) / 1_000,
});

interface Surroundings {
  readonly groups: readonly Group[];
  readonly groupOf: ReadonlyMap<string, Group>;
}

function featuresOf(left: NameNode, { node: right, relation }: Related, { groups, groupOf }: Surroundings): Feature[] {
  const [own, other] = [groupOf.get(left.id)!, groupOf.get(right.id)!];
  const rivals = rivalsOf(left, right, {
    relation,
    others: groups.filter((group) => group !== own && group !== other),
  });
  const [short, full] = isLessSpecific(left, right) ? [left, right] : [right, left];
  const isTalking = full.isParticipant && short.isMentioned;
  const isInCircle = own.some((node) => node.isInCircle) && other.some((node) => node.isInCircle);
  return [
    feature(relation, 1, relationWeights[relation]),
    rivals ? feature('rivals', Math.min(rivals, 2), weights.rival) : feature('only fit', 1, weights.onlyFit),
    ...(isTalking ? [feature('takes part', 1, weights.participant)] : []),
    ...(!isTalking && right.isMentioned ? [feature('same document', 1, weights.sameDocument)] : []),
    isInCircle ? feature('same circle', 1, weights.sameCircle) : feature('other circle', 1, weights.otherCircle),
    ...kindFeatures(left, right),
  ];
}

function kindFeatures(left: NameNode, right: NameNode): Feature[] {
  if (left.kind === 'other' || right.kind === 'other') return [];
  if (left.kind === right.kind) return [feature('same kind', 1, weights.sameKind)];
  return isBeing(left) === isBeing(right) ? [] : [feature('other kind', 1, weights.otherKind)];
}

const isLessSpecific = (one: NameNode, other: NameNode) =>
  one.normal.split(' ').length < other.normal.split(' ').length ||
  (one.normal.split(' ').length === other.normal.split(' ').length && one.normal.length < other.normal.length);

/** How much less a rival's relation may tell. */
const comparable = 0.5;

/** The other entities that the less specific of the two names fits as well, and that cannot be the other one. */
function rivalsOf(
  left: NameNode,
  right: NameNode,
  { relation, others }: { relation: NameRelation; others: readonly Group[] },
): number {
  if (relation === 'same-words' || relation === 'handle') return 0;
  const [short, full] = isLessSpecific(left, right) ? [left, right] : [right, left];
  return others.filter((group) => {
    const fit = bestRelation(short, group);
    if (!fit || relationWeights[fit.relation] < relationWeights[relation] - comparable) return false;
    return !bestRelation(full, group) || areAtOdds([full], group);
  }).length;
}

/** A mention of a role or name adds no more than this many questions to the queue. */
const asked = 3;

/**
 * Which pairs are merged and which are asked about, best first. Nothing that people said no to, no merge that would
 * bring two names together that exclude each other, and no question that waits already.
 */
export function decide(
  pairs: readonly ScoredPair[],
  nodes: readonly NameNode[],
  { decided, bands }: { decided: readonly Decided[]; bands: Bands },
): { merges: ScoredPair[]; reviews: ScoredPair[] } {
  const members = new Map<string, Group>(groupsOf(nodes).map((group) => [group[0]!.rootId, group]));
  const rootOf = new Map(nodes.map((node) => [node.id, node.rootId]));
  const groupOf = (node: NameNode) => members.get(rootOf.get(node.id)!)!;
  const isDecided = (one: Group, other: Group, statuses: readonly Decided['status'][]) => {
    const [left, right] = [new Set(one.map(({ id }) => id)), new Set(other.map(({ id }) => id))];
    return decided.some(
      (each) =>
        statuses.includes(each.status) &&
        ((left.has(each.left) && right.has(each.right)) || (left.has(each.right) && right.has(each.left))),
    );
  };
  const merges: ScoredPair[] = [];
  const doubtful: ScoredPair[] = [];
  for (const pair of pairs.toSorted((a, b) => b.score - a.score)) {
    const [one, other] = [groupOf(pair.left), groupOf(pair.right)];
    if (one === other || isDecided(one, other, ['rejected'])) continue;
    const band = bandOf(pair.score, bands);
    if (band === 'separate') continue;
    if (band === 'review' || areAtOdds(one, other)) {
      doubtful.push(pair);
      continue;
    }
    merges.push(pair);
    const root = other[0]!.rootId;
    const joined = [...one, ...other];
    for (const node of joined) rootOf.set(node.id, root);
    members.set(root, joined);
  }
  const counts = new Map<string, number>();
  const reviews = doubtful.filter(({ left, right }) => {
    const [one, other] = [groupOf(left), groupOf(right)];
    if (one === other || areAtOdds(one, other) || isDecided(one, other, ['open', 'confirmed', 'rejected']))
      return false;
    const count = (counts.get(left.id) ?? 0) + 1;
    counts.set(left.id, count);
    return count <= asked;
  });
  return { merges, reviews };
}
