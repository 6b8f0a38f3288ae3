import { z } from 'zod';
import { Configuration } from '../../../domain/configurations/configuration.ts';
import { configurationStates, configurationSteps } from '../../../domain/configurations/lifecycle.ts';
import { onboardingStates } from '../../../domain/administration/onboarding-store.ts';
import { answerSchema, namedAnswerSchemas, isoTimeField, pageFieldsOf } from '../fields.ts';
import { AdminInstanceRecord } from './records.ts';

/** How configurations and onboardings are presented; `present-configuration.ts` fills these. */

namedAnswerSchemas.add(Configuration, { id: 'Configuration' });

const value = z.unknown().meta({ description: 'As the configuration has it.' });

const ExplanationRecord = answerSchema('Explanation', {
  by: z.enum(['rules', 'model']),
  derived_settings: z
    .array(
      z.object({
        setting: z.string().meta({ description: 'The path of the setting, such as `retention.base_days`.' }),
        value,
        reason: z.string(),
        lines: z
          .array(z.object({ line: z.int(), text: z.string() }))
          .meta({ description: 'What the file says; lines count from 1.' }),
      }),
    )
    .meta({ description: 'The settings that the use-case file led to.' }),
  defaulted_settings: z
    .array(z.object({ setting: z.string(), value, reason: z.string() }))
    .meta({ description: 'The settings that the file says nothing of, so that the default stands.' }),
  warnings: z.array(z.string()),
});

const ChangeRecord = z.object({
  path: z
    .string()
    .meta({ description: 'The path of the setting; an entry of a list is named, as in `categories.past-orders`.' }),
  from: value.optional(),
  to: value.optional(),
  text: z.string().meta({ description: 'The change as a line of text, for people.' }),
});

export const VersionRecord = answerSchema('ConfigurationVersion', {
  version: z.int(),
  semantic_version: z.string().meta({ description: 'The version as its major number: `2.0.0`.' }),
  next_version: z.string().meta({ description: 'What the version after it would be called.' }),
  state: z.enum(configurationStates),
  revision: z.int().meta({ description: 'Raised with each change; a change that names another one is a conflict.' }),
  base_version: z.int().nullable().meta({ description: 'The version in force when this one was made.' }),
  restored_version: z
    .int()
    .nullable()
    .meta({ description: 'Of a rollback: the version whose settings it put in force again.' }),
  previous_active_version: z
    .int()
    .nullable()
    .meta({ description: 'The version that was in force until this one was applied; null: it never was.' }),
  created_at: isoTimeField(),
  configuration: Configuration,
  explanation: ExplanationRecord.nullable().meta({ description: 'Why, when it came from a use-case file.' }),
  history: z
    .array(
      z.object({
        step: z.enum(configurationSteps),
        actor: z.string().meta({ description: '`admin:` and the id of a token.' }),
        at: isoTimeField(),
        comment: z.string().nullable(),
      }),
    )
    .meta({ description: 'What happened to it; the oldest first.' }),
});

export const VersionPage = answerSchema('ConfigurationVersionPage', pageFieldsOf(VersionRecord));

export const DifferenceRecord = answerSchema('ConfigurationDifference', {
  from: z.int(),
  to: z.int(),
  changes: z.array(ChangeRecord),
  text: z.string().meta({ description: 'The changes for people, one a line.' }),
  warnings: z.array(z.string()).meta({ description: 'What `to` would do unexpectedly, such as find no facts.' }),
});

const step = z.enum(['client', 'instance', 'key', 'use_case', 'configuration', 'complete']);

export const OnboardingRecord = answerSchema('Onboarding', {
  onboarding_id: z.string(),
  state: z.enum(onboardingStates),
  client_id: z.string(),
  instance_id: z.string(),
  instance: AdminInstanceRecord,
  done: z.array(step).meta({ description: 'What is done.' }),
  next: z
    .array(z.object({ step, method: z.string(), path: z.string(), text: z.string() }))
    .meta({ description: 'What is next, the first first.' }),
  configuration: VersionRecord.nullable().meta({ description: 'What the use-case file gave.' }),
  created_at: isoTimeField(),
  completed_at: isoTimeField().nullable(),
});

export const NewOnboardingRecord = answerSchema('NewOnboarding', {
  ...OnboardingRecord.shape,
  key_id: z.string(),
  api_key: z.string().nullable().meta({
    description: 'Returned only here: null in a repetition. It opens the instance once this is completed.',
  }),
});

export const UseCaseRecord = answerSchema('UseCase', { onboarding_id: z.string(), use_case: z.string() });

export const PreviewRecord = answerSchema('ConfigurationPreview', {
  configuration: Configuration,
  explanation: ExplanationRecord,
  changes: z.array(ChangeRecord).meta({ description: 'What differs from what is in force.' }),
});
