import type { StatementSense } from '../extraction/candidate.ts';
import { groupBy } from '../flow/group-by.ts';
import { ReplacementFinder } from './replacements.ts';

/** The place and time at which something was said. */
export interface StatementSource {
  readonly at: Date;
  readonly documentId: string;
  readonly turn: number;
  /** A person or an administrator said it, and not a tool, a document or an assistant. */
  readonly isTrusted: boolean;
}

/** A statement of one attribute of one subject, such as where the user lives. Hashes stand for attribute and value. */
export interface AttributeStatement {
  readonly id: string;
  readonly attributeKey: string;
  readonly value: string;
  readonly sense?: StatementSense | null;
  /** The time from which nothing replaces it: its event has happened. */
  readonly until?: Date | null;
  /** At least one. */
  readonly said: readonly StatementSource[];
  /** A passage that says nothing else: it goes with the statement it repeats. */
  readonly isPassage: boolean;
  /** Ids of statements that never replace this one, since somebody said so. */
  readonly neverReplacedBy?: ReadonlySet<string>;
}

/** Until when a statement holds and what replaced it; null, null: it still holds. */
export interface StatementValidity {
  readonly validUntil: Date | null;
  readonly supersededBy: string | null;
}

/** Stored statements with the time that they hold from now on. */
export type ChangedValidities = readonly { readonly id: string; readonly statementValidity: StatementValidity }[];

/**
 * The validity of each statement of one attribute when all are known: it holds until one that replaces it is said after
 * it was said last. It depends on when things were said, never on when they arrived. What somebody untrusted repeats
 * after a trusted source said otherwise is an echo: it replaces nothing, and does not make hold again what it repeats.
 */
function attributeTimeline(statements: readonly AttributeStatement[]): Map<string, StatementValidity> {
  const sayings = statements.flatMap((statement) => statement.said.map((saying) => ({ statement, ...saying })));
  sayings.sort(inTurn);
  const echoed = echoesAmong(sayings);
  /** The last of each statement; of one that is nothing but an echo, the first of what it repeats. */
  const lasts = new Map<AttributeStatement, number>();
  for (const [place, { statement }] of sayings.entries()) {
    const first = echoed[place] ?? null;
    if (first === null) lasts.set(statement, place);
    else if (!lasts.has(statement)) lasts.set(statement, first);
  }
  const replacements = new ReplacementFinder(sayings, (_, place) => echoed[place] === null);
  const later = laterPlaces(sayings);
  return new Map(
    statements.map((own): [string, StatementValidity] => {
      const next = later[lasts.get(own)!]!.map(([from, to]) => replacements.first(own, from, to)).find(Boolean);
      const isInTime = next && !(own.until && next.at >= own.until); // those behind it are later still
      return [
        own.id,
        isInTime
          ? { validUntil: laterOf(next.at, own.said), supersededBy: next.statement.id }
          : { validUntil: null, supersededBy: null },
      ];
    }),
  );
}

/** A half-open range of places. */
type IndexRange = readonly [from: number, to: number];

/** For each saying, the places of those said later: in its own document at the same time, and at any later time. */
function laterPlaces(sayings: readonly DatedStatement[]): IndexRange[][] {
  const later: IndexRange[][] = [];
  let [turnEnd, documentEnd, timeEnd] = [sayings.length, sayings.length, sayings.length];
  for (let place = sayings.length - 1; place >= 0; place--) {
    const [own, next] = [sayings[place]!, sayings[place + 1]];
    const isAtOnce = next?.at.getTime() === own.at.getTime();
    const isBeside = isAtOnce && next.documentId === own.documentId;
    if (!isAtOnce) timeEnd = place + 1;
    if (!isBeside) documentEnd = place + 1;
    if (!isBeside || next.turn !== own.turn) turnEnd = place + 1;
    later[place] = [
      [turnEnd, documentEnd],
      [timeEnd, sayings.length],
    ];
  }
  return later;
}

/** An echo was over when it was said: it never held. */
const laterOf = (end: Date, said: readonly StatementSource[]): Date => {
  const first = Math.min(...said.map(({ at }) => at.getTime()));
  return new Date(Math.max(end.getTime(), first));
};

/** A statement where it was said. */
type DatedStatement = StatementSource & { readonly statement: AttributeStatement };

/** For each saying, the place of the first that it echoes; null: it is no echo. */
function echoesAmong(sayings: readonly DatedStatement[]): (number | null)[] {
  const firsts = new Map<string, number>();
  const replacements = new ReplacementFinder(sayings, ({ isTrusted }) => isTrusted);
  return sayings.map(({ statement, isTrusted }, place) => {
    const said = `${statement.sense ?? ''}/${statement.value}`;
    const first = firsts.get(said);
    if (first === undefined) firsts.set(said, place);
    if (isTrusted || first === undefined) return null;
    const { value, sense = null } = statement;
    return replacements.first({ value, sense }, first + 1, place) ? first : null;
  });
}

/** Orders statements by time; those of one time by document, of which none is later, and there by turn. */
const inTurn = (one: DatedStatement, other: DatedStatement): number =>
  one.at.getTime() - other.at.getTime() ||
  one.documentId.localeCompare(other.documentId) ||
  one.turn - other.turn ||
  Number(one.statement.isPassage) - Number(other.statement.isPassage) ||
  one.statement.id.localeCompare(other.statement.id);

/** The validity of every statement, attribute by attribute. */
export function attributeTimelines(statements: readonly AttributeStatement[]): Map<string, StatementValidity> {
  const byAttribute = groupBy(statements, ({ attributeKey }) => attributeKey);
  return new Map([...byAttribute.values()].flatMap((of) => [...attributeTimeline(of)]));
}

/** The statements whose validity differs from what is stored. */
export function changedValidities(
  stored: readonly (AttributeStatement & { statementValidity: StatementValidity })[],
  timeline: ReadonlyMap<string, StatementValidity>,
): { id: string; statementValidity: StatementValidity }[] {
  return stored.flatMap(({ id, statementValidity }) => {
    const next = timeline.get(id)!;
    const same =
      next.supersededBy === statementValidity.supersededBy &&
      next.validUntil?.getTime() === statementValidity.validUntil?.getTime();
    return same ? [] : [{ id, statementValidity: next }];
  });
}
