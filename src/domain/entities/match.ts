import { groupBy } from '../flow/group-by.ts';
import { BlockingIndex } from './blocking.ts';
import { compareNames, type NameComparisonResult, type NameRelation } from './compare-names.ts';
import {
  reachableDecisions,
  relationWeights,
  matchProbability,
  featureWeights,
  type MatchThresholds,
  type Feature,
} from './score.ts';

/** A name that the document mentions, or one that is known and like it. */
export interface NameNode {
  readonly id: string;
  /** The entity that it is merged into; itself when it is not merged. */
  readonly rootId: string;
  readonly normal: string;
  readonly isRole: boolean;
  readonly kind: string;
  /** The document names it. */
  readonly isMentioned: boolean;
  /** It is a speaker of the document. */
  readonly isParticipant: boolean;
  /** Named by the owner of this document, now or before. */
  readonly isInCircle: boolean;
  /** The newest of its memories, and the owners of each. */
  readonly memoryIds: readonly string[];
  readonly ownerNos: readonly number[];
}

/** Two names of which a memory says that they are one: "my sister Dana". */
export interface StatedLink {
  readonly ids: readonly [string, string];
  readonly memoryIds: readonly string[];
}

/** Two names that may be one, and why. */
export interface NamePair {
  readonly left: NameNode;
  readonly right: NameNode;
  readonly features: readonly Feature[];
  /** The memories that state it; none when the names tell. */
  readonly evidence: readonly string[];
}

export type ScoredNamePair = NamePair & { readonly score: number };

/** The names of one entity. */
export type Group = readonly NameNode[];

export function groupsOf(nodes: readonly NameNode[]): Group[] {
  return [...groupBy(nodes, ({ rootId }) => rootId).values()];
}

/** Links that a document states of two names that are merged already: the merge then rests on these memories too. */
export function findRestatedLinks(nodes: readonly NameNode[], stated: readonly StatedLink[]): ScoredNamePair[] {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  return stated.flatMap((link) => {
    const [left, right] = link.ids.map((id) => nodeOf.get(id));
    if (!left || !right || left.rootId !== right.rootId) return [];
    const pair = statedPair(left, right, link);
    return [{ ...pair, score: matchProbability(pair.features) }];
  });
}

const statedPair = (left: NameNode, right: NameNode, { memoryIds }: StatedLink): NamePair => ({
  left,
  right,
  features: [feature('stated', 1, featureWeights.stated)],
  evidence: memoryIds,
});

/** The names of a document, and what is known of them. */
export interface NameComparison {
  readonly nodes: readonly NameNode[];
  readonly stated: readonly StatedLink[];
  readonly thresholds: MatchThresholds;
}

/**
 * Each mentioned name with each other entity that it may be, as far as names and circumstances tell; without those
 * pairs that are two whatever else is said around them. A name is compared with those that share a block with it, as
 * many as `BlockingIndex` gives, so that the work grows with the number of names.
 */
export function scoreNamePairs({ nodes, stated, thresholds }: NameComparison): ScoredNamePair[] {
  const groups = groupsOf(nodes);
  const groupOf = new Map(groups.flatMap((group) => group.map((node) => [node.id, group] as const)));
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const relatedGroups = relatedIn(groups);
  const pairs = new Map<string, ScoredNamePair>();
  const add = (pair: NamePair) => {
    const key = [pair.left.rootId, pair.right.rootId].toSorted().join('/');
    const scored = { ...pair, score: matchProbability(pair.features) };
    const existing = pairs.get(key);
    if (!existing || existing.score < scored.score) pairs.set(key, scored);
  };
  for (const link of stated) {
    const [left, right] = link.ids.map((id) => nodeOf.get(id));
    if (!left || !right || left.rootId === right.rootId) continue;
    if (areNamedApart(groupOf.get(left.id)!, groupOf.get(right.id)!)) continue;
    add(statedPair(left, right, link));
  }
  for (const left of nodes.filter((node) => node.isMentioned && !node.isRole)) {
    for (const group of relatedGroups(left)) {
      if (group === groupOf.get(left.id)) continue;
      const found = bestRelation(left, group);
      if (!found || areAtOdds(groupOf.get(left.id)!, group)) continue;
      add({ left, right: found.node, features: featuresOf(left, found, { relatedGroups, groupOf }), evidence: [] });
    }
  }
  return [...pairs.values()]
    .filter(({ features }) => reachableDecisions(features, thresholds)[1] !== 'separate')
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostPairs);
}

/** So many pairs of a document are looked at further, the best ones: it may link and ask about far fewer. */
const mostPairs = 2_000;

/** Few groups are all compared; of many, those that share a block with a name. */
const fewGroups = 48;

/** The groups in which a name may find its like. */
type RelatedGroups = (name: NameNode) => Iterable<Group>;

function relatedIn(groups: readonly Group[]): RelatedGroups {
  if (groups.length <= fewGroups) return () => groups;
  const blocks = new BlockingIndex<Group>();
  for (const group of groups) for (const { normal, isRole } of group) blocks.add(normal, isRole, group);
  return ({ normal, isRole }) => blocks.related(normal, isRole);
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

function compare(one: NameNode, other: NameNode): NameComparisonResult {
  if (one.isRole || other.isRole) return undefined;
  // Namesakes of two kinds were registered apart: Jordan the cousin, Jordan the country.
  if (one.normal === other.normal && ((isThing(one) && isBeing(other)) || (isBeing(one) && isThing(other))))
    return undefined;
  return compareNames(one.normal, other.normal, !isThing(one) && !isThing(other));
}

/** Two entities of which a name of one excludes a name of the other. */
export const areAtOdds = (one: Group, other: Group): boolean =>
  one.some((left) => other.some((right) => compare(left, right) === 'contradiction'));

/**
 * Two entities of which a name of one is another spelling of a name of the other, such as Jon and John Smith: they may
 * be one or two, whatever else is said around them, and only people can tell.
 */
export const areVariants = (one: Group, other: Group): boolean =>
  one.some((left) => other.some((right) => compare(left, right) === 'variant-and-family'));

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

interface RelatedNames {
  readonly relatedGroups: RelatedGroups;
  readonly groupOf: ReadonlyMap<string, Group>;
}

function featuresOf(left: NameNode, { node: right, relation }: Related, around: RelatedNames): Feature[] {
  const [own, other] = [around.groupOf.get(left.id)!, around.groupOf.get(right.id)!];
  const rivals = rivalsOf(left, right, relation, around);
  const [short, full] = isLessSpecific(left, right) ? [left, right] : [right, left];
  const isTalking = full.isParticipant && short.isMentioned;
  const isInCircle = own.some((node) => node.isInCircle) && other.some((node) => node.isInCircle);
  return [
    feature(relation, 1, relationWeights[relation]),
    rivals ? feature('rivals', rivals, featureWeights.rival) : feature('only fit', 1, featureWeights.onlyFit),
    ...(isTalking ? [feature('takes part', 1, featureWeights.participant)] : []),
    ...(!isTalking && right.isMentioned ? [feature('same document', 1, featureWeights.sameDocument)] : []),
    isInCircle
      ? feature('same circle', 1, featureWeights.sameCircle)
      : feature('other circle', 1, featureWeights.otherCircle),
    ...kindFeatures(left, right),
  ];
}

function kindFeatures(left: NameNode, right: NameNode): Feature[] {
  if (left.kind === 'other' || right.kind === 'other') return [];
  if (left.kind === right.kind) return [feature('same kind', 1, featureWeights.sameKind)];
  return isBeing(left) === isBeing(right) ? [] : [feature('other kind', 1, featureWeights.otherKind)];
}

const isLessSpecific = (one: NameNode, other: NameNode) =>
  one.normal.split(' ').length < other.normal.split(' ').length ||
  (one.normal.split(' ').length === other.normal.split(' ').length && one.normal.length < other.normal.length);

/** A rival counts whose relation weighs at most this much less. */
const comparable = 0.5;

/** The most rivals that are counted. */
const mostRivals = 2;

/** Counts the other entities, two at most, that the less specific of two names fits as well. */
function rivalsOf(left: NameNode, right: NameNode, relation: NameRelation, around: RelatedNames): number {
  if (relation === 'same-words' || relation === 'handle') return 0;
  const [short, full] = isLessSpecific(left, right) ? [left, right] : [right, left];
  const own = new Set([around.groupOf.get(left.id), around.groupOf.get(right.id)]);
  let rivals = 0;
  for (const group of around.relatedGroups(short)) {
    if (own.has(group)) continue;
    const fit = bestRelation(short, group);
    if (!fit || relationWeights[fit.relation] < relationWeights[relation] - comparable) continue;
    if (bestRelation(full, group) && !areAtOdds([full], group) && !areVariants([full], group)) continue;
    rivals += 1;
    if (rivals === mostRivals) break;
  }
  return rivals;
}
