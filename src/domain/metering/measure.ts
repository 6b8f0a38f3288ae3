import type { Access } from '../tenancy/access.ts';
import type { Metering } from './metering.ts';
import { nameChars, otherNamesVariant, type Operation, type OperationOutcome } from './operations.ts';

/** Does the work and measures it for its instance. `told`: what is known of it once it succeeded. */
export async function measureWork<T>(
  metering: Pick<Metering, 'measure'>,
  {
    instanceNumber,
    operation,
    variant = '',
  }: { instanceNumber: bigint; operation: Operation; variant?: string | undefined },
  work: () => Promise<T>,
  told: (result: T) => Partial<OperationOutcome> = () => ({}),
): Promise<T> {
  const began = performance.now();
  const ended = (more: Partial<OperationOutcome>) =>
    metering.measure(instanceNumber, operation, { variant, ms: performance.now() - began, ...more });
  try {
    const result = await work();
    ended(told(result));
    return result;
  } catch (error) {
    ended({ isError: true });
    throw error;
  }
}

const column = 'operation_bucket.label';

/** Measures an operation by a name that its caller gave, which no row holds in clear; null where it gave none. */
export function measureNamedOperation(
  metering: Pick<Metering, 'measure'>,
  { instanceNumber, keys }: Pick<Access, 'instanceNumber' | 'keys'>,
  operation: Operation,
  { name, ...outcome }: Omit<OperationOutcome, 'variant' | 'label'> & { readonly name: string | null },
): void {
  if (name === null) return metering.measure(instanceNumber, operation, { ...outcome, variant: 'anonymous' });
  if (name.length > nameChars)
    return metering.measure(instanceNumber, operation, { ...outcome, variant: otherNamesVariant });
  const variant = keys.hash('operation', name).toString('hex');
  metering.measure(instanceNumber, operation, { ...outcome, variant, label: () => keys.seal(column, variant, name) });
}

/** The name of a variant that is a hash. */
export const decryptVariantName = ({ keys }: Pick<Access, 'keys'>, variant: string, label: Uint8Array): string =>
  keys.open(column, variant, label);
