import type { StatementSense } from '../extraction/candidate.ts';

/** A value of an attribute, and how the statement bears on it. */
interface Value {
  readonly value: string;
  readonly sense?: StatementSense | null;
}

interface ReplacingStatement {
  readonly statement: Value & { readonly id: string };
}

/** Sayings by their places, which rise. */
type Places = number[];

/**
 * Finds the first saying that replaces a statement without looking at all between: one document may state an attribute
 * thousands of times, and each of them asks. A statement that only denies or ends a value replaces no other value: "I
 * left Airbus" leaves a job at Boeing alone.
 */
export class ReplacementFinder<Said extends ReplacingStatement> {
  readonly #sayings: readonly Said[];
  readonly #endingAll: Places = [];
  /** The statements that give a value, or one of several. */
  readonly #giving = new Map<string, Places>();
  /** The statements that deny or end a value. */
  readonly #denying = new Map<string, Places>();
  /** The statements that give the one value, and for each the next of them with another value. */
  readonly #only: Places = [];
  readonly #otherValue: number[] = [];

  /** `counts`: whether a saying may replace anything. */
  constructor(sayings: readonly Said[], counts: (saying: Said, place: number) => boolean) {
    this.#sayings = sayings;
    for (const [place, saying] of sayings.entries()) {
      if (!counts(saying, place)) continue;
      const { sense, value } = saying.statement;
      if (sense === 'ends-all') this.#endingAll.push(place);
      else if (sense === 'denies' || sense === 'ends') add(this.#denying, value, place);
      else add(this.#giving, value, place);
      if (!sense) this.#only.push(place);
    }
    for (let n = this.#only.length - 1; n >= 0; n--)
      this.#otherValue[n] =
        n + 1 < this.#only.length && this.#valueAt(n + 1) === this.#valueAt(n) ? this.#otherValue[n + 1]! : n + 1;
  }

  /** The first that replaces it, among the places from `from` to before `to`. */
  first(own: Value & { readonly neverReplacedBy?: ReadonlySet<string> }, from: number, to: number): Said | undefined {
    if (own.sense === 'ends' || own.sense === 'ends-all') return undefined;
    for (let start = from; start < to;) {
      const place = this.#firstPlace(own, start);
      const saying = place < to ? this.#sayings[place] : undefined;
      if (!saying || !own.neverReplacedBy?.has(saying.statement.id)) return saying;
      start = place + 1;
    }
    return undefined;
  }

  #firstPlace({ sense, value }: Value, from: number): number {
    if (sense === 'denies') return firstFrom(this.#giving.get(value), from);
    const ended = Math.min(firstFrom(this.#endingAll, from), firstFrom(this.#denying.get(value), from));
    return sense === 'also' ? ended : Math.min(ended, this.#firstOfOther(value, from));
  }

  #firstOfOther(value: string, from: number): number {
    const n = indexFrom(this.#only, from);
    if (n === this.#only.length) return Infinity;
    return this.#only[this.#valueAt(n) === value ? this.#otherValue[n]! : n] ?? Infinity;
  }

  #valueAt(n: number): string {
    return this.#sayings[this.#only[n]!]!.statement.value;
  }
}

function add(places: Map<string, Places>, value: string, place: number): void {
  const existing = places.get(value);
  if (existing) existing.push(place);
  else places.set(value, [place]);
}

const firstFrom = (places: Places = [], from: number): number => places[indexFrom(places, from)] ?? Infinity;

/** The index of the first place that is not before `from`. */
function indexFrom(places: Places, from: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
