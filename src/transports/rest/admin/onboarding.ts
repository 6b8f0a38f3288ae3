import { z } from 'zod';
import { limits } from '../../../domain/limits.ts';
import { invalidFields } from '../../http/validate.ts';
import { shortTextField, useCaseField } from '../../http/fields.ts';
import { presageIdField, requestSchema, namedRequestSchemas } from '../fields.ts';
import { defineAdminRoute } from '../route.ts';
import { NewOnboardingRecord, OnboardingRecord, PreviewRecord, UseCaseRecord } from './configuration-records.ts';
import { presentChanges, presentExplanation, presentOnboarding } from './present-configuration.ts';
import { useCaseBodyLimit } from './use-case.ts';

const group = 'Onboarding';
const path = '/v1/admin/onboarding';
const byId = z.object({ onboarding_id: presageIdField('`onb_…`') });

const names = {
  client_name: shortTextField(limits.name, 'Of a new client.').optional(),
  client_id: shortTextField(limits.ownId, '`cli_…`: a client that is there, instead of a new one.').optional(),
  instance_name: shortTextField(
    limits.name,
    'How administrators tell the instance from others; without it, `default`.',
  ).optional(),
};
const completes = 'Also put the configuration in force and open the instance, so that the key works at once.';

const OnboardBody = requestSchema('Onboard', {
  ...names,
  use_case: useCaseField.optional(),
  complete: z.boolean().optional().meta({ description: completes }),
});

const UseCaseBody = requestSchema('ReplaceUseCase', { use_case: useCaseField });

const PreviewBody = z
  .strictObject({ use_case: useCaseField.optional() })
  .prefault({})
  .register(namedRequestSchemas, { id: 'PreviewOnboarding' });

export const onboardingRoutes = [
  defineAdminRoute({
    method: 'POST',
    path,
    operation: 'onboard',
    useCase: 'onboarding.start',
    group,
    summary: 'Onboard with a use-case file',
    description:
      'Makes a client, an instance, a key, and a draft of its configuration with the lines of the file that led to each ' +
      'setting. The file may be sent alone, as `text/markdown`; the names then stand in the query.',
    query: z.strictObject({
      ...names,
      complete: z.enum(['true', 'false']).optional().meta({ description: completes }),
    }),
    body: OnboardBody,
    bodyLimit: useCaseBodyLimit,
    takesMarkdown: true,
    answer: NewOnboardingRecord,
    statuses: [201],
    errors: ['conflict'],
    secrets: ['api_key'],
    example: {
      client_name: 'Fern Street Clinic',
      instance_name: 'front desk',
      use_case: '# Front desk\n\nOur clinic’s assistant books appointments for patients.',
    },
    async handle(app, { admin, body, query }) {
      const sent = { ...query, ...body };
      const { record, key, keyRecord } = await app.onboarding.start(admin, {
        client: clientOf(sent),
        instanceName: sent.instance_name ?? 'default',
        useCase: body.use_case,
        complete: sent.complete === true || sent.complete === 'true',
      });
      return { body: { ...presentOnboarding(record), key_id: keyRecord.id, api_key: key } };
    },
  }),
  defineAdminRoute({
    method: 'GET',
    path: `${path}/{onboarding_id}`,
    operation: 'onboarding',
    useCase: 'onboarding.read',
    group,
    summary: 'What is done, and what is next',
    params: byId,
    answer: OnboardingRecord,
    errors: ['not_found'],
    handle: async (app, { admin, params }) => ({
      body: presentOnboarding(await app.onboarding.read(admin, params.onboarding_id)),
    }),
  }),
  defineAdminRoute({
    method: 'PUT',
    path: `${path}/{onboarding_id}/use-case`,
    useCase: 'onboarding.replaceUseCase',
    group,
    summary: 'Send another use-case file',
    description: 'Gives a new draft; the one before stays as it is. Also as `text/markdown`. 409: it is completed.',
    params: byId,
    body: UseCaseBody,
    bodyLimit: useCaseBodyLimit,
    takesMarkdown: true,
    answer: OnboardingRecord,
    errors: ['not_found', 'conflict'],
    example: { use_case: '# Companion\n\nA companion app that remembers what its user likes.' },
    handle: async (app, { admin, params, body }) => ({
      body: presentOnboarding(
        await app.onboarding.replaceUseCase(admin, { id: params.onboarding_id, useCase: body.use_case }),
      ),
    }),
  }),
  defineAdminRoute({
    method: 'GET',
    path: `${path}/{onboarding_id}/use-case`,
    useCase: 'onboarding.useCase',
    group,
    summary: 'Read the use-case file',
    params: byId,
    answer: UseCaseRecord,
    errors: ['not_found'],
    handle: async (app, { admin, params: { onboarding_id } }) => ({
      body: { onboarding_id, use_case: await app.onboarding.useCase(admin, onboarding_id) },
    }),
  }),
  defineAdminRoute({
    method: 'POST',
    path: `${path}/{onboarding_id}/preview`,
    operation: 'previewOnboarding',
    useCase: 'onboarding.preview',
    group,
    summary: 'The configuration that a use-case file would give',
    description:
      'Of the use-case file in the body, also as `text/markdown`; without a body, of the file of the onboarding. ' +
      'Nothing is kept.',
    params: byId,
    body: PreviewBody,
    example: { use_case: '# Front desk\n\nOur clinic’s assistant books appointments for patients.' },
    bodyLimit: useCaseBodyLimit,
    takesMarkdown: true,
    answer: PreviewRecord,
    errors: ['not_found'],
    skipsIdempotentReplay: true, // asked anew: it rests on what is in force
    async handle(app, { admin, params, body }) {
      const asked = { id: params.onboarding_id, useCase: body.use_case };
      const { configuration, explanation, changes } = await app.onboarding.preview(admin, asked);
      return {
        body: { configuration, explanation: presentExplanation(explanation), changes: presentChanges(changes) },
      };
    },
  }),
  defineAdminRoute({
    method: 'POST',
    path: `${path}/{onboarding_id}/complete`,
    operation: 'completeOnboarding',
    useCase: 'onboarding.complete',
    group,
    summary: 'Complete an onboarding',
    description:
      'Puts its configuration in force and opens the instance to its key. 409: there is no use-case file yet, its ' +
      'configuration was rejected, or it is completed.',
    params: byId,
    answer: OnboardingRecord,
    errors: ['not_found', 'conflict'],
    handle: async (app, { admin, params }) => ({
      body: presentOnboarding(await app.onboarding.complete(admin, params.onboarding_id)),
    }),
  }),
];

function clientOf({
  client_name: name,
  client_id: id,
}: {
  client_name?: string | undefined;
  client_id?: string | undefined;
}) {
  if (name !== undefined && id === undefined) return { name };
  if (id !== undefined && name === undefined) return { id };
  const message = 'name a new client, or give the client_id of one that is there';
  throw invalidFields([{ field: 'client_name', message }], 'the body');
}
