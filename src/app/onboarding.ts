import type { Dependencies } from '../dependencies.ts';
import {
  completeOnboarding,
  startOnboarding,
  findOnboarding,
  previewOnboarding,
  readUseCaseFile,
  replaceUseCase,
  type StartOnboardingInput,
} from '../domain/administration/onboarding.ts';
import type { Admin } from '../domain/tenancy/access.ts';

/** The use cases of a new client or instance. */
export const createOnboardingUseCases = (deps: Dependencies) => ({
  /** The key is returned only here. */
  start: (admin: Admin, newcomer: StartOnboardingInput) => startOnboarding(deps, admin, newcomer),
  read: (admin: Admin, id: string) => findOnboarding(deps, admin, id),
  useCase: (admin: Admin, id: string) => readUseCaseFile(deps, admin, id),
  replaceUseCase: (admin: Admin, input: { id: string; useCase: string }) => replaceUseCase(deps, admin, input),
  preview: (admin: Admin, input: { id: string; useCase?: string | undefined }) => previewOnboarding(deps, admin, input),
  complete: (admin: Admin, id: string) => completeOnboarding(deps, admin, id),
});
