import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { blockingKeysOf, BlockingIndex } from '../entities/blocking.ts';
import { compareNames } from '../entities/compare-names.ts';
import { decideNamePairs } from '../entities/decide-name-pairs.ts';
import { findRestatedLinks, type NameComparison, type NameNode, type ScoredNamePair } from '../entities/match.ts';
import { isRoleName } from '../entities/normal-name.ts';
import { findSimilarNames, type KnownName } from '../entities/similar-store.ts';
import type { EntityHome, NewMention, RegisteredName } from '../entities/entity-store.ts';
import { DomainError } from '../errors.ts';
import { groupBy } from '../flow/group-by.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { derivedUuid } from '../ids.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { registerOwner } from '../tenancy/owner-store.ts';
import type { CategorizedMemories } from './categorize.ts';
import { addContextEvidence } from './context-evidence.ts';
import { mentionedNames, type MentionedName } from './mentioned-names.ts';
import type { IngestionWork } from './ingestion-store.ts';

export interface ResolutionDependencies {
  readonly db: Db;
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModels;
  /** Wherever it runs; throws `unavailable` when it takes too long. */
  readonly compareNames: (comparison: NameComparison) => Promise<ScoredNamePair[]>;
}

export interface ResolutionInput {
  readonly work: Pick<IngestionWork, 'ingestionId' | 'documentId' | 'ownerNo' | 'customerId'>;
  readonly configuration: Configuration;
  readonly memories: CategorizedMemories['memories'];
}

/** The names of a document, who they are mentioned by, and which are linked or to be asked about. */
export interface EntityResolution {
  readonly home: EntityHome;
  readonly names: readonly RegisteredName[];
  readonly mentions: readonly NewMention[];
  readonly merges: readonly ScoredNamePair[];
  readonly reviews: readonly ScoredNamePair[];
  /** Stated pairs of names that are merged already, whose merges gain evidence. */
  readonly restated: readonly ScoredNamePair[];
  /** Sentences that tell what could not be done. */
  readonly warnings: readonly string[];
}

export const emptyResolution = (home: EntityHome): EntityResolution => ({
  home,
  names: [],
  mentions: [],
  merges: [],
  reviews: [],
  restated: [],
  warnings: [],
});

/** Names and roles of one document that are registered. */
const mostNamesOfDocument = 2_000;

/** Far above the ordinals of memories, so that their ids and those of entities never meet. */
const entityOrdinals = 1_000_000;

/**
 * Links each name to its entity: by its normal form at once, to others by the thresholds of the configuration. Reads,
 * and writes nothing but the home of a customer's names; a document without names costs no statement.
 */
export async function resolveEntities(
  deps: ResolutionDependencies,
  access: Access,
  unresolved: ResolutionInput,
): Promise<EntityResolution> {
  const { work, configuration, memories } = unresolved;
  const { names: all, stated } = await mentionedNames(memories, work);
  if (!all.length) return emptyResolution(work);
  const home = await homeOf(deps.db, access, work);
  const { keys } = access;
  const found = await mapYielding(all.slice(0, mostNamesOfDocument), (name) => ({
    ...name,
    nameKey: keys.hash('name', name.normal),
    blocks: blockingKeysOf(name.normal, name.isRole).map((block) => keys.hash('name-block', block)),
  }));
  const similar = await findSimilarNames(deps.db, access, home, found);
  const registered = registeredFor(similar.names, new Set(stated.map(({ names: [, name] }) => name)));
  const isSomebody = somebodyAmong(similar.names, found);
  const knownWords = new Set(similar.names.flatMap(({ normal }) => [normal, ...normal.split(' ')]));
  const mentioned = found.filter(
    (name) => (!name.isDoubtful || isSomebody(name)) && (!name.isOnlyAsked || knownWords.has(name.normal)),
  );
  const names = mentioned.map(({ normal, nameKey, blocks, ...name }, n) => {
    const { same, variant } = registered({ normal, ...name });
    const id = same?.id ?? derivedUuid(work.ingestionId, entityOrdinals + n);
    return { id, normal, nameKey, variant, blocks: same ? [] : blocks };
  });
  const idOf = new Map(names.map(({ normal, id }) => [normal, id]));
  const nodes = nodesOf(
    work.ownerNo,
    similar.names,
    mentioned.map((name, n) => ({ ...name, id: names[n]!.id })),
  );
  const links = stated.map(({ names: [role, name], memoryIds }) => ({
    ids: [idOf.get(role) ?? '', idOf.get(name) ?? ''] as const,
    memoryIds,
  }));
  const thresholds = configuration.entity_match_thresholds;
  const warnings =
    all.length > mostNamesOfDocument ? [`only the first ${mostNamesOfDocument} names are linked to entities`] : [];
  const pairs = await deps
    .compareNames({ nodes, stated: links, thresholds })
    .catch((error: unknown): ScoredNamePair[] => {
      if (!(error instanceof DomainError)) throw error;
      warnings.push('comparing the names took too long; they are registered, and not linked to one another');
      return [];
    });
  const scored = await addContextEvidence(deps, access, { pairs, thresholds, memories });
  return {
    home,
    names,
    mentions: mentionsOf(work.ownerNo, mentioned),
    restated: findRestatedLinks(nodes, links),
    warnings,
    ...decideNamePairs(scored, nodes, { decided: similar.decided, thresholds }),
  };
}

async function homeOf(db: Db, access: Access, { ownerNo, customerId }: ResolutionInput['work']): Promise<EntityHome> {
  if (!customerId) return { ownerNo, customerId };
  const customer = await registerOwner(db, access.instanceNumber, { scope: 'CUSTOMER', userId: '', customerId });
  return { ownerNo: customer.ownerNo, customerId };
}

/**
 * Whoever is called by a word at the head of a sentence is known by it, or takes part in the talk and is called so for
 * short.
 */
function somebodyAmong(
  existing: readonly KnownName[],
  names: readonly MentionedName[],
): (name: MentionedName) => boolean {
  const beings = new Set(
    existing.filter(({ kind }) => kind === 'person' || kind === 'animal').map(({ rootId }) => rootId),
  );
  const knownBeings = new Set(existing.filter(({ rootId }) => beings.has(rootId)).map(({ normal }) => normal));
  const participants = new BlockingIndex<string>();
  for (const { normal, isRole, isParticipant } of names) if (isParticipant) participants.add(normal, isRole, normal);
  return ({ normal, isRole }) =>
    knownBeings.has(normal) ||
    [...participants.related(normal, isRole)].some((participant) => {
      const relation = compareNames(normal, participant, true);
      return relation !== undefined && relation !== 'contradiction' && relation !== 'spelling';
    });
}

/**
 * The entity that has the name already, and its place among those of that name; the next place where there is none.
 * Of two, which a split told apart, one of the same kind takes what is new, or else the elder. Jordan the cousin is no
 * country, where "my cousin Jordan" was said: a guess from the words around a name parts nothing by itself.
 */
function registeredFor(existing: readonly KnownName[], statedNow: ReadonlySet<string>) {
  const roots = new Set(existing.filter(({ normal }) => isRoleName(normal)).map(({ rootId }) => rootId));
  const byNormal = groupBy(existing, (name) => name.normal);
  return ({ normal, kind, isParticipant }: MentionedName): { same?: KnownName; variant: number } => {
    const namesakes = (byNormal.get(normal) ?? []).toSorted((a, b) => a.variant - b.variant);
    const fitting = namesakes.filter((name) => {
      if (isWhereOrFirm(kind)) return !(name.kind === 'person' && roots.has(name.rootId));
      return !(isWhereOrFirm(name.kind) && (statedNow.has(normal) || isParticipant));
    });
    const same = fitting.find((name) => name.kind === kind) ?? fitting[0];
    return same ? { same, variant: same.variant } : { variant: (namesakes.at(-1)?.variant ?? -1) + 1 };
  };
}

const isWhereOrFirm = (kind: string): boolean => kind === 'place' || kind === 'organization';

function nodesOf(
  ownerNo: number,
  existing: readonly KnownName[],
  mentioned: readonly (MentionedName & { id: string })[],
): NameNode[] {
  const byId = new Map(mentioned.map((name) => [name.id, name]));
  const knownIds = new Set(existing.map(({ id }) => id));
  const before = existing.map((name) => {
    const now = byId.get(name.id);
    return {
      ...name,
      kind: name.kind === 'other' && now ? now.kind : name.kind,
      isRole: isRoleName(name.normal),
      isMentioned: now !== undefined,
      isParticipant: now?.isParticipant ?? false,
      isInCircle: now !== undefined || name.ownerNos.includes(ownerNo),
    };
  });
  const added = mentioned.filter(({ id }) => !knownIds.has(id));
  return [
    ...before,
    ...added.map((name) => ({
      ...name,
      rootId: name.id,
      isMentioned: true,
      isInCircle: true,
      ownerNos: [ownerNo],
      memoryIds: [...name.spellings.keys()],
    })),
  ];
}

const mentionsOf = (ownerNo: number, mentioned: readonly MentionedName[]): NewMention[] =>
  mentioned.flatMap(({ spellings, kind }, nameNo) =>
    [...spellings].map(([memoryId, spelling]) => ({ memoryId, ownerNo, kind, spelling, nameNo })),
  );
