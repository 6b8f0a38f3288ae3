import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import type { LanguageModel } from '../extraction/language-model.ts';
import { generateByModel } from '../generation/by-model.ts';
import type { GeneratedConfiguration } from '../generation/generate.ts';
import { formatLimit, limits } from '../limits.ts';
import type { Metering } from '../metering/metering.ts';
import type { Access } from '../tenancy/access.ts';

export interface GenerationDependencies {
  readonly db: Db;
  readonly metering: Metering;
  /** Language models, by the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
  /**
   * Generates by rules, without keeping others waiting. Throws `invalid_input` for a file that takes too long to read.
   */
  readonly generateByRules: (useCase: string) => Promise<GeneratedConfiguration>;
}

/** How long a model may take, with its second try. */
const withinMs = 90_000;

/** Throws `invalid_input` for an empty use-case file, and `payload_too_large` for one beyond its limit. */
function checkUseCase(useCase: string): void {
  if (!useCase.trim()) throw invalidInputError('use_case', 'is empty: say in Markdown what your agent is for');
  if (Buffer.byteLength(useCase) <= limits.useCase.max) return;
  throw new DomainError('payload_too_large', `use_case: must be ${formatLimit(limits.useCase)} of Markdown or less`);
}

/** Generates a configuration by rules from a use-case file. Throws `payload_too_large`, `invalid_input`. */
export async function generateByRules(
  deps: Pick<GenerationDependencies, 'generateByRules'>,
  useCase: string,
): Promise<GeneratedConfiguration> {
  checkUseCase(useCase);
  return deps.generateByRules(useCase);
}

/** The configuration that the use-case file asks for: by the model that the instance extracts with, else by rules. */
export async function generateConfiguration(
  deps: GenerationDependencies,
  access: Access,
  useCase: string,
): Promise<GeneratedConfiguration> {
  const { inference } = await currentConfiguration(deps.db, access);
  const ruled = await generateByRules(deps, useCase);
  return improveByModel(deps, { instanceNumber: access.instanceNumber, inference }, { useCase, ruled });
}

/**
 * Improves the configuration that the rules generated, by the language model that the instance extracts with, if any.
 * The instance may not be stored yet.
 */
export async function improveByModel(
  deps: GenerationDependencies,
  { instanceNumber, inference }: Pick<Access, 'instanceNumber'> & Pick<Configuration, 'inference'>,
  { useCase, ruled }: { useCase: string; ruled: GeneratedConfiguration },
): Promise<GeneratedConfiguration> {
  const model = inference.extraction === 'none' ? undefined : deps.languageModels.get(inference.extraction);
  if (!model) return ruled;
  return generateByModel(model, useCase, {
    ruled,
    signal: AbortSignal.timeout(withinMs),
    used: (tokens) =>
      deps.metering.countTokens(instanceNumber, {
        provider: inference.extraction,
        purpose: 'configuration',
        ...tokens,
      }),
  });
}
