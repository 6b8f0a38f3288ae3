import { OperationStatistics } from './operation-statistics.ts';
import { timeBuckets, namesAtMost, otherNamesVariant, type Operation, type OperationOutcome } from './operations.ts';

/** Calls of an operation within a minute. */
export interface OperationSample {
  readonly instanceNumber: bigint;
  readonly operation: Operation;
  readonly variant: string;
  /** See `OperationOutcome`; null where the variant is a word of ours. */
  readonly label: Uint8Array | null;
  readonly minute: Date;
  readonly figures: OperationStatistics;
}

/** The parts of a sample's key; the minute by its number. */
interface MeasuredOperation extends Pick<OperationSample, 'instanceNumber' | 'operation' | 'variant'> {
  readonly label: OperationOutcome['label'];
  readonly minute: number;
}

/** Above this, what comes is not measured until what is there was written; usage is counted all the same. */
const samplesAtMost = 20_000;

/** Collects the measured calls of all instances until they are written together. */
export class OperationSampler {
  readonly #samples = new Map<string, OperationSample>();
  /** The number of caller-chosen names by instance. */
  readonly #names = new Map<bigint, number>();

  get all(): readonly OperationSample[] {
    return [...this.#samples.values()];
  }

  add(instanceNumber: bigint, operation: Operation, outcome: OperationOutcome, at: Date): void {
    const { variant, label } = outcome;
    const minute = Math.floor(at.getTime() / timeBuckets.minute.ms);
    this.#sampleOf({ instanceNumber, operation, variant, label, minute })?.figures.add(outcome);
  }

  #sampleOf(of: MeasuredOperation): OperationSample | undefined {
    const { instanceNumber, operation, variant, label, minute } = of;
    const key = `${instanceNumber}/${minute}/${operation}/${variant}`;
    const existing = this.#samples.get(key);
    if (existing) return existing;
    if (label && !this.#mayName(instanceNumber))
      return this.#sampleOf({ ...of, variant: otherNamesVariant, label: undefined });
    if (this.#samples.size >= samplesAtMost) return undefined;
    const made = {
      instanceNumber,
      operation,
      variant,
      label: label?.() ?? null,
      minute: new Date(minute * timeBuckets.minute.ms),
      figures: new OperationStatistics(),
    };
    this.#samples.set(key, made);
    return made;
  }

  /** Whether one more name may be kept apart: whatever callers send, they are few. */
  #mayName(instanceNumber: bigint): boolean {
    const names = this.#names.get(instanceNumber) ?? 0;
    if (names >= namesAtMost) return false;
    this.#names.set(instanceNumber, names + 1);
    return true;
  }
}
