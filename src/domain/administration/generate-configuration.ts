import type { Db } from '../../db/database.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { DomainError, invalid } from '../errors.ts';
import type { LanguageModel } from '../extraction/language-model.ts';
import { generateByModel } from '../generation/by-model.ts';
import type { Generated } from '../generation/generate.ts';
import { amountOf, limits } from '../limits.ts';
import type { Metering } from '../metering/metering.ts';
import type { Access } from '../tenancy/access.ts';

/** What generating needs. */
export interface Generating {
  readonly db: Db;
  readonly metering: Metering;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
  /** By rules, without keeping others waiting. Throws `invalid_input` for a file that takes too long to read. */
  readonly generate: (useCase: string) => Promise<Generated>;
}

/** How long a model may take, with its second try. */
const withinMs = 90_000;

/** Throws `invalid_input` for an empty use-case file, and `payload_too_large` for one beyond its limit. */
function checkUseCase(useCase: string): void {
  if (!useCase.trim()) throw invalid('use_case', 'is empty: say in Markdown what your agent is for');
  if (Buffer.byteLength(useCase) <= limits.useCase.most) return;
  throw new DomainError('payload_too_large', `use_case: must be ${amountOf(limits.useCase)} of Markdown or less`);
}

/** What the rules make of a use-case file: what is wrong with it is found here. Throws `payload_too_large`, `invalid_input`. */
export async function generateByRules(d: Pick<Generating, 'generate'>, useCase: string): Promise<Generated> {
  checkUseCase(useCase);
  return d.generate(useCase);
}

/** The configuration that the use-case file asks for: by the model that the instance extracts with, else by rules. */
export async function generateConfiguration(d: Generating, access: Access, useCase: string): Promise<Generated> {
  return improve(d, access, { useCase, ruled: await generateByRules(d, useCase) });
}

/** The same, once the rules have read the file. */
export async function improve(
  d: Generating,
  access: Access,
  { useCase, ruled }: { useCase: string; ruled: Generated },
): Promise<Generated> {
  const { inference } = await currentConfiguration(d.db, access);
  const model = inference.extraction === 'none' ? undefined : d.languageModels.get(inference.extraction);
  if (!model) return ruled;
  return generateByModel(model, useCase, {
    ruled,
    signal: AbortSignal.timeout(withinMs),
    used: (tokens) =>
      d.metering.countTokens(access.i, { provider: inference.extraction, purpose: 'configuration', ...tokens }),
  });
}
