import type { OnboardingRecord } from '../../../domain/administration/onboarding.ts';
import type { ConfigurationComparison } from '../../../domain/administration/read-configurations.ts';
import type { SettingChange } from '../../../domain/configurations/diff-configurations.ts';
import { semanticVersion } from '../../../domain/configurations/lifecycle.ts';
import type { ConfigurationRecord, ConfigurationExplanation } from '../../../domain/configurations/record.ts';
import type * as records from './configuration-records.ts';
import { presentAdminInstance } from './present.ts';
import type { Wire } from '../../http/wire.ts';

export const presentVersion = (record: ConfigurationRecord): Wire<typeof records.VersionRecord> => ({
  version: record.version,
  semantic_version: semanticVersion(record.version),
  next_version: semanticVersion(record.version + 1),
  state: record.state,
  revision: record.revision,
  base_version: record.baseVersion,
  restored_version: record.restoredVersion,
  previous_active_version: record.previousActiveVersion,
  created_at: record.createdAt.toISOString(),
  configuration: record.body,
  explanation: record.explanation && presentExplanation(record.explanation),
  history: record.steps.map(({ step, actor, at, comment }) => ({ step, actor, at: at.toISOString(), comment })),
});

export const presentExplanation = ({ by, derivedSettings, defaultedSettings, warnings }: ConfigurationExplanation) => ({
  by,
  derived_settings: derivedSettings.map(({ because, lines, ...derived }) => ({
    ...derived,
    reason: because,
    lines,
  })),
  defaulted_settings: defaultedSettings.map(({ because, ...defaulted }) => ({ ...defaulted, reason: because })),
  warnings,
});

export const presentChanges = (changes: readonly SettingChange[]) => changes.map((change) => ({ ...change }));

export const presentDifference = ({
  from,
  to,
  changes,
  warnings,
}: ConfigurationComparison): Wire<typeof records.DifferenceRecord> => ({
  from: from.version,
  to: to.version,
  changes: presentChanges(changes),
  text: changes.map(({ text }) => text).join('\n'),
  warnings,
});

type OnboardingWire = Wire<typeof records.OnboardingRecord>;

export function presentOnboarding(record: OnboardingRecord): OnboardingWire {
  const { id, state, instance, configuration } = record;
  return {
    onboarding_id: id,
    state,
    client_id: instance.clientId,
    instance_id: instance.id,
    instance: presentAdminInstance(instance),
    done: [
      'client',
      'instance',
      'key',
      ...(configuration ? (['use_case', 'configuration'] as const) : []),
      ...(state === 'completed' ? (['complete'] as const) : []),
    ],
    next: nextSteps(record),
    configuration: configuration && presentVersion(configuration),
    created_at: record.createdAt.toISOString(),
    completed_at: record.completedAt?.toISOString() ?? null,
  };
}

function nextSteps({ id, state, configuration }: OnboardingRecord): OnboardingWire['next'] {
  const at = (rest: string) => `/v1/admin/onboarding/${id}${rest}`;
  if (state === 'completed') return [];
  if (!configuration) {
    return [{ step: 'use_case', method: 'PUT', path: at('/use-case'), text: 'send the use-case file' }];
  }
  const complete = { step: 'complete', method: 'POST', path: at('/complete') } as const;
  return [{ ...complete, text: `read the configuration, then put version ${configuration.version} in force` }];
}
