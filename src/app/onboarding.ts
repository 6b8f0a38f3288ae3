import type { Dependencies } from '../dependencies.ts';
import {
  finishOnboarding,
  onboard,
  onboarding,
  previewOnboarding,
  readUseCaseFile,
  replaceUseCase,
  type Newcomer,
} from '../domain/administration/onboarding.ts';
import type { Admin } from '../domain/tenancy/access.ts';

/** The use cases of a new client or instance. */
export const createOnboarding = (deps: Dependencies) => ({
  /** The key is returned here and never again. */
  start: (admin: Admin, newcomer: Newcomer) => onboard(deps, admin, newcomer),
  read: (admin: Admin, id: string) => onboarding(deps, admin, id),
  useCase: (admin: Admin, id: string) => readUseCaseFile(deps, admin, id),
  replaceUseCase: (admin: Admin, input: { id: string; useCase: string }) => replaceUseCase(deps, admin, input),
  preview: (admin: Admin, input: { id: string; useCase?: string | undefined }) => previewOnboarding(deps, admin, input),
  finish: (admin: Admin, id: string) => finishOnboarding(deps, admin, id),
});
