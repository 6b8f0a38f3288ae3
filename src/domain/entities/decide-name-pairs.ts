import { groupBy } from '../flow/group-by.ts';
import { areAtOdds, areVariants, groupsOf, type Group, type NameNode, type ScoredNamePair } from './match.ts';
import { matchDecisionOf, type MatchThresholds } from './score.ts';

/** Decisions of people about pairs of names: no, yes, or not yet. */
export interface PairDecision {
  readonly left: string;
  readonly right: string;
  readonly status: 'open' | 'confirmed' | 'rejected';
}

/** A mention of a role or name adds no more than this many questions to the queue. */
const reviewsPerName = 3;
/** One document links and asks no more: people read the queue, and each link takes statements of its own. */
const mostOfDocument = { merges: 40, reviews: 40 };
/** Entities that would have more names together are not linked: nobody has so many, and each is compared with each. */
const mostNamesOfEntity = 40;

/**
 * Which pairs are merged and which are asked about, best first. Nothing that people said no to, no merge that would
 * bring two names together that exclude each other or are two spellings, and no question that waits already.
 */
export function decideNamePairs(
  pairs: readonly ScoredNamePair[],
  nodes: readonly NameNode[],
  { decided, thresholds }: { decided: readonly PairDecision[]; thresholds: MatchThresholds },
): { merges: ScoredNamePair[]; reviews: ScoredNamePair[] } {
  const members = new Map<string, Group>(groupsOf(nodes).map((group) => [group[0]!.rootId, group]));
  const rootOf = new Map(nodes.map((node) => [node.id, node.rootId]));
  const groupOf = (node: NameNode) => members.get(rootOf.get(node.id)!)!;
  const decisionsOf = groupBy(
    decided.flatMap(({ left, right, status }) => [
      { id: left, other: right, status },
      { id: right, other: left, status },
    ]),
    ({ id }) => id,
  );
  const isDecided = (one: Group, other: Group, statuses: readonly PairDecision['status'][]) => {
    const ids = new Set(other.map(({ id }) => id));
    return one.some(({ id }) =>
      decisionsOf.get(id)?.some((each) => statuses.includes(each.status) && ids.has(each.other)),
    );
  };
  const merges: ScoredNamePair[] = [];
  const doubtful: ScoredNamePair[] = [];
  for (const pair of pairs.toSorted((a, b) => b.score - a.score)) {
    const decision = matchDecisionOf(pair.score, thresholds);
    if (decision === 'separate') break; // and so are all that follow
    const [one, other] = [groupOf(pair.left), groupOf(pair.right)];
    if (one === other || one.length + other.length > mostNamesOfEntity || isDecided(one, other, ['rejected'])) continue;
    if (decision === 'review' || areAtOdds(one, other) || areVariants(one, other)) {
      doubtful.push(pair);
      continue;
    }
    if (merges.length === mostOfDocument.merges) continue;
    merges.push(pair);
    const root = other[0]!.rootId;
    const joined = [...one, ...other];
    for (const node of joined) rootOf.set(node.id, root);
    members.set(root, joined);
  }
  const counts = new Map<string, number>();
  let questions = 0;
  const reviews = doubtful.filter(({ left, right }) => {
    if (questions === mostOfDocument.reviews) return false;
    const [one, other] = [groupOf(left), groupOf(right)];
    if (one === other || areAtOdds(one, other) || isDecided(one, other, ['open', 'confirmed', 'rejected']))
      return false;
    const count = (counts.get(left.id) ?? 0) + 1;
    counts.set(left.id, count);
    if (count > reviewsPerName) return false;
    questions += 1;
    return true;
  });
  return { merges, reviews };
}
