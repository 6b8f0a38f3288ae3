import { z } from 'zod';
import { timeField } from '../../http/fields.ts';
import { pageParameters, toPageRequest } from '../fields.ts';
import { defineAdminRoute } from '../route.ts';
import { instancePathParameters } from './define-instance-route.ts';
import { presentRetention } from './present.ts';
import { RetentionPage } from './records.ts';
import { parseOptionalVersion } from './version-number.ts';

export const retentionRoutes = [
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/instances/{instance_id}/retention',
    operation: 'previewRetention',
    useCase: 'administration.retention',
    group: 'Instances',
    summary: 'What retention would take',
    description:
      'A dry run of the hourly sweep: the memories whose time is over, the oldest first. With a later `at`, what will be ' +
      'over by then if nobody uses it. Nothing is changed, and no text is shown.',
    params: instancePathParameters,
    query: z.strictObject({
      at: timeField('As if the sweep were at this time instead of now.').optional(),
      version: z.string().optional().meta({
        description: '`2` or `2.0.0`: as if this version of the configuration were in force.',
      }),
      ...pageParameters,
    }),
    answer: RetentionPage,
    errors: ['not_found'],
    async handle(app, { admin, params, query: { at, version, ...page } }) {
      const asked = { at, version: parseOptionalVersion(version), ...toPageRequest(page) };
      return { body: presentRetention(await app.administration.retention(admin, params.instance_id, asked)) };
    },
  }),
];
