import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/database.ts';
import type { HeardChanges, Stamp } from '../freshness/heard-changes.ts';
import type { Access, Isolation, Named } from './access.ts';
import { keyStanding } from './credential-store.ts';
import { bearerOf, hashOf } from './credentials.ts';

/**
 * A key that opened its instance before, as it was then. Nothing may be told to whoever sends it until `standingOf`
 * has said that it still does, or `authenticate` has.
 */
export interface Recognised {
  readonly kind: 'recognised';
  readonly access: Access;
}

/** Then a key is read again, whatever was heard. */
const knownForMs = 60_000;

/**
 * Keys by their hashes, so that a call whose answer is ready, or whose reader is known, reads its key together with the
 * revisions that this is checked by, in one statement instead of two.
 */
export class RecognisedKeys {
  readonly #known = new LRUCache<string, { access: Access; stamp: Stamp }>({ max: 10_000, ttl: knownForMs });
  readonly #changes: HeardChanges | null;

  /** `changes`: where all of them are heard here, so that a key that was read stays known until one of them. */
  constructor(changes: HeardChanges | null) {
    this.#changes = changes;
  }

  /** To be taken before a key is read. */
  stamp(): Stamp {
    return this.#changes?.stampOfInstances() ?? '';
  }

  remember(hash: Buffer, access: Access, stamp: Stamp): void {
    if (access.principal.kind === 'key') this.#known.set(hash.toString('latin1'), { access, stamp });
  }

  /** What the key opens, when that is known without reading it. */
  opened(hash: Buffer): Access | undefined {
    const known = this.#changes && this.#known.get(hash.toString('latin1'));
    return known?.stamp === this.stamp() ? known.access : undefined;
  }

  /** Undefined: whoever it is has to be authenticated. */
  recognise(header: string | undefined): Recognised | undefined {
    const secret = bearerOf(header);
    const access = secret === undefined ? undefined : this.#known.get(hashOf(secret).toString('latin1'))?.access;
    return access && { kind: 'recognised', access };
  }
}

/** What a reader reads now, and how much was said; undefined when the key opens nothing any more, or is another than it was. */
export async function standingOf(
  db: Db,
  { access }: Recognised,
  reader: { named: Named; isolation: Isolation; conversationId?: string },
): Promise<{ mark: string; messageCount: number | undefined } | undefined> {
  const { principal, i, configurationVersion } = access;
  if (principal.kind !== 'key') return undefined;
  const now = await keyStanding(db, { keyId: principal.keyId, i }, reader);
  if (!now?.isLive || now.configurationVersion !== configurationVersion) return undefined;
  const { rate } = principal;
  const isSameRate =
    (now.requestsPerMinute ?? undefined) === rate?.perMinute && (now.burst ?? undefined) === rate?.burst;
  return isSameRate ? { mark: now.mark ?? '', messageCount: now.messageCount ?? undefined } : undefined;
}
