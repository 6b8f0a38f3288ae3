import { z } from 'zod';
import { paging, time, toPage } from '../fields.ts';
import { adminRoute } from '../route.ts';
import { ofInstance } from './of-instance.ts';
import { presentRetention } from './present.ts';
import { RetentionPage } from './records.ts';
import { numberIfGiven } from './version-number.ts';

export const retention = [
  adminRoute({
    method: 'GET',
    path: '/v1/admin/instances/{instance_id}/retention',
    operation: 'previewRetention',
    useCase: 'administration.retention',
    group: 'Instances',
    summary: 'What retention would take',
    description:
      'A dry run of the hourly sweep: the memories whose time is over, the oldest first. With a later `at`, what will be ' +
      'over by then if nobody uses it. Nothing is changed, and no text is shown.',
    params: ofInstance,
    query: z.strictObject({
      at: time('As if the sweep were at this time instead of now.').optional(),
      version: z.string().optional().meta({
        description: '`2` or `2.0.0`: as if this version of the configuration were in force.',
      }),
      ...paging,
    }),
    answer: RetentionPage,
    statuses: [200],
    errors: ['not_found'],
    async handle(app, { admin, params, query: { at, version, ...page } }) {
      const asked = { at, version: numberIfGiven(version), ...toPage(page) };
      return { body: presentRetention(await app.administration.retention(admin, params.instance_id, asked)) };
    },
  }),
];
