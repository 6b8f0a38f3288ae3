import { transaction } from '../../db/database.ts';
import { defaultConfiguration } from '../configurations/configuration.ts';
import { diffConfigurations, type SettingChange } from '../configurations/diff-configurations.ts';
import type { ConfigurationRecord } from '../configurations/record.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import { writeTransaction, type WriteTx } from '../invalidation/write-transaction.ts';
import type { GeneratedConfiguration } from '../generation/generate.ts';
import { instanceIdOf, instanceNumberOf, newUuid, parseId, toPublicId } from '../ids.ts';
import type { Access, Admin } from '../tenancy/access.ts';
import { accessAsAdmin } from '../tenancy/authenticate.ts';
import { lockInstance, readInstanceRecord } from '../tenancy/instance-store.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import type { KeyRecord } from '../tenancy/credential.ts';
import type { InstanceRecord } from '../tenancy/instance.ts';
import { requireContentReader } from '../tenancy/roles.ts';
import { applyConfigurationWithin, endProvisioning } from './apply-configuration.ts';
import { createClientWithin } from './clients.ts';
import { recordContentRead, type ReadingContent } from './content-reads.ts';
import { advanceVersion, saveDraft } from './draft-configuration.ts';
import {
  generateByRules,
  generateConfiguration,
  improveByModel,
  type GenerationDependencies,
} from './generate-configuration.ts';
import {
  createInstanceWithin,
  lockActiveClient,
  prepareInstance,
  type AdministrationDependencies,
} from './instances.ts';
import { createKeyWithin } from './keys.ts';
import {
  readOnboarding,
  saveOnboarding,
  saveUseCase,
  useCaseOf,
  type OnboardingRow,
  type OnboardingState,
} from './onboarding-store.ts';
import { lockActive, requireVersion, type ConfigurationDependencies } from './activate-version.ts';
import { saveInstanceAudit } from './audit-store.ts';

export type OnboardingDependencies = AdministrationDependencies &
  ConfigurationDependencies &
  GenerationDependencies &
  ReadingContent;

/** A new client, and what their agent is for. */
export interface StartOnboardingInput {
  /** A new client of this name, or one that is there. */
  readonly client: { readonly name: string } | { readonly id: string };
  readonly instanceName: string;
  readonly useCase?: string | undefined;
  /** Applies the configuration and opens the instance at once. */
  readonly complete?: boolean | undefined;
}

/** An onboarding, its instance, and the draft made of its use-case file. */
export interface OnboardingRecord {
  readonly id: string;
  readonly state: OnboardingState;
  readonly instance: InstanceRecord;
  /** The configuration that was generated from the use-case file, as it is now; null without a file. */
  readonly configuration: ConfigurationRecord | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/**
 * Makes a client, an instance that answers its key once this is completed, a key, and a draft of its configuration from
 * the use-case file. The key is returned only here. Throws `invalid_input`, `payload_too_large`.
 */
export async function startOnboarding(
  deps: OnboardingDependencies,
  admin: Admin,
  { client, instanceName, useCase, complete }: StartOnboardingInput,
): Promise<{ record: OnboardingRecord; key: string; keyRecord: KeyRecord }> {
  if (useCase === undefined && complete)
    throw invalidInputError('use_case', 'is needed to complete: it says what to configure');
  // Generated first: it fails before anything is made.
  const file = useCase === undefined ? null : { useCase, ruled: await generateByRules(deps, useCase) };
  // Checked once more where the instance is stored: here, so that no model is asked for nothing.
  if ('id' in client) await transaction(deps.db, (tx) => lockActiveClient(tx, client.id));
  const prepared = await prepareInstance(deps);
  const newInstance = { instanceNumber: instanceNumberOf(prepared.id), inference: defaultConfiguration.inference };
  const generated = file && (await improveByModel(deps, newInstance, file));
  const [keys, id, at] = [await serviceKeys(deps), newUuid(), deps.now()];
  // One transaction, and after the model has answered: nobody could complete what a process that dies leaves of it.
  const { key, record: keyRecord } = await transaction(deps.db, async (tx) => {
    const clientId =
      'id' in client
        ? await lockActiveClient(tx, client.id)
        : (await createClientWithin(tx, admin, { ...client, keys, at })).id;
    const instance = { ...prepared, name: instanceName, clientId, state: 'provisioning', createdAt: at } as const;
    await createInstanceWithin(tx, admin, instance);
    const access = await accessAsAdmin({ ...deps, db: tx }, admin, prepared.id);
    const made = await createKeyWithin(tx, deps, access, { label: 'onboarding' });
    const draft = generated && (await saveDraft(tx, access, { ...generated, at }));
    await saveOnboarding(tx, access, { id, useCase: useCase ?? null, version: draft?.version ?? null, at });
    const entry = { action: 'onboarding.start', target: toPublicId('onboarding', id), at };
    await saveInstanceAudit(tx, access, { ...entry, after: { version: draft?.version ?? null } });
    return made;
  });
  const publicId = toPublicId('onboarding', id);
  const record = complete
    ? await completeOnboarding(deps, admin, publicId)
    : await findOnboarding(deps, admin, publicId);
  return { record, key, keyRecord };
}

/** Throws `not_found`. */
export async function findOnboarding(
  deps: OnboardingDependencies,
  admin: Admin,
  id: string,
): Promise<OnboardingRecord> {
  const { row, access } = await find(deps, admin, id);
  const instance = await readInstanceRecord(deps.db, access.instanceNumber);
  if (!instance) throw notFoundError('onboarding');
  const configuration = row.version === null ? null : await requireVersion(deps.db, access, row.version);
  const { state, createdAt, completedAt } = row;
  return { id: row.id, state, instance, configuration, createdAt, completedAt };
}

/** Reads the use-case file as it was sent; audited. Throws `not_found` when there is none, `forbidden` for a viewer. */
export async function readUseCaseFile(deps: OnboardingDependencies, admin: Admin, id: string): Promise<string> {
  requireContentReader(admin);
  const { row, access } = await find(deps, admin, id);
  const useCase = useCaseOf(access, row);
  if (useCase === null) throw notFoundError('use-case file of this onboarding');
  await recordContentRead(deps, access, { ids: { UseCase: [id] } });
  return useCase;
}

/** Keeps another use-case file, with a new draft from it. Throws `conflict` once the onboarding is completed. */
export async function replaceUseCase(
  deps: OnboardingDependencies,
  admin: Admin,
  { id, useCase }: { id: string; useCase: string },
): Promise<OnboardingRecord> {
  const { row, access } = await find(deps, admin, id);
  refuseCompleted(row);
  const generated = await generateConfiguration(deps, access, useCase);
  const at = deps.now();
  await transaction(deps.db, async (tx) => {
    await lockActive(tx, access);
    refuseCompleted((await readOnboarding(tx, row.uuid)) ?? row);
    const { version } = await saveDraft(tx, access, { ...generated, at });
    await saveUseCase(tx, access, { id: row.uuid, useCase, version });
    const entry = { action: 'onboarding.use_case', target: id, at };
    await saveInstanceAudit(tx, access, { ...entry, before: { version: row.version }, after: { version } });
  });
  return findOnboarding(deps, admin, id);
}

/** The configuration that a file would give, and how it differs from the one in force. */
export interface ConfigurationPreview extends GeneratedConfiguration {
  readonly changes: readonly SettingChange[];
}

/**
 * The configuration that a file, else the one that is kept, would give: nothing is kept. It cites the file, so that a
 * viewer is told `forbidden`, and reading the one that is kept leaves a row in the audit.
 */
export async function previewOnboarding(
  deps: OnboardingDependencies,
  admin: Admin,
  { id, useCase }: { id: string; useCase?: string | undefined },
): Promise<ConfigurationPreview> {
  requireContentReader(admin);
  const { row, access } = await find(deps, admin, id);
  const file = useCase ?? useCaseOf(access, row);
  if (file === null) throw invalidInputError('use_case', 'is required: this onboarding has no file yet');
  if (useCase === undefined) await recordContentRead(deps, access, { ids: { UseCase: [id] } });
  const generated = await generateConfiguration(deps, access, file);
  const active = await requireVersion(deps.db, access, access.configurationVersion);
  return { ...generated, changes: diffConfigurations(active.body, generated.configuration) };
}

/** Applies the configuration and opens the instance. Throws `conflict` with nothing to apply, or when archived. */
export async function completeOnboarding(
  deps: OnboardingDependencies,
  admin: Admin,
  id: string,
): Promise<OnboardingRecord> {
  const { row, access } = await find(deps, admin, id);
  const at = deps.now();
  await writeTransaction(deps, async (tx) => {
    const instance = await lockInstance(tx, access.instanceNumber);
    const now = await readOnboarding(tx, row.uuid);
    if (!instance || !now) throw notFoundError('onboarding');
    refuseCompleted(now);
    if (instance.state === 'archived')
      throw new DomainError('conflict', 'its instance is archived: suspend and resume it first');
    if (now.version === null) throw new DomainError('conflict', 'there is no use-case file yet: send it first');
    await bringInForce(tx, deps, access, now.version);
    await endProvisioning(tx, access, at);
  });
  return findOnboarding(deps, admin, id);
}

/** Submits, approves and applies the draft, but for the states it has passed: completing counts as the review. */
async function bringInForce(tx: WriteTx, deps: OnboardingDependencies, access: Access, version: number): Promise<void> {
  const comment = 'with the onboarding';
  for (const event of ['submit', 'approve'] as const) {
    const { state } = await requireVersion(tx, access, version);
    const isDue = event === 'submit' ? state === 'draft' : state === 'pending_review';
    if (isDue) await advanceVersion(tx, access, { version, event, comment, at: deps.now() });
  }
  const { state } = await requireVersion(tx, access, version);
  if (state !== 'active') await applyConfigurationWithin(tx, deps, access, { version, comment });
}

async function find(
  deps: OnboardingDependencies,
  admin: Admin,
  id: string,
): Promise<{ row: OnboardingRow; access: Access }> {
  const row = await readOnboarding(deps.db, parseId('onboarding', id));
  if (!row) throw notFoundError('onboarding');
  return { row, access: await accessAsAdmin(deps, admin, instanceIdOf(row.instanceNumber)) };
}

function refuseCompleted({ state }: OnboardingRow): void {
  if (state === 'open') return;
  throw new DomainError('conflict', 'this onboarding is completed; change the configuration of the instance instead');
}
