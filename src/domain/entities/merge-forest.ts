/** A merge that holds: `sourceId` hangs from `targetId`. Together they are a forest, and its roots are the entities. */
export interface MergeEdge {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
}

/** The name itself and all that hang from it. */
export function mergeSubtreeOf(edges: readonly MergeEdge[], top: string): Set<string> {
  const found = new Set([top]);
  for (const id of found) for (const edge of edges) if (edge.targetId === id) found.add(edge.sourceId);
  return found;
}

/** The root above each of the names: itself when it hangs from none. */
export function rootByName(edges: readonly MergeEdge[], names: readonly string[]): Map<string, string> {
  const targets = new Map(edges.map(({ sourceId, targetId }) => [sourceId, targetId]));
  const roots = new Map<string, string>();
  for (const name of names) {
    let root = name;
    for (let above = targets.get(root); above !== undefined; above = targets.get(root)) root = above;
    roots.set(name, root);
  }
  return roots;
}

/** The merges that make two names one, without those above where their chains meet. */
export function pathBetween(edges: readonly MergeEdge[], one: string, other: string): MergeEdge[] {
  const chain = (id: string): MergeEdge[] => {
    const above = edges.find((edge) => edge.sourceId === id);
    return above ? [above, ...chain(above.targetId)] : [];
  };
  const [up, down] = [chain(one), chain(other)];
  return [...up.filter((edge) => !down.includes(edge)), ...down.filter((edge) => !up.includes(edge))];
}

/** The merges that a removal of names leaves and ends, and the names that stand for removed ones. */
export interface ForestRemoval {
  readonly edges: readonly MergeEdge[];
  readonly ended: readonly MergeEdge[];
  readonly heirs: ReadonlyMap<string, string>;
}

/**
 * Removes names while all others stay connected as they were: the children of a removed name move to its parent, or to
 * its first child where it was a root. `edges` come oldest first.
 */
export function removeFromForest(edges: readonly MergeEdge[], gone: Iterable<string>): ForestRemoval {
  let remaining = [...edges];
  const ended: MergeEdge[] = [];
  const heirs = new Map<string, string>();
  for (const id of gone) {
    const link = remaining.find((edge) => edge.sourceId === id) ?? remaining.find((edge) => edge.targetId === id);
    if (!link) continue;
    const heir = link.sourceId === id ? link.targetId : link.sourceId;
    ended.push(link);
    heirs.set(id, heir);
    remaining = remaining
      .filter((edge) => edge !== link)
      .map((edge) => (edge.targetId === id ? { ...edge, targetId: heir } : edge));
  }
  for (const [id] of heirs) heirs.set(id, lastHeir(heirs, id));
  return { edges: remaining, ended, heirs };
}

function lastHeir(heirs: ReadonlyMap<string, string>, id: string): string {
  const heir = heirs.get(id);
  return heir === undefined ? id : lastHeir(heirs, heir);
}
