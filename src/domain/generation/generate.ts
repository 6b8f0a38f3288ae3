import { Configuration, defaultConfiguration } from '../configurations/configuration.ts';
import type { DefaultedSetting, ConfigurationExplanation } from '../configurations/record.ts';
import { unreachableTypeWarnings } from '../extraction/unreachable-types.ts';
import { findCategories } from './category-rules.ts';
import type { RuleFinding } from './rule-finding.ts';
import { findIsolation, findScope } from './owner-rules.ts';
import { readUseCase } from './read-use-case.ts';
import { findRetention } from './retention-rules.ts';
import {
  findCompactionSettings,
  findEntitySettings,
  findInferenceSettings,
  findRetrievalSettings,
  findExtractionThreshold,
  findMemoryTypes,
} from './setting-rules.ts';

/** A configuration with the reasons of its settings. */
export interface GeneratedConfiguration {
  readonly configuration: Configuration;
  readonly explanation: ConfigurationExplanation;
}

/** Explanations of the defaults that stand where the file says nothing, for whoever reviews them. */
const assumed: Readonly<Record<string, string>> = {
  primary_scope: 'memories are each user’s own',
  customer_documents: 'no type of document belongs to a customer as a whole',
  isolation: 'a user is the same person whatever customer is named',
  confidence_threshold: 'the usual balance between missing and mistaken memories',
  memory_types: 'all types are remembered',
  categories: 'the categories that extraction knows',
  excluded: 'nothing is off limits',
  entity_match_thresholds: 'names are linked as usual',
  retention: 'neither compliance nor a consumer product: a year, then archived',
  retrieval: 'the usual fetch',
  compaction: 'the usual compaction',
  inference: 'the models that this deployment is set to',
};

/** Tells whoever sent a file that no setting comes from it, and how to write one that settings come from. */
export const nothingDerivedWarning =
  'no setting follows from the file: all of these are the defaults. Settings follow from sentences about what to ' +
  'remember ("Remember sizes and past orders."), what never to keep ("We never store card numbers."), for how long ("Keep ' +
  'it for two years."), whom memories belong to ("Our customers are companies.") and how to search ("Up to 6 memories."). ' +
  'docs/configuration.md lists all of them, beside five whole files in docs/use-cases';

/** The configuration that a use-case file asks for, by rules: each choice with its lines, and what was assumed. */
export function generateByRules(markdown: string): GeneratedConfiguration {
  const statements = readUseCase(markdown);
  const isolation = findIsolation(statements);
  const findings: RuleFinding[] = [
    isolation,
    findScope(statements, isolation.settings.isolation),
    findRetention(statements),
    findMemoryTypes(statements),
    findCategories(statements),
    findExtractionThreshold(statements),
    findEntitySettings(statements),
    findRetrievalSettings(statements),
    findCompactionSettings(statements),
    findInferenceSettings(statements),
  ];
  const configuration = Configuration.parse(
    Object.assign({}, defaultConfiguration, ...findings.map(({ settings }) => settings)),
  );
  const derivedSettings = findings.flatMap((finding) => finding.choices);
  const warnings = [
    ...findings.flatMap((finding) => finding.warnings ?? []),
    ...unreachableTypeWarnings(configuration),
  ];
  if (derivedSettings.length === 0) warnings.unshift(nothingDerivedWarning);
  return {
    configuration,
    explanation: {
      by: 'rules',
      derivedSettings,
      defaultedSettings: defaultedSettingsOf(configuration, derivedSettings),
      warnings,
    },
  };
}

/** The settings that are not among the derived ones, nor any part of them. */
export function defaultedSettingsOf(
  configuration: Configuration,
  derived: readonly { readonly setting: string }[],
): DefaultedSetting[] {
  const isDerived = (setting: string) =>
    derived.some((each) => each.setting === setting || each.setting.startsWith(`${setting}.`));
  return Object.entries(assumed).flatMap(([setting, because]) =>
    isDerived(setting) ? [] : [{ setting, value: configuration[setting as keyof Configuration], because }],
  );
}
