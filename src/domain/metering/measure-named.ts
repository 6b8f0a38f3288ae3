import type { Access } from '../tenancy/access.ts';
import type { Metering } from './metering.ts';
import { nameChars, otherNames, type Operation, type Outcome } from './operations.ts';

const column = 'operation_bucket.label';

/** Measures an operation by a name that its caller gave, which no row holds in clear; null where it gave none. */
export function measureNamed(
  metering: Pick<Metering, 'measure'>,
  { i, keys }: Pick<Access, 'i' | 'keys'>,
  operation: Operation,
  { name, ...outcome }: Omit<Outcome, 'variant' | 'label'> & { readonly name: string | null },
): void {
  if (name === null) return metering.measure(i, operation, { ...outcome, variant: 'anonymous' });
  if (name.length > nameChars) return metering.measure(i, operation, { ...outcome, variant: otherNames });
  const variant = keys.hash('operation', name).toString('hex');
  metering.measure(i, operation, { ...outcome, variant, label: () => keys.seal(column, variant, name) });
}

/** The name of a variant that is a hash. */
export const openName = ({ keys }: Pick<Access, 'keys'>, variant: string, label: Uint8Array): string =>
  keys.open(column, variant, label);
