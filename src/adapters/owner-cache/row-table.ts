import type { CandidateRow } from '../../domain/memories/candidate-row.ts';
import { decryptCandidate, type SealedCandidate } from '../../domain/memories/candidate-store.ts';
import { matchesSelection, type MemorySelection } from '../../domain/memories/memory.ts';
import type { Access } from '../../domain/tenancy/access.ts';

/** The bytes of a row beside its text, about. */
const rowBytes = 600;

/** The place of a memory in its document. */
export type Position = Pick<SealedCandidate, 'documentId' | 'turn' | 'passage'>;

/** Rows of memories by their place in a table, found by where they stand in their documents. */
export class MemoryRowTable {
  readonly #rows: SealedCandidate[] = [];
  readonly #placeOf = new Map<string, number>();
  /** Rows that were opened once, by their places. */
  readonly #opened: (CandidateRow | undefined)[] = [];
  readonly #documents = new Map<string, Map<number, number[]>>();
  /** Statements that something took the place of. */
  readonly #superseded = new Set<number>();
  #textBytes = 0;

  get bytes(): number {
    return this.#rows.length * rowBytes + this.#textBytes;
  }

  get hasSuperseded(): boolean {
    return this.#superseded.size > 0;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** The index of a memory's row. */
  placeOf(memoryId: string): number | undefined {
    return this.#placeOf.get(memoryId);
  }

  at(place: number): SealedCandidate {
    return this.#rows[place]!;
  }

  /** Adds it, or puts it in the place of the one before; returns where it is. */
  set(row: SealedCandidate): number {
    const place = this.#placeOf.get(row.id) ?? this.#rows.length;
    this.#placeOf.set(row.id, place);
    const before = this.#rows[place];
    if (before) this.#leave(place, before);
    this.#rows[place] = row;
    this.#opened[place] = undefined;
    this.#textBytes += row.content.length;
    if (row.type !== 'episodes' && (row.status !== 'active' || row.until)) this.#superseded.add(place);
    else this.#superseded.delete(place);
    let turns = this.#documents.get(row.documentId);
    if (!turns) this.#documents.set(row.documentId, (turns = new Map()));
    const places = turns.get(row.turn);
    if (places) places.push(place);
    else turns.set(row.turn, [place]);
    return place;
  }

  #leave(place: number, { content, documentId, turn }: SealedCandidate): void {
    this.#textBytes -= content.length;
    const turns = this.#documents.get(documentId)!;
    const remaining = turns.get(turn)!.filter((other) => other !== place);
    if (remaining.length) turns.set(turn, remaining);
    else turns.delete(turn);
    if (!turns.size) this.#documents.delete(documentId);
  }

  /** The places of what stands within `reach` turns of this one, and of this one itself within as many passages. */
  beside({ documentId, turn, passage }: Position, reach: number): number[] {
    const turns = this.#documents.get(documentId);
    if (!turns) return [];
    const isNear = (place: number) => Math.abs(this.#rows[place]!.passage - passage) <= reach;
    return Array.from({ length: 2 * reach + 1 }, (_, n) => turns.get(turn - reach + n) ?? []).flatMap((places, n) =>
      n === reach ? places.filter(isNear) : places,
    );
  }

  /** Opened, if it is wanted. */
  candidate(place: number, access: Access, wanted: MemorySelection): CandidateRow | null {
    const row = this.#rows[place]!;
    return matchesSelection(row, wanted) ? (this.#opened[place] ??= decryptCandidate(access, row)) : null;
  }
}
