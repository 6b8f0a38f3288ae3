import type { Scope } from '../tenancy/access.ts';

/** A canonical entity, as its reader sees it: through the mentions they may read. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly aliases: readonly string[];
  readonly scope: Scope;
  readonly customerId: string | null;
  readonly userId: string | null;
  /** Memories that mention it. */
  readonly mentions: number;
  readonly createdAt: Date;
}

/** Which entities are listed: those that match all that is given. */
export interface EntityFilter {
  readonly customerId?: string | undefined;
  readonly userId?: string | undefined;
  readonly kind?: string | undefined;
  /** A name, compared without case. */
  readonly q?: string | undefined;
}
