import { Figures } from './figures.ts';
import { buckets, namesAtMost, otherNames, type Operation, type Outcome } from './operations.ts';

/** Calls of an operation within a minute. */
export interface Sample {
  readonly i: bigint;
  readonly operation: Operation;
  readonly variant: string;
  /** See `Outcome`; null where the variant is a word of ours. */
  readonly label: Uint8Array | null;
  readonly minute: Date;
  readonly figures: Figures;
}

/** The parts of a sample's key; the minute by its number. */
type Measured = Pick<Sample, 'i' | 'operation' | 'variant'> & { readonly label: Outcome['label'] } & {
  readonly minute: number;
};

/** Above this, what comes is not measured until what is there was written; usage is counted all the same. */
const samplesAtMost = 20_000;

/** Collects the measured calls of all instances until they are written together. */
export class Samples {
  readonly #samples = new Map<string, Sample>();
  /** How many names that callers chose each instance has here. */
  readonly #names = new Map<bigint, number>();

  get all(): readonly Sample[] {
    return [...this.#samples.values()];
  }

  add(i: bigint, operation: Operation, outcome: Outcome, at: Date): void {
    const minute = Math.floor(at.getTime() / buckets.minute.ms);
    this.#sampleOf({ i, operation, variant: outcome.variant, label: outcome.label, minute })?.figures.add(outcome);
  }

  #sampleOf(of: Measured): Sample | undefined {
    const { i, operation, variant, label, minute } = of;
    const key = `${i}/${minute}/${operation}/${variant}`;
    const known = this.#samples.get(key);
    if (known) return known;
    if (label && !this.#mayName(i)) return this.#sampleOf({ ...of, variant: otherNames, label: undefined });
    if (this.#samples.size >= samplesAtMost) return undefined;
    const made = {
      i,
      operation,
      variant,
      label: label?.() ?? null,
      minute: new Date(minute * buckets.minute.ms),
      figures: new Figures(),
    };
    this.#samples.set(key, made);
    return made;
  }

  /** Whatever callers send, the names kept apart are few. */
  #mayName(i: bigint): boolean {
    const names = this.#names.get(i) ?? 0;
    if (names >= namesAtMost) return false;
    this.#names.set(i, names + 1);
    return true;
  }
}
