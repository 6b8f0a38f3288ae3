import type { Sql, Tx } from '../../db/database.ts';
import { toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';

/** `open` until its configuration is in force. */
export const onboardingStates = ['open', 'completed'] as const;
export type OnboardingState = (typeof onboardingStates)[number];

/** The stored state of an onboarding. */
export interface OnboardingRow {
  readonly id: string;
  readonly uuid: string;
  readonly instanceNumber: bigint;
  readonly state: OnboardingState;
  /** The version of the configuration that its use-case file gave. */
  readonly version: number | null;
  readonly useCase: Uint8Array | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

export async function saveOnboarding(
  tx: Tx,
  { instanceNumber, keys }: Access,
  { id, useCase, version, at }: { id: string; useCase: string | null; version: number | null; at: Date },
): Promise<OnboardingRow> {
  const sealed = useCase === null ? null : keys.seal('onboarding.use_case', id, useCase);
  return fromRow(
    await tx.onboarding.create({
      data: { id, instanceNumber, state: 'open', version, useCase: sealed, createdAt: at },
    }),
  );
}

/** Reads an onboarding by UUID; null when there is none. */
export async function readOnboarding(sql: Sql, id: string): Promise<OnboardingRow | null> {
  const row = await sql.onboarding.findUnique({ where: { id } });
  return row && fromRow(row);
}

export const useCaseOf = ({ keys }: Access, { uuid, useCase }: OnboardingRow): string | null =>
  useCase && keys.open('onboarding.use_case', uuid, useCase);

export async function saveUseCase(
  tx: Tx,
  { instanceNumber, keys }: Access,
  { id, useCase, version }: { id: string; useCase: string; version: number },
): Promise<void> {
  const sealed = keys.seal('onboarding.use_case', id, useCase);
  await tx.onboarding.update({ where: { id, instanceNumber }, data: { useCase: sealed, version } });
}

/** The public id of the onboarding that was open; an instance has one, or none. */
export async function markOnboardingCompleted(tx: Tx, { instanceNumber }: Access, at: Date): Promise<string | null> {
  const [open] = await tx.onboarding.updateManyAndReturn({
    where: { instanceNumber, state: 'open' },
    data: { state: 'completed', completedAt: at },
    select: { id: true },
  });
  return open ? toPublicId('onboarding', open.id) : null;
}

const fromRow = (row: NonNullable<Awaited<ReturnType<Tx['onboarding']['findUnique']>>>): OnboardingRow => ({
  ...row,
  id: toPublicId('onboarding', row.id),
  uuid: row.id,
  state: row.state as OnboardingState,
});
