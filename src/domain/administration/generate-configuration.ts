import type { Db } from '../../db/database.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { DomainError } from '../errors.ts';
import type { LanguageModel } from '../extraction/language-model.ts';
import { generateByModel } from '../generation/by-model.ts';
import { generate, maxUseCaseBytes, type Generated } from '../generation/generate.ts';
import type { Metering } from '../metering/metering.ts';
import type { Access } from '../tenancy/access.ts';

/** What generating needs. */
export interface Generating {
  readonly db: Db;
  readonly metering: Metering;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
}

/** How long a model may take, with its second try. */
const withinMs = 90_000;

/** Throws `payload_too_large` for a use-case file beyond `maxUseCaseBytes`. */
export function checkUseCase(useCase: string): void {
  if (Buffer.byteLength(useCase) <= maxUseCaseBytes) return;
  throw new DomainError('payload_too_large', 'use_case: must be 256 KiB of Markdown or less');
}

/**
 * The configuration that the use-case file asks for: by the model that the instance extracts with, else by rules. Makes
 * nothing. Throws `payload_too_large`.
 */
export async function generateConfiguration(d: Generating, access: Access, useCase: string): Promise<Generated> {
  checkUseCase(useCase);
  const { inference } = await currentConfiguration(d.db, access);
  const model = inference.extraction === 'none' ? undefined : d.languageModels.get(inference.extraction);
  if (!model) return generate(useCase);
  return generateByModel(model, useCase, {
    signal: AbortSignal.timeout(withinMs),
    used: ({ input, output }) => d.metering.countTokens(access.i, { input, output }),
  });
}
