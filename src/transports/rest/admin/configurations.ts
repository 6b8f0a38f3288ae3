import { z } from 'zod';
import type { App } from '../../../app.ts';
import { defaultConfiguration } from '../../../domain/configurations/configuration.ts';
import type { ConfigurationRecord } from '../../../domain/configurations/record.ts';
import type { Access } from '../../../domain/tenancy/access.ts';
import { presageIdField, pageParameters, toPageRequest } from '../fields.ts';
import { presentPage } from '../present.ts';
import { ApplyBody, InitBody, ReviewBody, RollbackBody, SubmitBody, UpdateBody } from './configuration-bodies.ts';
import { DifferenceRecord, VersionPage, VersionRecord } from './configuration-records.ts';
import { defineInstanceRoute, instancePathParameters } from './define-instance-route.ts';
import { presentDifference, presentVersion } from './present-configuration.ts';
import { useCaseBodyLimit } from './use-case.ts';
import { parseOptionalVersion, parseVersion } from './version-number.ts';

const group = 'Configurations';
const path = '/v1/admin/instances/{instance_id}/configurations';
const byVersion = instancePathParameters.extend({ version: presageIdField('Its number, `2` or `2.0.0`.') });

const versionInQuery = (description: string) => z.string().optional().meta({ description });

export const configurationRoutes = [
  defineInstanceRoute({
    method: 'POST',
    path,
    operation: 'initConfiguration',
    useCase: 'configurations.init',
    group,
    summary: 'Make a draft',
    description:
      'The next version, of these settings, of those that a use-case file asks for, or of another version. It changes ' +
      'nothing before it is applied.',
    body: InitBody,
    bodyLimit: useCaseBodyLimit,
    takesMarkdown: true,
    answer: VersionRecord,
    statuses: [201],
    errors: ['not_found', 'conflict'],
    example: { use_case: '# Support desk\n\nAnswers tickets of our business customers. Keep for 2 years.' },
    handle: async (app, { access, body: { use_case, ...draft } }) =>
      versionAnswer(await app.configurations.init(access, { ...draft, useCase: use_case })),
  }),
  defineInstanceRoute({
    method: 'GET',
    path,
    operation: 'configurations',
    useCase: 'configurations.page',
    group,
    summary: 'List the versions of a configuration',
    description: 'The newest first, each with who did what to it and when.',
    query: z.strictObject(pageParameters),
    answer: VersionPage,
    async handle(app, { access, query, correlationId }) {
      const page = await app.configurations.page(access, toPageRequest(query));
      await auditExplanations(app, access, { correlationId, shown: page.data });
      return { body: presentPage(page, presentVersion) };
    },
  }),
  defineInstanceRoute({
    method: 'GET',
    path: `${path}/active`,
    operation: 'activeConfiguration',
    useCase: 'configurations.active',
    group,
    summary: 'Read the version in force',
    answer: VersionRecord,
    async handle(app, { access, correlationId }) {
      const active = await app.configurations.active(access);
      await auditExplanations(app, access, { correlationId, shown: [active] });
      return versionAnswer(active);
    },
  }),
  defineInstanceRoute({
    method: 'GET',
    path: `${path}/diff`,
    operation: 'compareConfigurations',
    useCase: 'configurations.compare',
    group,
    summary: 'Compare two versions',
    query: z.strictObject({
      from: versionInQuery('`2` or `2.0.0`; without it, the version in force.'),
      to: versionInQuery('The same; without it, the newest version.'),
    }),
    answer: DifferenceRecord,
    async handle(app, { access, query: { from, to } }) {
      const versions = { from: parseOptionalVersion(from), to: parseOptionalVersion(to) };
      return { body: presentDifference(await app.configurations.compare(access, versions)) };
    },
  }),
  defineInstanceRoute({
    method: 'GET',
    path: `${path}/{version}`,
    operation: 'configuration',
    useCase: 'configurations.read',
    group,
    summary: 'Read a version',
    params: byVersion,
    answer: VersionRecord,
    async handle(app, { access, params, correlationId }) {
      const version = await app.configurations.read(access, parseVersion(params.version));
      await auditExplanations(app, access, { correlationId, shown: [version] });
      return versionAnswer(version);
    },
  }),
  defineInstanceRoute({
    method: 'PUT',
    path: `${path}/{version}`,
    operation: 'updateConfiguration',
    useCase: 'configurations.update',
    group,
    summary: 'Change a draft',
    description:
      'Also one that was rejected, which is a draft again then. 409: it is neither, or it was changed since.',
    params: byVersion,
    body: UpdateBody,
    answer: VersionRecord,
    errors: ['not_found', 'conflict'],
    example: { configuration: defaultConfiguration, revision: 1, comment: 'back to the defaults' },
    handle: async (app, { access, params, body }) =>
      versionAnswer(await app.configurations.update(access, { ...body, version: parseVersion(params.version) })),
  }),
  defineInstanceRoute({
    method: 'POST',
    path: `${path}/{version}/submit`,
    operation: 'submitConfiguration',
    useCase: 'configurations.submit',
    group,
    summary: 'Send a draft to be reviewed',
    params: byVersion,
    body: SubmitBody,
    example: { comment: 'Keeps past orders apart, as the shop asked.' },
    answer: VersionRecord,
    errors: ['not_found', 'conflict'],
    handle: async (app, { access, params, body }) =>
      versionAnswer(await app.configurations.submit(access, { ...body, version: parseVersion(params.version) })),
  }),
  defineInstanceRoute({
    method: 'POST',
    path: `${path}/{version}/review`,
    operation: 'reviewConfiguration',
    useCase: 'configurations.review',
    group,
    summary: 'Approve a version, or send it back',
    params: byVersion,
    body: ReviewBody,
    answer: VersionRecord,
    errors: ['not_found', 'conflict'],
    example: { decision: 'approve', comment: 'as agreed with the privacy officer' },
    handle: async (app, { access, params, body }) =>
      versionAnswer(await app.configurations.review(access, { ...body, version: parseVersion(params.version) })),
  }),
  defineInstanceRoute({
    method: 'POST',
    path: `${path}/{version}/apply`,
    operation: 'applyConfiguration',
    useCase: 'configurations.apply',
    group,
    summary: 'Put an approved version in force',
    description:
      'Requests under way end with the configuration they began with; memories keep theirs. 409: it is not approved, or ' +
      'another version came into force since it was made; look at the difference, then name that one in `expected_active_version`.',
    params: byVersion,
    body: ApplyBody,
    example: { expected_active_version: 1, comment: 'Approved on Tuesday.' },
    answer: VersionRecord,
    errors: ['not_found', 'conflict'],
    handle: async (app, { access, params, body: { expected_active_version: expectedActiveVersion, ...seen } }) =>
      versionAnswer(
        await app.configurations.apply(access, {
          ...seen,
          expectedActiveVersion,
          version: parseVersion(params.version),
        }),
      ),
  }),
  defineInstanceRoute({
    method: 'POST',
    path: `${path}/rollback`,
    operation: 'rollBackConfiguration',
    useCase: 'configurations.rollBack',
    group,
    summary: 'Go back to the version before',
    description:
      'Its settings come into force again as a new version, so that the history stays whole. Once more goes one further ' +
      'back. 409: nothing was in force before.',
    body: RollbackBody,
    example: { expected_active_version: 2, comment: 'It remembered too little.' },
    answer: VersionRecord,
    errors: ['not_found', 'conflict'],
    handle: async (app, { access, body: { expected_active_version: expectedActiveVersion, ...back } }) =>
      versionAnswer(await app.configurations.rollBack(access, { ...back, expectedActiveVersion })),
  }),
];

const versionAnswer = (record: ConfigurationRecord) => ({
  body: presentVersion(record),
  configurationVersion: record.version,
});

/** Explanations cite the use-case file: each reading of them is audited first. */
async function auditExplanations(
  app: App,
  access: Access,
  { correlationId: request, shown }: { correlationId: string; shown: readonly ConfigurationRecord[] },
): Promise<void> {
  const explained = shown.filter(({ explanation }) => explanation !== null);
  const ids = { Configuration: explained.map(({ version }) => String(version)) };
  if (explained.length) await app.recordContentRead(access, { request, ids });
}
