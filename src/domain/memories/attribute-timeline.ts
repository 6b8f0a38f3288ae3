/** A statement of one attribute of one subject, such as where the user lives. Hashes stand for attribute and value. */
export interface AttributeStatement {
  readonly id: string;
  readonly attributeKey: string;
  readonly value: string;
  readonly validFrom: Date;
  /** A passage that says nothing else: it goes with the statement it repeats. */
  readonly isPassage: boolean;
}

/** Until when a statement holds and what replaced it; null, null: it still holds. */
export interface Tenure {
  readonly validUntil: Date | null;
  readonly supersededBy: string | null;
}

/**
 * What each statement of one attribute comes to when all are known: a value holds from its first statement until the
 * first statement of another value. It depends on when things were said, never on when they arrived.
 */
export function attributeTimeline(statements: readonly AttributeStatement[]): Map<string, Tenure> {
  const ordered = statements.toSorted(
    (one, other) =>
      one.validFrom.getTime() - other.validFrom.getTime() ||
      Number(one.isPassage) - Number(other.isPassage) ||
      one.id.localeCompare(other.id),
  );
  const tenures = new Map<string, Tenure>();
  ordered.forEach((statement, at) => {
    const next = ordered
      .slice(at + 1)
      .find((later) => later.value !== statement.value && later.validFrom > statement.validFrom);
    tenures.set(statement.id, { validUntil: next?.validFrom ?? null, supersededBy: next?.id ?? null });
  });
  return tenures;
}

/** The tenure of every statement, attribute by attribute. */
export function attributeTimelines(statements: readonly AttributeStatement[]): Map<string, Tenure> {
  const keys = new Set(statements.map((statement) => statement.attributeKey));
  return new Map(
    [...keys].flatMap((key) => [...attributeTimeline(statements.filter(({ attributeKey }) => attributeKey === key))]),
  );
}

/** What becomes of the stored statements, as far as it differs from what is stored. */
export function changedTenures(
  stored: readonly (AttributeStatement & { tenure: Tenure })[],
  timeline: ReadonlyMap<string, Tenure>,
): { id: string; tenure: Tenure }[] {
  return stored.flatMap(({ id, tenure }) => {
    const next = timeline.get(id)!;
    const same =
      next.supersededBy === tenure.supersededBy && next.validUntil?.getTime() === tenure.validUntil?.getTime();
    return same ? [] : [{ id, tenure: next }];
  });
}
