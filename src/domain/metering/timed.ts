import type { Metering } from './metering.ts';
import type { Operation, Outcome } from './operations.ts';

/** Does the work and measures it for its instance. `told`: what is known of it once it succeeded. */
export async function timed<T>(
  metering: Pick<Metering, 'measure'>,
  { i, operation, variant = '' }: { i: bigint; operation: Operation; variant?: string | undefined },
  work: () => Promise<T>,
  told: (result: T) => Partial<Outcome> = () => ({}),
): Promise<T> {
  const began = performance.now();
  const ended = (more: Partial<Outcome>) =>
    metering.measure(i, operation, { variant, ms: performance.now() - began, ...more });
  try {
    const result = await work();
    ended(told(result));
    return result;
  } catch (error) {
    ended({ isError: true });
    throw error;
  }
}
