import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import type { Agent } from './open-server.ts';

/** What an administrators' route is called with, beside what its own documentation gives as an example. */
export interface Scene {
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}
type Prepare = (admin: Agent) => Promise<Scene>;

/** What is done through the API itself, so that a scene is one that an operator can get to. */
const made = async (admin: Agent, path: string, body?: unknown) => {
  const answer = await admin.send('POST', `/v1/admin${path}`, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.text}`);
  return answer.json<Record<string, string>>();
};

/** A client on which these events have come to pass. */
const client =
  (...events: string[]): Prepare =>
  async (admin) => {
    const { client_id: id } = await made(admin, '/clients', { name: 'Fern Street' });
    for (const event of events) {
      if (event === 'purge') await admin.send('DELETE', `/v1/admin/clients/${id}`);
      else await made(admin, `/clients/${id}/${event}`);
    }
    return { ids: { client_id: id! } };
  };

const instance =
  (...events: string[]): Prepare =>
  async (admin) => {
    const { instance_id: id } = await made(admin, '/instances', { name: 'desk' });
    for (const event of events) await made(admin, `/instances/${id}/${event}`);
    return { ids: { instance_id: id! } };
  };

/** A second version that has come so far, and is what the route is called with. */
const version =
  (steps: readonly ('submit' | 'approve' | 'reject' | 'apply')[] = [], body?: unknown): Prepare =>
  async (admin) => {
    const { ids } = await instance()(admin);
    const path = `/instances/${ids!['instance_id']}/configurations`;
    const { version: number } = await made(admin, path, {});
    for (const step of steps) {
      const isReview = step === 'approve' || step === 'reject';
      await made(admin, `${path}/${number}/${isReview ? 'review' : step}`, isReview ? { decision: step } : {});
    }
    return { ids: { ...ids, version: String(number) }, ...(body === undefined ? {} : { body }) };
  };

const key: Prepare = async (admin) => {
  const { ids } = await instance()(admin);
  const { key_id: id } = await made(admin, `/instances/${ids!['instance_id']}/keys`, { label: 'agent' });
  return { ids: { ...ids, key_id: id! } };
};

const useCase = '# Front desk\n\nOur clinic’s assistant books appointments for patients.';
const onboarding =
  (complete: boolean): Prepare =>
  async (admin) => {
    const names = { client_name: 'Fern Street', instance_name: 'desk' };
    const { onboarding_id: id } = await made(admin, '/onboarding', { ...names, use_case: useCase, complete });
    return { ids: { onboarding_id: id! } };
  };

const nothing: Prepare = async () => ({});
/** For routes that only read: made once. */
const once = (prepare: Prepare): Prepare => {
  let scene: Promise<Scene> | undefined;
  return (admin) => (scene ??= prepare(admin));
};
const aClient = once(client());
const anInstance = once(key);
const anOnboarding = once(onboarding(false));
/** A client that takes no instance. */
const ofInactive =
  (body: object): Prepare =>
  async (admin) => ({ body: { ...body, client_id: (await client('deactivate')(admin)).ids!['client_id'] } });

/** By operation: what is there when it does what it is for. */
export const succeeding: Readonly<Record<string, Prepare>> = {
  createClient: nothing,
  clients: nothing,
  client: aClient,
  renameClient: aClient,
  purgeClient: client('deactivate', 'archive'),
  activateClient: client('deactivate'),
  deactivateClient: client(),
  archiveClient: client('deactivate'),
  clientUsage: aClient,
  usageOf: nothing,
  clientAudit: client('deactivate'),
  createInstance: nothing,
  instances: nothing,
  adminInstance: anInstance,
  renameInstance: anInstance,
  purgeInstance: instance('archive'),
  suspendInstance: instance(),
  resumeInstance: instance('suspend'),
  archiveInstance: instance(),
  instanceStats: anInstance,
  createKey: anInstance,
  keys: anInstance,
  revokeKey: key,
  initConfiguration: anInstance,
  configurations: anInstance,
  activeConfiguration: anInstance,
  compareConfigurations: anInstance,
  configuration: version(['submit', 'approve', 'apply']),
  updateConfiguration: version(),
  submitConfiguration: version(),
  reviewConfiguration: version(['submit']),
  applyConfiguration: version(['submit', 'approve']),
  rollBackConfiguration: version(['submit', 'approve', 'apply']),
  onboard: nothing,
  onboarding: anOnboarding,
  replaceUseCase: onboarding(false),
  useCase: anOnboarding,
  previewOnboarding: anOnboarding,
  completeOnboarding: onboarding(false),
  importWorldKnowledge: anInstance,
  previewRetention: anInstance,
};

/** By operation: where it is a conflict, but for a key of repetitions that was used for another request. */
export const conflicting: Readonly<Record<string, Prepare>> = {
  renameClient: client('deactivate', 'archive', 'purge'),
  purgeClient: client(),
  activateClient: client(),
  deactivateClient: client('deactivate'),
  archiveClient: client(),
  createInstance: ofInactive({ name: 'late' }),
  purgeInstance: instance(),
  suspendInstance: instance('suspend'),
  resumeInstance: instance(),
  archiveInstance: instance('archive'),
  updateConfiguration: version([], { configuration: defaultConfiguration, revision: 7 }),
  submitConfiguration: version(['submit']),
  reviewConfiguration: version(),
  applyConfiguration: version(),
  rollBackConfiguration: instance(),
  onboard: ofInactive({ instance_name: 'late' }),
  replaceUseCase: onboarding(true),
  completeOnboarding: onboarding(true),
  importWorldKnowledge: instance('suspend'),
};
