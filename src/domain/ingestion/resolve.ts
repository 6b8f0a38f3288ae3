import { normalName, type NamedMention } from '../entities/store.ts';
import { derivedUuid } from '../ids.ts';
import type { NameMention } from '../language/names.ts';
import type { Access } from '../tenancy/access.ts';
import type { Categorized } from './categorize.ts';

/** Where what is mentioned is registered: the customer's, or the user's own where there is no customer. */
export interface EntityHome {
  readonly ownerNo: number;
  readonly customerId: string;
}

export interface ResolvedMention {
  readonly memoryId: string;
  readonly mention: NamedMention;
}

/** Far above the ordinals of memories, so that their ids and those of entities never meet. */
const entityOrdinals = 1_000_000;

/** Links each name to its entity by its normal form; a name that nobody registered yet brings its own id along. */
export function resolveEntities(
  access: Access,
  home: EntityHome,
  ingestionId: string,
  memories: Categorized['memories'],
): ResolvedMention[] {
  const named = new Map<string, NamedMention>();
  return memories.flatMap(({ memory, candidate }) => {
    const mentions = candidate.entities.map((entity) => mentionOf(access, home, ingestionId, named, entity));
    return [...new Set(mentions)].map((mention) => ({ memoryId: memory.id, mention }));
  });
}

function mentionOf(
  access: Access,
  home: EntityHome,
  ingestionId: string,
  named: Map<string, NamedMention>,
  { name, kind }: NameMention,
): NamedMention {
  const normal = normalName(name);
  const known = named.get(normal);
  if (known) return known;
  const mention = {
    ...home,
    entityId: derivedUuid(ingestionId, entityOrdinals + named.size),
    name,
    nameKey: access.keys.hash('name', normal),
    kind,
  };
  named.set(normal, mention);
  return mention;
}
